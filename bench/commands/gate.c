/* gate.c: measure again, compare with a baseline, measure what is suspect a second time, and say pass or fail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands/baselines.h"
#include "bench/commands/verdicts.h"
#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"
#include "bench/record/directory.h"
#include "bench/workload/shape.h"

/* What a suspect's own measurement says differently from the whole. */
static const char *const case_options[] = {"--n",       "--shape",    "--device", "--precision",
                                           "--threads", "--sessions", "--budget", NULL};

struct gate {
    const struct duel_options *options;
    struct judge_comparison *comparison;
    struct words words; /* after `duel run`, as the baseline was measured */
    int64_t sessions;
};

/* ---- suspects --------------------------------------------------------------------------------------------------- */

static bool is_suspect(const struct gate *gate, const struct judge_cell *cell)
{
    const bool rerun = gate->options->on_inconclusive == DUEL_INCONCLUSIVE_RERUN;
    return cell->finding.verdict == JUDGE_SLOWER || (rerun && cell->finding.verdict == JUDGE_INCONCLUSIVE);
}

/* Suspects that one run can measure without measuring anything else: the same size, type, threads and device. */
static bool together(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->workload, b->workload) == 0 && shape_same(&a->problem, &b->problem) &&
           a->problem.types.in == b->problem.types.in && a->threads == b->threads && strcmp(a->device, b->device) == 0;
}

static bool has(const struct words *words, const char *option)
{
    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->word[i], option, strlen(option)) == 0)
            return true;
    return false;
}

static void add_case(struct words *words, const struct duel_result *key, const char *device, bool threads)
{
    char text[120];
    words_add(words, shape_by_n(key->workload, &key->problem) ? "--n" : "--shape");
    words_add(words, shape_typed(key->workload, &key->problem, text, sizeof text));
    words_add(words, "--precision");
    words_add(words, dtype_name(key->problem.types.in));
    words_add(words, "--device");
    words_add(words, device);
    snprintf(text, sizeof text, "%d", key->threads);
    if (threads && key->threads > 0) {
        words_add(words, "--threads");
        words_add(words, text);
    }
}

/* The words for one group: those of the baseline, with the suspects in place of its patterns. */
static void group_words(const struct gate *gate, size_t first, const bool *suspect, struct words *words)
{
    const struct judge_comparison *comparison = gate->comparison;
    const struct judge_cell *lead = &comparison->cell[first];
    words_add_without(words, &gate->words, case_options, DUEL_MAX_PATTERNS);
    add_case(words, &lead->a->key, lead->b->key.device,
             has(&gate->words, "--threads")); /* the card may have another number now */
    const struct judge_case *last = NULL;
    for (size_t i = first; i < comparison->count; i++) {
        const struct judge_cell *cell = &comparison->cell[i];
        if (suspect[i] && cell->a != last && together(&lead->a->key, &cell->a->key))
            words_add(words, cell->a->key.implementation);
        last = suspect[i] ? cell->a : last;
    }
}

/* ---- a second look ---------------------------------------------------------------------------------------------- */

/* Times of the second measurement alone, or after those of the first. */
static bool judge_again(const struct gate *gate, struct judge_cell *cell, const struct judge_case *fresh, bool alone)
{
    const size_t most = cell->a->rows + cell->b->rows + fresh->rows;
    double *a = calloc(4 * most + 1, sizeof *a), *b = a ? a + most : NULL, *clocks = a ? b + most : NULL;
    bool clocked;
    if (!a)
        return false;
    const size_t before = side_times(cell->a, cell->metric, a, clocks, &clocked);
    size_t after = alone ? 0 : side_times(cell->b, cell->metric, b, clocks, &clocked);
    after += side_times(fresh, cell->metric, b + after, clocks, &clocked);
    judge_case(a, before, b, after, &gate->comparison->limits, &cell->finding);
    free(a);
    return true;
}

