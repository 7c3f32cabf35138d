/* options.c: walks the command line. What an option is stands in options_table.c, what its text means in values.c,
 * lists.c and sizes.c. */
#include "bench/options/options.h"

#include <string.h>

#include "bench/options/values.h"

#define MOST_OPTIONS 64 /* of one command */

static option_reader *const reader_table[] = {
    [OPTION_TEXT] = option_text,       [OPTION_TWO_TEXTS] = option_text,
    [OPTION_COUNT] = option_count,     [OPTION_REAL] = option_real,
    [OPTION_SECONDS] = option_seconds, [OPTION_SEED] = option_seed,
    [OPTION_SIZES] = option_sizes,     [OPTION_SHAPES] = option_shapes,
    [OPTION_PERCENT] = option_percent, [OPTION_PRECISIONS] = option_precisions,
    [OPTION_THREADS] = option_threads, [OPTION_CHOICE] = option_choice,
    [OPTION_BYTES] = option_bytes,     [OPTION_TOKENS] = option_tokens,
    [OPTION_CARDS] = option_cards,
};

/* Where on the command line the parser is. */
struct walk {
    int argc, at;
    char **argv;
};

static void *field_of(struct duel_options *options, const struct duel_option *option)
{
    return (char *)options + option->offset;
}

void options_defaults(struct duel_options *options)
{
    *options = (struct duel_options){0};
    for (const struct duel_option *option = duel_option_table; option->name; option++)
        if (option->initial)
            reader_table[option->kind](option, option->initial, field_of(options, option), NULL);
}

static const struct duel_option *find(const char *name, size_t length)
{
    for (const struct duel_option *option = duel_option_table; option->name; option++)
        if (length == strlen(option->name) && memcmp(name, option->name, length) == 0)
            return option;
    return NULL;
}

static bool is_accepted(const struct duel_option *option, const char *const *accepted)
{
    for (; *accepted; accepted++)
        if (find(*accepted, strcspn(*accepted, "=")) == option)
            return true;
    return false;
}

/* A command may have a default of its own: "--out=reports/transfer". */
static void set_own_defaults(const char *const *accepted, struct duel_options *options)
{
    for (; *accepted; accepted++) {
        const char *equals = strchr(*accepted, '=');
        const struct duel_option *option = equals ? find(*accepted, (size_t)(equals - *accepted)) : NULL;
        if (option)
            reader_table[option->kind](option, equals + 1, field_of(options, option), NULL);
    }
}

/* The bare names of what a command accepts. */
static void name_accepted(const char *const *accepted, const char **names, int most)
{
    int count = 0;
    for (; *accepted && count < most; accepted++) {
        const struct duel_option *option = find(*accepted, strcspn(*accepted, "="));
        if (option)
            names[count++] = option->name;
    }
    names[count] = NULL;
}

static enum duel_status unknown(const char *given, int length, bool exists, const char *const *accepted,
                                struct duel_why *why)
{
    char word[64], near[120], next[240];
    const char *names[MOST_OPTIONS + 1];
    length = length < (int)sizeof word ? length : (int)sizeof word - 1;
    snprintf(word, sizeof word, "%.*s", length, given);
    if (exists)
        return duel_fail(why, DUEL_EINVAL, "it would change nothing here, and silence would hide that",
                         "leave it out; --help lists what this command takes", "this command has no option %s", word);
    name_accepted(accepted, names, MOST_OPTIONS);
    nearest_names(word, names, 3, near, sizeof near);
    snprintf(next, sizeof next, "%s%s%s--help lists what this command takes", near[0] ? "did you mean " : "", near,
             near[0] ? "? " : "");
    return duel_fail(why, DUEL_EINVAL, "the run would not be the one that was asked for", next, "unknown option %s",
                     word);
}

static enum duel_status without_value(const struct duel_option *option, struct duel_why *why)
{
    char next[240];
    snprintf(next, sizeof next, "write %s %s: %s", option->name, option->placeholder, option->help);
    return duel_fail(why, DUEL_EINVAL, "it is not known what was meant", next, "%s has no value", option->name);
}

