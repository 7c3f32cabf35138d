/* baseline_examine.c: are sessions good enough to be a baseline? What is compared with bad ones would always look
 * better, or be hidden in their noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge/baseline.h"
#include "bench/judge/comparison.h"
#include "bench/judge/judge.h"

#define LIMITED_MOST 0.1 /* of the time: so much less may be the ramp at the start of a run */
#define NOISE_MOST 0.15  /* a noise floor beyond it would hide what anybody wants to find */

static enum baseline_fault check_rows(const struct judge_side *side, struct duel_why *why)
{
    char name[300];
    for (size_t i = 0; i < side->count; i++) {
        const struct judge_case *item = &side->item[i];
        for (size_t r = 0; r < item->rows; r++) {
            if (item->row[r].status != ROW_FAILED)
                continue;
            duel_fail(why, DUEL_EVERIFY, "what is wrong or does not run can be no base of a comparison",
                      "mend it, or leave it out of the baseline: name what to run", "session %d: %.150s: %.150s",
                      item->row[r].session, comparison_case(item, JUDGE_KERNEL, name, sizeof name), item->reason);
            return item->row[r].cause == DUEL_EVERIFY ? BASELINE_WRONG : BASELINE_FAILED;
        }
    }
    return BASELINE_FIT;
}

static enum baseline_fault check_clocks(const struct judge_side *side, struct duel_why *why)
{
    for (int i = 0; i < side->devices; i++) {
        const struct judge_device *device = &side->device[i];
        if (!(device->throttled_share > LIMITED_MOST))
            continue;
        duel_fail(why, DUEL_SKIP, "a throttled baseline makes everything after it look faster",
                  "let it cool down, see `duel doctor`, and save again",
                  "%s: the clock of %s was held back in %.0f %% of the readings", device->throttled_where, device->id,
                  100 * device->throttled_share);
        return BASELINE_THROTTLED;
    }
    return BASELINE_FIT;
}

static size_t timed_rows(const struct judge_case *item, bool clean)
{
    size_t count = 0;
    for (size_t i = 0; i < item->rows; i++)
        count += !isnan(item->row[i].time_s[JUDGE_KERNEL]) && (!clean || item->row[i].clean);
    return count;
}

double baseline_noise(const struct judge_case *item)
{
    double *times = calloc(2 * item->rows + 1, sizeof *times);
    bool clocked;
    const size_t count = times ? side_times(item, JUDGE_KERNEL, times, times + item->rows, &clocked) : 0;
    const double noise = judge_noise(times, count);
    free(times);
    return noise;
}

static enum baseline_fault check_noise(const struct judge_side *side, struct duel_why *why)
{
    char name[300];
    for (size_t i = 0; i < side->count; i++) {
        const struct judge_case *item = &side->item[i];
        const size_t timed = timed_rows(item, false), clean = timed_rows(item, true);
        const double noise = baseline_noise(item);
        comparison_case(item, JUDGE_KERNEL, name, sizeof name);
        if (timed > 0 && 2 * clean <= timed)
            duel_fail(why, DUEL_SKIP, "a disturbed baseline says nothing about the machine alone",
                      "end other programs, see `duel doctor`, and save again",
                      "%.180s: other work interrupted it in %zu of %zu sessions", name, timed - clean, timed);
        else if (noise > NOISE_MOST)
            duel_fail(why, DUEL_SKIP, "changes smaller than that could not be told from noise",
                      "end other programs, see `duel doctor`, or measure longer: --min-time 1s",
                      "%.180s: the same code differs by %.0f %% between groups of sessions", name, 100 * noise);
        else
            continue;
        return BASELINE_NOISY;
    }
    return BASELINE_FIT;
}

static enum baseline_fault check_whole(const struct judge_side *side, int wanted, struct duel_why *why)
{
    const char *outcome = reader_text(side->end, "outcome");
    size_t timed = 0;
    for (size_t i = 0; i < side->count; i++)
        timed += timed_rows(&side->item[i], false) > 0;
    if (side->sessions < wanted)
        duel_fail(why, DUEL_SKIP, "the scatter between sessions is what later runs are judged by",
                  "measure again, and let it end: duel baseline save NAME", "%d of %d sessions are there",
                  side->sessions, wanted);
    else if (timed == 0)
        duel_fail(why, DUEL_SKIP, "there is nothing to compare later runs with",
                  "choose what runs here: `duel list` shows it", "none of %zu cases has a time", side->count);
    else if (!outcome || strcmp(outcome, "interrupted") == 0)
        duel_fail(why, DUEL_SKIP, "cases may be missing", "measure again, and let it end", "the run %s",
                  outcome ? "was interrupted" : "has no end: it was cut off");
    else
        return BASELINE_FIT;
    return BASELINE_FAILED;
}

enum baseline_fault baseline_examine(const struct judge_side *side, int wanted, struct duel_why *why)
{
    enum baseline_fault fault = check_rows(side, why);
    if (fault == BASELINE_FIT)
        fault = check_whole(side, wanted, why);
    if (fault == BASELINE_FIT)
        fault = check_clocks(side, why);
    return fault == BASELINE_FIT ? check_noise(side, why) : fault;
}