/* Slower must be found twice, each time by sessions of its own; what was inconclusive gets more of them. */
static void confirm(const struct gate *gate, struct judge_cell *cell, const struct judge_case *fresh)
{
    const bool slower = cell->finding.verdict == JUDGE_SLOWER;
    const struct judge_finding first = cell->finding;
    char change[24];
    if (!judge_again(gate, cell, fresh, slower))
        return;
    cell->confirmed = slower && cell->finding.verdict == JUDGE_SLOWER;
    if (slower && !cell->confirmed)
        snprintf(cell->note, sizeof cell->note, "%s at first, which a second measurement did not confirm",
                 verdicts_change(first.ratio, change, sizeof change));
}

static void take_second(struct gate *gate, const char *out, bool *suspect)
{
    struct judge_comparison *comparison = gate->comparison;
    struct judge_side side;
    struct duel_why why = {{0}, {0}, {0}};
    size_t hint = 0;
    if (side_read(&side, out, out, &why) != DUEL_OK)
        message_error(DUEL_EIO, &why);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct judge_case *elsewhere, *fresh = side_find(&side, comparison->cell[i].a, &hint, &elsewhere);
        if (!suspect[i] || !fresh)
            continue;
        confirm(gate, &comparison->cell[i], fresh);
        suspect[i] = false;
    }
    side_free(&side);
}

/* Those of an earlier gate would look like this one's. */
static void forget_suspects(const struct gate *gate)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.3900s/suspects/1/run.jsonl", gate->options->out);
    if (access(path, F_OK) != 0)
        return;
    snprintf(path, sizeof path, "%.3900s/suspects", gate->options->out);
    directory_remove(path);
}

static enum duel_status look_again(struct gate *gate, struct duel_why *why)
{
    struct judge_comparison *comparison = gate->comparison;
    bool *suspect = calloc(comparison->count + 1, sizeof *suspect);
    enum duel_status status = suspect ? DUEL_OK : DUEL_ENOMEM;
    size_t suspects = 0;
    int group = 0, code;
    forget_suspects(gate);
    for (size_t i = 0; suspect && i < comparison->count; i++)
        suspects += suspect[i] = is_suspect(gate, &comparison->cell[i]);
    if (suspects > 0 && !gate->options->quiet)
        message_note("duel: %zu suspect%s measured again, to be sure", suspects, suspects == 1 ? " is" : "s are");
    for (size_t i = 0; suspect && i < comparison->count && status == DUEL_OK && !interrupt_pending(); i++) {
        struct words words = {NULL, 0, false};
        char out[PATH_MAX];
        if (!suspect[i])
            continue;
        snprintf(out, sizeof out, "%.3900s/suspects/%d", gate->options->out, ++group);
        group_words(gate, i, suspect, &words);
        status = baselines_measure(&words, gate->sessions, out, gate->options->quiet, &code, why);
        if (status == DUEL_OK && !interrupt_pending())
            take_second(gate, out, suspect);
        suspect[i] = false;
        words_free(&words);
    }
    free(suspect);
    comparison_count(comparison);
    return status;
}

/* ---- the gate --------------------------------------------------------------------------------------------------- */

static enum duel_status take_words(struct gate *gate, const struct baseline *baseline, struct duel_why *why)
{
    const json_t *words = json_object_get(baseline->record, "words"), *word;
    size_t i;
    if (!json_is_array(words))
        return duel_fail(why, DUEL_EINVAL, "it is not known how to measure the same again",
                         "measure as then, and use `duel compare`",
                         "the baseline %s does not tell which `duel run` "
                         "measured it",
                         baseline->name);
    json_array_foreach(words, i, word) words_add(&gate->words, json_is_string(word) ? json_string_value(word) : "");
    gate->sessions = gate->options->sessions;
    return DUEL_OK;
}

/* Minutes would be spent on numbers that cannot be compared. */
static int check_machine(const struct baseline *baseline)
{
    char here[200], machine[24];
    struct duel_why why;
    const char *there = reader_text(baseline->record, "machine");
    baselines_here(here, sizeof here);
    if (strcmp(baseline_machine(here, machine, sizeof machine), baseline->machine) == 0)
        return EXIT_DONE;
    duel_fail(&why, DUEL_SKIP, "times of two machines say nothing about an update",
              "save one here, before the update: duel baseline save NAME",
              "the baseline %s is of another machine: %.100s; this one: %.100s", baseline->name,
              there ? there : "unknown", here);
    message_error(DUEL_SKIP, &why);
    return EXIT_INCOMPARABLE;
}

