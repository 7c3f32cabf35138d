/* compare.c: did anything change from one run to another? */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands/baselines.h"
#include "bench/commands/verdicts.h"

static bool same_run(const struct judge_side *a, const struct judge_side *b)
{
    const char *one = reader_text(a->run, "id"), *other = reader_text(b->run, "id");
    return one && other && strcmp(one, other) == 0;
}

enum duel_status compare_sides(struct judge_comparison *comparison, const struct duel_options *options,
                               const char *const name[2], const char *const path[2], struct duel_why *why)
{
    comparison->limits = judge_usual_limits;
    comparison->limits.threshold = options->threshold;
    comparison->limits.floor_s = options->floor_s;
    enum duel_status status = side_read(&comparison->a, name[0], path[0], why);
    if (status == DUEL_OK)
        status = side_read(&comparison->b, name[1], path[1], why);
    if (status == DUEL_OK && same_run(&comparison->a, &comparison->b))
        status = duel_fail(why, DUEL_EINVAL, "a run that is compared with itself is always the same",
                           "give another run, or measure a second one", "A and B are the same run (%s)",
                           reader_text(comparison->a.run, "id"));
    if (status == DUEL_OK && !comparison_make(comparison))
        status = duel_fail(why, DUEL_ENOMEM, "nothing is compared", "close other programs", "out of memory");
    return status;
}

/* What is a path is taken as one; else it is the name of a baseline. */
static enum duel_status resolve(const struct duel_options *options, const char *name, char *path, size_t size,
                                struct duel_why *why)
{
    struct baseline baseline;
    snprintf(path, size, "%s", name);
    if (strchr(name, '/') || access(name, F_OK) == 0)
        return DUEL_OK;
    enum duel_status status = baselines_find(options, name, &baseline, why);
    if (status == DUEL_OK)
        snprintf(path, size, "%s", baseline.run);
    else
        duel_fail(why, status, "there is nothing to compare",
                  "give a run file, the directory of a run, or one of `duel baseline list`",
                  "%.100s is neither a file, a directory nor a baseline", name);
    baseline_free(&baseline);
    return status;
}

static enum duel_status check(const struct duel_options *options, struct duel_why *why)
{
    if (options->pattern_count != 2)
        return duel_fail(why, DUEL_EINVAL, "a comparison has two sides", "duel compare before-update reports/latest",
                         "%d argument%s given", options->pattern_count, options->pattern_count == 1 ? "" : "s");
    if (options->on_inconclusive == DUEL_INCONCLUSIVE_RERUN)
        return duel_fail(why, DUEL_EINVAL, "compare reads what was measured and measures nothing itself",
                         "give pass or fail, or use `duel gate`", "--on-inconclusive rerun");
    return verdicts_targets(options, why);
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct judge_comparison *comparison = calloc(1, sizeof *comparison);
    struct duel_why why = {{0}, {0}, {0}};
    (void)command_line;
    if (!comparison)
        return message_error(DUEL_ENOMEM, &why);
    const struct verdicts verdicts = {
        .options = options, .comparison = comparison, .before = options->pattern[0], .after = options->pattern[1]};
    char before[PATH_MAX], after[PATH_MAX];
    const char *const paths[2] = {before, after};
    enum duel_status status = check(options, &why);
    if (status == DUEL_OK)
        status = resolve(options, options->pattern[0], before, sizeof before, &why);
    if (status == DUEL_OK)
        status = resolve(options, options->pattern[1], after, sizeof after, &why);
    if (status == DUEL_OK)
        status = compare_sides(comparison, options, options->pattern, paths, &why);
    if (status == DUEL_OK && !options->quiet)
        verdicts_print(&verdicts, verdicts_talk(options));
    if (status == DUEL_OK)
        status = verdicts_write(&verdicts, &why);
    const int code = status == DUEL_OK ? verdicts_code(&verdicts) : message_refusal(status, &why);
    comparison_free(comparison);
    free(comparison);
    return code;
}

static const char *const accepted[] = {"--threshold", "--floor", "--on-inconclusive", "--on-numeric", "--dir",
                                       "--json",      "--junit", "--markdown",        "--prometheus", "--quiet",
                                       NULL};
const struct duel_command compare_command = {
    .name = "compare",
    .summary = "Did anything change from one run to another, and what else changed besides",
    .usage = "compare A B [OPTIONS]",
    .example = "duel compare before-update reports/latest",
    .detail =
        "A and B are baselines (duel baseline), run files, or directories of runs, each of several sessions (duel run\n"
        "--sessions 5). A time is slower or faster when the change is beyond --threshold, --floor and the noise of "
        "both\n"
        "sides, and chance does not explain it; it is the same when its whole 95 % interval lies within the "
        "threshold.\n"
        "Exit status 0: nothing slower; 1: slower; 3: a wrong result; 4: inconclusive, with --on-inconclusive fail;\n"
        "5: not comparable; 6: something failed.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
