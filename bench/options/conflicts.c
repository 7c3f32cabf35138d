/* conflicts.c: options that contradict each other. What was asked for cannot be done then, and whichever of the two won
 * would not be what the other one said. */
#include <math.h>
#include <string.h>

#include "bench/options/options.h"

bool options_given(const struct duel_options *options, const char *name)
{
    for (int i = 0; duel_option_table[i].name; i++)
        if (strcmp(duel_option_table[i].name, name) == 0)
            return options->given[i / 64] >> i % 64 & 1;
    return false;
}

double options_limit_s(const struct duel_options *options, double usual_s)
{
    return options->timeout_s > 0 ? options->timeout_s : fmax(usual_s, 2 * options->min_time_s);
}

static const struct {
    const char *one, *other, *matters, *next;
} pairs[] = {
    {"--samples", "--min-samples", "a fixed number of samples has no smallest number", "leave one of them out"},
    {"--samples", "--min-time", "a fixed number of samples ends when it is reached, whatever the time",
     "leave one of them out"},
    {"--samples", "--target-ci", "a fixed number of samples ends when it is reached, however wide the interval",
     "leave one of them out"},
    {"--no-plots", "--terminal", "plots cannot be left out and drawn", "leave one of them out"},
    {"--input", "--data", "the files hold the values", "leave one of them out"},
};

/* A time that must be spent, in a shorter time that may be. */
static enum duel_status check_time(const struct duel_options *options, const char *limit, double limit_s,
                                   struct duel_why *why)
{
    if (!options_given(options, "--min-time") || limit_s <= 0 || options->min_time_s <= limit_s)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "sampling cannot be longer than its limit", "raise the one or lower the other",
                     "--min-time %g s with %s %g s", options->min_time_s, limit, limit_s);
}

enum duel_status options_conflicts(const struct duel_options *options, struct duel_why *why)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (options_given(options, pairs[i].one) && options_given(options, pairs[i].other))
            return duel_fail(why, DUEL_EINVAL, pairs[i].matters, pairs[i].next, "%s together with %s", pairs[i].one,
                             pairs[i].other);
    if (options->sessions > 1 && options->output)
        return duel_fail(why, DUEL_EINVAL, "each session would write the same file",
                         "run once without --sessions for the answer", "--output together with --sessions %lld",
                         (long long)options->sessions);
    enum duel_status status = check_time(options, "--timeout", options->timeout_s, why);
    return status == DUEL_OK ? check_time(options, "--budget", options->budget_s, why) : status;
}