static int conclude(struct gate *gate, const struct baseline *baseline)
{
    const struct duel_options *options = gate->options;
    struct duel_why why = {{0}, {0}, {0}};
    const char *const names[2] = {baseline->name, options->out}, *const paths[2] = {baseline->run, options->out};
    const struct verdicts verdicts = {
        .options = options, .comparison = gate->comparison, .before = names[0], .after = names[1], .whole = true};
    enum duel_status status = compare_sides(gate->comparison, options, names, paths, &why);
    if (status == DUEL_OK)
        status = look_again(gate, &why);
    if (interrupt_pending())
        return EXIT_SIGNAL + interrupt_pending();
    if (status == DUEL_OK && !options->quiet) {
        verdicts_print(&verdicts, verdicts_talk(options));
        fprintf(verdicts_talk(options), "Measured in %s; compared with the baseline %s.\n", options->out,
                baseline->name);
    }
    if (status == DUEL_OK)
        status = verdicts_write(&verdicts, &why);
    return status == DUEL_OK ? verdicts_code(&verdicts) : message_error(status, &why);
}

/* Rows that failed are a matter of the verdict; without a run there is none. */
static int measure(struct gate *gate, const struct baseline *baseline)
{
    struct duel_why why = {{0}, {0}, {0}};
    int code = EXIT_DONE;
    enum duel_status status =
        baselines_measure(&gate->words, gate->sessions, gate->options->out, gate->options->quiet, &code, &why);
    if (status != DUEL_OK)
        return message_refusal(status, &why);
    const bool measured = code == EXIT_DONE || code == EXIT_WRONG || code == EXIT_UNMEASURED || code == EXIT_DEVICE;
    return measured ? conclude(gate, baseline) : code;
}

static enum duel_status check(const struct duel_options *options, struct duel_why *why)
{
    if (!options->baseline)
        return duel_fail(why, DUEL_EINVAL, "there is nothing to compare with",
                         "name one: duel gate --baseline before-update; `duel baseline list` shows them",
                         "no --baseline");
    return verdicts_targets(options, why);
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct baseline baseline = {.record = NULL};
    struct duel_why why = {{0}, {0}, {0}};
    struct gate gate = {.options = options, .comparison = calloc(1, sizeof *gate.comparison)};
    (void)command_line;
    if (!gate.comparison)
        return message_error(DUEL_ENOMEM, &why);
    enum duel_status status = check(options, &why);
    if (status == DUEL_OK)
        status = baselines_find(options, options->baseline, &baseline, &why);
    if (status == DUEL_OK)
        status = take_words(&gate, &baseline, &why);
    int code = status == DUEL_OK ? check_machine(&baseline) : message_refusal(status, &why);
    if (code == EXIT_DONE)
        code = measure(&gate, &baseline);
    words_free(&gate.words);
    comparison_free(gate.comparison);
    free(gate.comparison);
    baseline_free(&baseline);
    return code;
}

static const char *const accepted[] = {
    "--baseline",         "--sessions=5", "--threshold", "--floor", "--on-inconclusive",
    "--on-numeric",       "--junit",      "--markdown",  "--json",  "--prometheus",
    "--out=reports/gate", "--dir",        "--quiet",     NULL};
const struct duel_command gate_command = {
    .name = "gate",
    .summary = "Measure again, compare with a baseline, confirm what is suspect: pass or fail",
    .usage = "gate --baseline NAME [OPTIONS]",
    .example = "duel gate --baseline before-update --junit gate.xml",
    .detail =
        "Measures what the baseline measured, in as many fresh processes, and compares. What is slower is measured a\n"
        "second time, alone: only what is slower both times fails. Exit status 0: nothing slower; 1: slower, "
        "confirmed;\n"
        "3: a wrong result; 4: inconclusive, with --on-inconclusive fail; 5: not comparable, or cases of the baseline\n"
        "could not be measured; 6: something failed.",
    .options = accepted,
    .computes = true,
    .run = run,
};
