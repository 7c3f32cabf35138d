/* verdicts.c: a comparison in one line, and as an exit code. */
#include "bench/commands/verdicts.h"

#include <math.h>
#include <string.h>

const char *verdicts_change(double ratio, char *text, size_t size)
{
    if (!isfinite(ratio))
        snprintf(text, size, "%s", "");
    else if (ratio >= 2)
        snprintf(text, size, "x %.3g", ratio);
    else
        snprintf(text, size, "%+.1f %%", fabs(ratio - 1) < 0.0005 ? 0.0 : 100 * (ratio - 1));
    return text;
}

const char *verdicts_interval(const struct judge_finding *finding, char *text, size_t size)
{
    char lo[24], hi[24];
    *text = '\0';
    if (isfinite(finding->lo) && isfinite(finding->hi))
        snprintf(text, size, "%s to %s", verdicts_change(finding->lo, lo, sizeof lo),
                 verdicts_change(finding->hi, hi, sizeof hi));
    return text;
}

static void cycles_remark(const struct judge_cell *cell, char *text, size_t size)
{
    char clock[24], cycles[24];
    verdicts_change(cell->clock_ratio, clock, sizeof clock);
    if (cell->by_clocks)
        snprintf(text, size, "%s because of clocks (%s): the same in cycles", judge_verdict_name(cell->finding.verdict),
                 clock);
    else
        snprintf(text, size, "in cycles %s (clocks %s)", verdicts_change(cell->cycles.ratio, cycles, sizeof cycles),
                 clock);
}

static void further_remark(const struct judge_finding *finding, char *text, size_t size)
{
    const size_t fewer = finding->sessions[0] < finding->sessions[1] ? finding->sessions[0] : finding->sessions[1];
    const char *why = fewer == 1 ? "one session says nothing about others; " : "";
    if (finding->further < 0)
        snprintf(text, size, "%smore than %d further sessions would be needed", why, JUDGE_MOST_FURTHER);
    else
        snprintf(text, size, "%s%d further session%s on each side may tell", why, finding->further,
                 finding->further == 1 ? "" : "s");
}

const char *verdicts_remark(const struct judge_cell *cell, char *text, size_t size)
{
    *text = '\0';
    if (cell->finding.verdict == JUDGE_INCOMPARABLE)
        snprintf(text, size, "%s", cell->note);
    else if (cell->finding.verdict == JUDGE_INCONCLUSIVE)
        further_remark(&cell->finding, text, size);
    else if (cell->cycles.verdict != JUDGE_INCOMPARABLE)
        cycles_remark(cell, text, size);
    return text;
}

const char *verdicts_brief(const struct judge_cell *cell, char *text, size_t size)
{
    const struct judge_finding *finding = &cell->finding;
    char change[24];
    if (finding->verdict == JUDGE_INCONCLUSIVE && finding->further < 0)
        snprintf(text, size, "too noisy, or at the threshold");
    else if (finding->verdict == JUDGE_INCONCLUSIVE)
        snprintf(text, size, "needs %d more session%s", finding->further, finding->further == 1 ? "" : "s");
    else if (cell->by_clocks)
        snprintf(text, size, "because of clocks, %s", verdicts_change(cell->clock_ratio, change, sizeof change));
    else if (finding->verdict != JUDGE_INCOMPARABLE && cell->cycles.verdict != JUDGE_INCOMPARABLE)
        snprintf(text, size, "in cycles %s", verdicts_change(cell->cycles.ratio, change, sizeof change));
    else
        snprintf(text, size, "%s", finding->verdict == JUDGE_INCOMPARABLE ? cell->note : "");
    return text;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static size_t judged(const struct judge_comparison *comparison)
{
    return comparison->count - comparison->tally[JUDGE_INCOMPARABLE];
}

bool verdicts_fails(const struct verdicts *verdicts, const struct judge_cell *cell)
{
    return cell->finding.verdict == JUDGE_SLOWER || (cell->finding.verdict == JUDGE_INCONCLUSIVE &&
                                                     verdicts->options->on_inconclusive == DUEL_INCONCLUSIVE_FAIL);
}

/* A wrong answer is worse than a slow one, and that than none. */
int verdicts_code(const struct verdicts *verdicts)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    if (comparison->wrong > 0)
        return EXIT_WRONG;
    if (comparison->tally[JUDGE_SLOWER] > 0 || (comparison->numerics > 0 && verdicts->options->on_numeric))
        return EXIT_REGRESSION;
    if (comparison->broken > 0)
        return EXIT_DEVICE;
    if (judged(comparison) == 0 || comparison->lost > 0 || (verdicts->whole && comparison->only_a > 0))
        return EXIT_INCOMPARABLE;
    if (comparison->tally[JUDGE_INCONCLUSIVE] > 0 && verdicts->options->on_inconclusive == DUEL_INCONCLUSIVE_FAIL)
        return EXIT_UNMEASURED;
    return EXIT_DONE;
}

