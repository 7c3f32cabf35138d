/* skipped.c: what did not run, one line per reason. */
#include <string.h>

#include "bench/report/console.h"
#include "bench/report/report.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

struct rows {
    const struct duel_result *results;
    size_t count;
};

static bool is_skipped(const struct duel_result *row)
{
    return row->status == ROW_SKIPPED;
}

static bool same_reason(const struct duel_result *a, const struct duel_result *b)
{
    return is_skipped(a) && is_skipped(b) && strcmp(a->reason, b->reason) == 0;
}

static bool same_name(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->implementation, b->implementation) == 0;
}

static bool same_size(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->workload, b->workload) == 0 && shape_same(&a->problem, &b->problem);
}

/* "gpu/gemm/" of "gpu/gemm/tiled". */
static size_t family_length(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

static bool same_family(const struct duel_result *a, const struct duel_result *b)
{
    size_t length = family_length(a->implementation);
    return length == family_length(b->implementation) && strncmp(a->implementation, b->implementation, length) == 0;
}

/* Is this the first row with its reason, its name and reason, ...: nothing before it is alike. */
static bool is_first(const struct rows *rows, size_t at,
                     bool (*alike)(const struct duel_result *, const struct duel_result *),
                     bool (*too)(const struct duel_result *, const struct duel_result *))
{
    const struct duel_result *row = &rows->results[at];
    for (size_t i = 0; i < at; i++)
        if (alike(&rows->results[i], row) && (!too || too(&rows->results[i], row)))
            return false;
    return true;
}

/* True when every row of this family was skipped for the same reason. */
static bool whole_family(const struct rows *rows, const struct duel_result *row)
{
    for (size_t i = 0; i < rows->count; i++)
        if (same_family(&rows->results[i], row) && !same_reason(&rows->results[i], row))
            return false;
    return true;
}

static void append(char *text, size_t size, const char *separator, const char *word, size_t length)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%.*s", used ? separator : "", (int)length, word);
}

/* The names that share this reason: the family with a star for a whole family of several, else one by one. */
static void join_names(const struct rows *rows, const struct duel_result *row, char *names, size_t size)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct duel_result *other = &rows->results[i];
        if (!same_reason(other, row) || !is_first(rows, i, same_reason, same_name))
            continue;
        bool several = false;
        for (size_t j = 0; j < rows->count; j++)
            several |= same_family(&rows->results[j], other) && !same_name(&rows->results[j], other);
        if (!several || !whole_family(rows, other)) {
            append(names, size, ", ", other->implementation, strlen(other->implementation));
        } else if (is_first(rows, i, same_reason, same_family)) {
            append(names, size, ", ", other->implementation, family_length(other->implementation));
            append(names, size, "", "*", 1);
        }
    }
}

/* The sizes that share this reason, when it does not hold at every size of the run; empty when it does. */
static void join_sizes(const struct rows *rows, const struct duel_result *row, char *sizes, size_t size)
{
    bool everywhere = true;
    for (size_t i = 0; i < rows->count && everywhere; i++) {
        bool here = false;
        for (size_t j = 0; j < rows->count && !here; j++)
            here = same_reason(&rows->results[j], row) && same_size(&rows->results[j], &rows->results[i]);
        everywhere = here;
    }
    for (size_t i = 0; i < rows->count && !everywhere; i++) {
        const struct duel_problem *problem = &rows->results[i].problem;
        char word[72];
        if (!same_reason(&rows->results[i], row) || !is_first(rows, i, same_reason, same_size))
            continue;
        shape_typed(rows->results[i].workload, problem, word, sizeof word);
        append(sizes, size, ", ", word, strlen(word));
    }
}

void table_skipped(FILE *stream, const struct duel_result *results, size_t count)
{
    struct duel_console console = console_of(stream);
    struct rows rows = {results, count};
    for (size_t i = 0; i < count; i++) {
        const struct duel_result *row = &results[i];
        if (!is_skipped(row) || !is_first(&rows, i, same_reason, NULL))
            continue;
        char names[1200] = "", sizes[400] = "", text[2600];
        const char *reason = *row->reason ? row->reason : WORDS_NO_REASON;
        join_names(&rows, row, names, sizeof names);
        join_sizes(&rows, row, sizes, sizeof sizes);
        if (*sizes)
            snprintf(text, sizeof text, WORDS_SKIPPED_SIZES, names, sizes, reason);
        else
            snprintf(text, sizeof text, WORDS_SKIPPED, names, reason);
        console_wrap(stream, &console, 2, SHADE_DIM, text);
    }
}
