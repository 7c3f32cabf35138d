/* baseline.c: sessions that are kept to be compared with after an update. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands/baselines.h"
#include "bench/judge/comparison.h"
#include "bench/record/directory.h"
#include "bench/record/record.h"

/* What belongs to this command, and not to the run that it measures. */
static const char *const own_options[] = {"--dir", "--from", "--sessions", "--quiet", NULL};

/* What a run did for the one who started it, and the gate does otherwise. */
static const char *const not_repeated[] = {"--sessions", "--out",   "--json",     "--csv",    "--no-plots",
                                           "--terminal", "--quiet", "--identify", "--budget", NULL};

/* ---- save ------------------------------------------------------------------------------------------------------- */

static int refuse(enum baseline_fault fault, const struct duel_why *why)
{
    static const int code[] = {[BASELINE_FIT] = EXIT_DONE,
                               [BASELINE_WRONG] = EXIT_WRONG,
                               [BASELINE_FAILED] = EXIT_DEVICE,
                               [BASELINE_NOISY] = EXIT_UNMEASURED,
                               [BASELINE_THROTTLED] = EXIT_UNMEASURED};
    message_error(DUEL_SKIP, why);
    message_note("duel: no baseline was saved");
    return code[fault];
}

static void tell_saved(const struct judge_side *side, const char *name)
{
    double worst = 0;
    char label[300] = "";
    for (size_t i = 0; i < side->count; i++) {
        const double noise = baseline_noise(&side->item[i]);
        if (!(noise > worst))
            continue;
        worst = noise;
        comparison_case(&side->item[i], JUDGE_KERNEL, label, sizeof label);
    }
    printf("Saved the baseline %s: %d sessions of %zu cases on %s.\n", name, side->sessions, side->count,
           side->machine);
    printf("The same code differs by %.1f %% at most between such groups of sessions (%s).\n", 100 * worst, label);
    printf("After the update: duel gate --baseline %s\n", name);
}

static json_t *words_json(const struct words *words)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < words->count; i++)
        json_array_append_new(array, record_string(words->word[i]));
    return array;
}

/* A run tells how it was started, as one line: words that held blanks cannot be told apart, and then `duel run` refuses
 * them. NULL when another command measured it, or the bare demonstration, which is not the same twice. */
static json_t *words_of_run(const struct judge_side *side)
{
    static const char begin[] = "duel run";
    const char *command = reader_text(side->run, "command");
    struct words all = {NULL, 0, false}, words = {NULL, 0, false};
    char *copy = command && strncmp(command, begin, sizeof begin - 1) == 0 ? strdup(command + sizeof begin - 1) : NULL;
    char *rest = copy;
    for (char *word; copy && (word = strsep(&rest, " "));)
        if (*word)
            words_add(&all, word);
    words_add_without(&words, &all, not_repeated, 0);
    json_t *array = words.count > 0 && !all.failed && !words.failed ? words_json(&words) : NULL;
    words_free(&all);
    words_free(&words);
    free(copy);
    return array;
}

/* Examines the run in `path`, and keeps it. `words` NULL: those that the run tells. */
static int keep(const struct duel_options *options, const char *root, const char *path, int wanted, json_t *words)
{
    struct judge_side side;
    struct duel_why why = {{0}, {0}, {0}};
    const char *name = options->pattern[1];
    int code = EXIT_DONE;
    enum duel_status status = side_read(&side, name, path, &why);
    enum baseline_fault fault = status == DUEL_OK ? baseline_examine(&side, wanted, &why) : BASELINE_FIT;
    json_t *kept = words ? json_incref(words) : words_of_run(&side);
    if (status == DUEL_OK && fault == BASELINE_FIT)
        status = baseline_save(root, name, &side, kept, commands_version(), &why);
    json_decref(kept);
    if (status != DUEL_OK)
        code = message_refusal(status, &why);
    else if (fault != BASELINE_FIT)
        code = refuse(fault, &why);
    else if (!options->quiet)
        tell_saved(&side, name);
    side_free(&side);
    return code;
}

static int measure(const struct duel_options *options, const char *root)
{
    struct words given = {NULL, 0, false}, words = {NULL, 0, false};
    struct duel_why why = {{0}, {0}, {0}};
    char out[PATH_MAX];
    int code = EXIT_DONE;
    snprintf(out, sizeof out, "%.3900s/.measuring-%ld", root, (long)getpid());
    words_add_own(&given, 2);
    words_add_without(&words, &given, own_options, 2); /* the action and the name */
    if (options->pattern_count == 2) /* the bare demonstration measures what fits its minute: not the same each time */
        words_add(&words, "gemm");
    words.failed |= given.failed;
    enum duel_status status = baselines_measure(&words, options->sessions, out, options->quiet, &code, &why);
    const bool measured = code == EXIT_DONE || code == EXIT_UNMEASURED || code == EXIT_DEVICE || code == EXIT_WRONG;
    json_t *kept = words_json(&words);
    if (status != DUEL_OK)
        code = message_refusal(status, &why);
    else if (measured)
        code = keep(options, root, out, (int)options->sessions, kept);
    directory_remove(out);
    json_decref(kept);
    words_free(&given);
    words_free(&words);
    return code;
}

