/* gate_again.c: what is suspect is measured a second time, and only what is slower both times fails. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands/gate.h"
#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"
#include "bench/record/directory.h"
#include "bench/workload/shape.h"

/* What a suspect's own measurement says differently from the whole. */
static const char *const case_options[] = {"--n",       "--shape",    "--device", "--precision",
                                           "--threads", "--sessions", "--budget", NULL};

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

/* Slower must be found twice, each time by sessions of its own. What was inconclusive gets more of them, and is slower
 * only if these say so alone, too: it was picked out of many. */
static void confirm(const struct gate *gate, struct judge_cell *cell, const struct judge_case *fresh)
{
    const struct judge_finding first = cell->finding;
    const bool slower = first.verdict == JUDGE_SLOWER;
    char change[24];
    if (!judge_again(gate, cell, fresh, slower))
        return;
    const struct judge_finding second = cell->finding;
    if (!slower && second.verdict == JUDGE_SLOWER && !judge_again(gate, cell, fresh, true))
        return;
    cell->confirmed = second.verdict == JUDGE_SLOWER && cell->finding.verdict == JUDGE_SLOWER;
    if (!slower)
        cell->finding = second.verdict == JUDGE_SLOWER && !cell->confirmed ? first : second;
    else if (!cell->confirmed)
        snprintf(cell->note, sizeof cell->note, "%s at first, which a second measurement did not confirm",
                 verdicts_change(first.ratio, change, sizeof change));
}

/* Slower once is no verdict, and a case that is gone is no pass. */
static void give_up(struct gate *gate, struct judge_cell *cell)
{
    char change[24];
    if (cell->finding.verdict != JUDGE_SLOWER || cell->confirmed)
        return;
    snprintf(cell->note, sizeof cell->note, "%s at first; it could not be measured a second time",
             verdicts_change(cell->finding.ratio, change, sizeof change));
    cell->finding.verdict = JUDGE_INCOMPARABLE;
    gate->comparison->lost++;
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

enum duel_status gate_look_again(struct gate *gate, struct duel_why *why)
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
    for (size_t i = 0; i < comparison->count; i++)
        give_up(gate, &comparison->cell[i]);
    comparison_count(comparison);
    return status;
}