/* The largest change of this kind. */
static const struct judge_cell *worst(const struct judge_comparison *comparison, enum judge_verdict verdict)
{
    const struct judge_cell *worst = NULL;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct judge_cell *cell = &comparison->cell[i];
        if (cell->finding.verdict == verdict &&
            (!worst || fabs(log(cell->finding.ratio)) > fabs(log(worst->finding.ratio))))
            worst = cell;
    }
    return worst;
}

static bool all_by_clocks(const struct judge_comparison *comparison, enum judge_verdict verdict)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->cell[i].finding.verdict == verdict && !comparison->cell[i].by_clocks)
            return false;
    return true;
}

static const char *headline(const struct verdicts *verdicts)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    const size_t *tally = comparison->tally;
    if (comparison->wrong > 0)
        return "WRONG RESULT";
    if (comparison->broken > 0 && tally[JUDGE_SLOWER] == 0)
        return "FAILED";
    if (tally[JUDGE_SLOWER] > 0)
        return all_by_clocks(comparison, JUDGE_SLOWER) ? "SLOWER BECAUSE OF CLOCKS" : "SLOWER";
    if (judged(comparison) == 0)
        return "NOT COMPARABLE";
    if (comparison->lost > 0 || (verdicts->whole && comparison->only_a > 0))
        return "INCOMPLETE";
    if (tally[JUDGE_INCONCLUSIVE] == judged(comparison))
        return "INCONCLUSIVE";
    if (tally[JUDGE_INCONCLUSIVE] > 0)
        return tally[JUDGE_FASTER] > 0 ? "FASTER, AND SOME INCONCLUSIVE" : "NO CHANGE FOUND, SOME INCONCLUSIVE";
    return tally[JUDGE_FASTER] > 0 ? "FASTER" : "THE SAME";
}

static size_t add_count(char *text, size_t size, size_t used, size_t count, const char *words)
{
    if (count > 0 && used < size)
        used += (size_t)snprintf(text + used, size - used, ", %zu %s", count, words);
    return used;
}

void verdicts_line(const struct verdicts *verdicts, char *text, size_t size)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    const size_t *tally = comparison->tally;
    const enum judge_verdict kind = tally[JUDGE_SLOWER] > 0 ? JUDGE_SLOWER : JUDGE_FASTER;
    const struct judge_cell *most = worst(comparison, kind);
    char name[300], change[24];
    size_t used = (size_t)snprintf(text, size, "%s: of %zu timings %zu slower, %zu faster, %zu the same within %.3g %%",
                                   headline(verdicts), comparison->count, tally[JUDGE_SLOWER], tally[JUDGE_FASTER],
                                   tally[JUDGE_SAME], 100 * comparison->limits.threshold);
    used = add_count(text, size, used, tally[JUDGE_INCONCLUSIVE], "inconclusive");
    used = add_count(text, size, used, tally[JUDGE_INCOMPARABLE], "not comparable");
    used =
        add_count(text, size, used, comparison->numerics, comparison->numerics == 1 ? "other answer" : "other answers");
    if (most && used < size)
        snprintf(text + used, size - used, "; the most: %s: %s",
                 comparison_case(most->a, most->metric, name, sizeof name),
                 verdicts_change(most->finding.ratio, change, sizeof change));
}