/* Whatever can be known to be wrong is known before minutes are spent. */
static enum duel_status check_new(const struct duel_options *options, const char *root, struct duel_why *why)
{
    struct baseline there;
    struct duel_why none;
    char here[200], machine[24];
    baseline_machine(baselines_here(here, sizeof here), machine, sizeof machine);
    enum duel_status status = baseline_check_name(options->pattern[1], why);
    if (status == DUEL_OK && !options->from && options->sessions < BASELINE_LEAST_SESSIONS)
        status = duel_fail(why, DUEL_EINVAL, "the scatter between sessions is what later runs are judged by",
                           "give 5 or more", "--sessions %lld; a baseline has at least %d",
                           (long long)options->sessions, BASELINE_LEAST_SESSIONS);
    if (status == DUEL_OK && options->from && options->pattern_count > 2)
        status = duel_fail(why, DUEL_EINVAL, "a run that is there already has its cases", "leave it out, or --from",
                           "%s together with --from", options->pattern[2]);
    if (status == DUEL_OK && baseline_find(root, options->pattern[1], machine, &there, &none) == DUEL_OK) {
        if (!options->from && strcmp(there.machine, machine) == 0)
            status = duel_fail(why, DUEL_EINVAL,
                               "a baseline is never replaced: what was compared with it would lose its base",
                               "give another name, or remove it first: duel baseline rm NAME",
                               "there is a baseline %s already", there.name);
        baseline_free(&there);
    }
    return status;
}

static int save(const struct duel_options *options, const char *root)
{
    struct duel_why why = {{0}, {0}, {0}};
    if (check_new(options, root, &why) != DUEL_OK)
        return message_error(DUEL_EINVAL, &why);
    return options->from ? keep(options, root, options->from, BASELINE_LEAST_SESSIONS, NULL) : measure(options, root);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static const struct action {
    const char *name;
    int least, most; /* words */
    int (*run)(const struct duel_options *options, const char *root);
} actions[] = {{"save", 2, DUEL_MAX_PATTERNS, save},
               {"list", 1, 1, baselines_list},
               {"show", 2, 2, baselines_show},
               {"rm", 2, 2, baselines_rm}};

static int run(const struct duel_options *options, const char *command_line)
{
    char root[PATH_MAX];
    struct duel_why why = {{0}, {0}, {0}};
    const char *word = options->pattern_count > 0 ? options->pattern[0] : "";
    (void)command_line;
    enum duel_status status = baseline_root(options->dir, root, sizeof root, &why);
    if (status != DUEL_OK)
        return message_error(status, &why);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, word) == 0 && options->pattern_count >= actions[i].least &&
            options->pattern_count <= actions[i].most)
            return actions[i].run(options, root);
    duel_fail(
        &why, DUEL_EINVAL, "nothing was done",
        "duel baseline save NAME [PATTERN...], duel baseline list, duel baseline show NAME, or duel baseline rm NAME",
        "%s%s with %d argument%s", *word ? "duel baseline " : "duel baseline", word,
        options->pattern_count > 1 ? options->pattern_count - 1 : 0, options->pattern_count == 2 ? "" : "s");
    return message_error(DUEL_EINVAL, &why);
}

static const char *const accepted[] = {"--dir",         "--from",      "--sessions=5", "--n",      "--shape",
                                       "--device",      "--precision", "--threads",    "--alpha",  "--beta",
                                       "--target-ci",   "--data",      "--cache",      "--order",  "--host-memory",
                                       "--min-samples", "--min-time",  "--timeout",    "--budget", "--samples",
                                       "--seed",        "--reuse",     "--base",       "--quiet",  NULL};
const struct duel_command baseline_command = {
    .name = "baseline",
    .summary = "Keep sessions to compare with after an update: save, list, show, rm",
    .usage = "baseline save NAME [PATTERN...] [OPTIONS] | list | show NAME | rm NAME",
    .example = "duel baseline save before-update gemm --n 512,2048",
    .detail =
        "save runs what `duel run` would (without a PATTERN: gemm), in five fresh processes, and keeps every sample "
        "with\n"
        "the noise floor of each case: what the same code shows against itself. It refuses sessions that failed (exit\n"
        "status 3 or 6), were disturbed by other work, are too noisy, or were throttled (4), and says why. Baselines\n"
        "belong to the machine: its CPU, cores, size of memory; not to driver, kernel or clocks, which may change.",
    .options = accepted,
    .patterns = true,
    .computes = true,
    .run = run,
};
