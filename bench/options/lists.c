/* lists.c: options that take a comma-separated list and append to what an earlier option of the same name gave. */
#include <sched.h>
#include <string.h>
#include <strings.h>

#include "bench/options/values.h"

/* Longest pieces of the command line that a message repeats. */
#define SHOWN 60
#define SHOWN_ITEM 40
/* The kernel's own limit on x86-64; more CPUs than this in one process are counted as this many. */
#define MOST_CPUS 8192
#define MOST_THREADS 4096

/* Options stand below matrix/, which knows all about types; here only their names are needed. */
static const struct {
    const char *name;
    enum duel_dtype type;
} precision_table[] = {{"fp64", DUEL_FP64}, {"fp32", DUEL_FP32}, {"tf32", DUEL_TF32}, {"fp16", DUEL_FP16},
                       {"bf16", DUEL_BF16}, {"fp8", DUEL_FP8},   {"int8", DUEL_INT8}};

#define PRECISIONS (sizeof precision_table / sizeof *precision_table)

bool option_next_item(const char **rest, const char **item, size_t *length)
{
    if (!*rest)
        return false;
    *item = *rest;
    *length = strcspn(*item, ",");
    *rest = (*item)[*length] ? *item + *length + 1 : NULL;
    return true;
}

enum duel_status option_item_refused(const char *name, const char *text, const char *item, size_t length,
                                     const char *fault, const char *next, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "the run would not be the one that was asked for", next, "%s %.*s: \"%.*s\" %s",
                     name, SHOWN, *text ? text : "\"\"", (int)(length < SHOWN_ITEM ? length : SHOWN_ITEM), item, fault);
}

enum duel_status option_sizes(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    (void)option;
    return options_sizes(text, field, why);
}

enum duel_status option_shapes(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    (void)option;
    return options_shapes(text, field, why);
}

static enum duel_dtype precision_named(const char *name, size_t length)
{
    for (size_t i = 0; i < PRECISIONS; i++)
        if (length == strlen(precision_table[i].name) && strncasecmp(name, precision_table[i].name, length) == 0)
            return precision_table[i].type;
    return DUEL_NONE;
}

static enum duel_status precision_refused(const char *option, const char *text, const char *item, size_t length,
                                          struct duel_why *why)
{
    const char *names[PRECISIONS + 1] = {NULL};
    char word[SHOWN_ITEM], near[80], next[240];
    for (size_t i = 0; i < PRECISIONS; i++)
        names[i] = precision_table[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < SHOWN_ITEM ? length : SHOWN_ITEM - 1), item);
    nearest_names(word, names, 2, near, sizeof near);
    snprintf(next, sizeof next,
             "%s%s%sgive one or more of fp64, fp32, tf32, fp16, bf16, fp8 and int8, joined by commas",
             near[0] ? "did you mean " : "", near, near[0] ? "? or " : "");
    return option_item_refused(option, text, item, length, length ? "is not a precision" : "is empty", next, why);
}

enum duel_status option_precisions(const struct duel_option *option, const char *text, void *field,
                                   struct duel_why *why)
{
    struct duel_options *options = field;
    const char *rest = text, *item;
    size_t length;
    while (option_next_item(&rest, &item, &length)) {
        enum duel_dtype type = precision_named(item, length);
        bool there = false;
        if (type == DUEL_NONE)
            return precision_refused(option->name, text, item, length, why);
        for (int i = 0; i < options->precision_count; i++)
            there = there || options->precision[i] == type;
        if (!there)
            options->precision[options->precision_count++] = type;
    }
    return DUEL_OK;
}

/* The number that names the core of a CPU: its first hardware thread. The CPU itself where the kernel does not say. */
static int core_of(int cpu)
{
    char path[80];
    int first = cpu;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "re");
    if (!file)
        return cpu;
    if (fscanf(file, "%d", &first) != 1 || first < 0 || first >= MOST_CPUS)
        first = cpu;
    fclose(file);
    return first;
}

/* CPUs this process may use, or the cores that they belong to. */
static int usable(bool cores)
{
    const size_t bytes = CPU_ALLOC_SIZE(MOST_CPUS);
    cpu_set_t *mine = CPU_ALLOC(MOST_CPUS), *set = CPU_ALLOC(MOST_CPUS);
    int count = 1;
    if (mine && set && sched_getaffinity(0, bytes, mine) == 0) {
        CPU_ZERO_S(bytes, set);
        for (int cpu = 0; cpu < MOST_CPUS; cpu++)
            if (CPU_ISSET_S((size_t)cpu, bytes, mine))
                CPU_SET_S((size_t)(cores ? core_of(cpu) : cpu), bytes, set);
        count = CPU_COUNT_S(bytes, set);
    }
    if (mine)
        CPU_FREE(mine);
    if (set)
        CPU_FREE(set);
    return count;
}

static bool is_word(const char *item, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(item, word, length) == 0;
}

enum duel_status option_threads(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    static const char next[] =
        "give numbers of threads, cores (one per physical core) or all (every usable CPU), joined "
        "by commas: --threads 1,2,all";
    struct duel_options *options = field;
    const char *rest = text, *item, *fault = NULL;
    size_t length;
    while (option_next_item(&rest, &item, &length)) {
        int64_t count = 0;
        bool there = false;
        if (is_word(item, length, "all") || is_word(item, length, "cores"))
            count = usable(*item == 'c');
        else
            fault = option_number_fault(item, length, 1, MOST_THREADS, &count);
        for (int i = 0; i < options->threads_count; i++)
            there = there || options->threads[i] == count;
        if (!fault && !there && options->threads_count == DUEL_MAX_THREADS)
            fault = "is one thread count too many; 64 are the most";
        if (fault)
            return option_item_refused(option->name, text, item, length, fault, next, why);
        if (!there)
            options->threads[options->threads_count++] = (int)count;
    }
    return DUEL_OK;
}

enum duel_status option_cards(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    struct duel_options *options = field;
    if (!*text)
        return option_item_refused(option->name, text, text, 0, "is empty", "name a card of `duel cards`", why);
    if (options->card_count == DUEL_MAX_CARDS)
        return option_item_refused(option->name, text, text, strlen(text), "is one too many; 16 are the most",
                                   "name several by commas", why);
    options->card[options->card_count++] = text;
    return DUEL_OK;
}