/* The next argument unless it is an option itself. A single dash may start a value: "-0.5", "-". */
static const char *take_argument(struct walk *walk)
{
    if (walk->at + 1 >= walk->argc || strncmp(walk->argv[walk->at + 1], "--", 2) == 0)
        return NULL;
    return walk->argv[++walk->at];
}

bool options_second_value(const struct duel_option *option, const char *word)
{
    const size_t length = option->kind == OPTION_TWO_TEXTS && word ? strlen(word) : 0;
    return length > 4 && strcmp(word + length - 4, ".npy") == 0;
}

static const char *next_word(const struct walk *walk)
{
    return walk->at + 1 < walk->argc ? walk->argv[walk->at + 1] : NULL;
}

static enum duel_status parse_option(struct walk *walk, const char *const *accepted, struct duel_options *options,
                                     struct duel_why *why)
{
    const char *given = walk->argv[walk->at];
    size_t length = strcspn(given, "=");
    const char *attached = given[length] ? given + length + 1 : NULL;
    const struct duel_option *option = find(given, length);
    enum duel_status status = DUEL_OK;

    if (!option || !is_accepted(option, accepted))
        return unknown(given, (int)(length < 64 ? length : 64), option != NULL, accepted, why);
    const size_t row = (size_t)(option - duel_option_table);
    options->given[row / 64] |= (uint64_t)1 << row % 64;
    if (option->kind == OPTION_FLAG) {
        if (attached)
            return duel_fail(why, DUEL_EINVAL, "it is on or absent, nothing else", "write it without = and value",
                             "%s takes no value, got \"%.60s\"", option->name, attached);
        *(bool *)field_of(options, option) = true;
        return DUEL_OK;
    }
    for (int i = 0; status == DUEL_OK && (i == 0 || (i == 1 && options_second_value(option, next_word(walk)))); i++) {
        const char *text = attached ? attached : take_argument(walk);
        if (!text)
            return without_value(option, why);
        status = reader_table[option->kind](option, text, (const char **)field_of(options, option) + i, why);
        attached = NULL;
    }
    return status;
}

static bool help_wanted(const struct walk *walk)
{
    for (int i = walk->at; i < walk->argc && strcmp(walk->argv[i], "--") != 0; i++)
        if (strcmp(walk->argv[i], "-h") == 0 || strcmp(walk->argv[i], "--help") == 0)
            return true;
    return false;
}

static enum duel_status add_pattern(const char *text, struct duel_options *options, struct duel_why *why)
{
    if (!*text)
        return duel_fail(why, DUEL_EINVAL, "nothing has an empty name", "leave it out, or give a pattern such as gemm",
                         "an empty argument");
    if (options->pattern_count == DUEL_MAX_PATTERNS)
        return duel_fail(why, DUEL_EINVAL, "this many are kept",
                         "use a glob in quotes: 'cpu/gemm/*', or name a directory", "more than %d arguments",
                         DUEL_MAX_PATTERNS);
    options->pattern[options->pattern_count++] = text;
    return DUEL_OK;
}

enum duel_status options_parse(int argc, char **argv, int first, const char *const *accepted,
                               struct duel_options *options, struct duel_why *why)
{
    struct walk walk = {argc, first, argv};
    enum duel_status status = DUEL_OK;
    bool options_ended = false;

    set_own_defaults(accepted, options);
    options->help = options->help || help_wanted(&walk);
    if (options->help)
        return DUEL_OK;
    for (; walk.at < argc && status == DUEL_OK; walk.at++) {
        const char *argument = argv[walk.at];
        if (options_ended || argument[0] != '-' || argument[1] == '\0')
            status = add_pattern(argument, options, why);
        else if (strcmp(argument, "--") == 0)
            options_ended = true;
        else
            status = parse_option(&walk, accepted, options, why);
    }
    return status == DUEL_OK ? options_conflicts(options, why) : status;
}
