/* rates.c: how often is the verdict wrong? A hundred comparisons of code with itself, and a hundred with itself made
 * slower by 5 %, each from several sessions, which are fresh processes: chance places code and data anew in each. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness/interrupt.h"
#include "bench/judge/judge.h"
#include "bench/selftest/process.h"
#include "bench/selftest/tests.h"

enum { CELLS = 100, SESSIONS = 5, SMALLEST = 32, FALSE_MOST = 1, FOUND_LEAST = 95 };

/* Ratios of one cell, one of each session. */
struct cell {
    double same[SESSIONS], slowed[SESSIONS];
};

static double value_of(const json_t *object, const char *name)
{
    const json_t *tests = json_object_get(object, "tests"), *test;
    size_t i;
    json_array_foreach(tests, i, test)
    {
        const char *found = json_string_value(json_object_get(test, "name"));
        if (found && strcmp(found, name) == 0)
            return json_is_number(json_object_get(test, "value")) ? json_number_value(json_object_get(test, "value"))
                                                                  : NAN;
    }
    return NAN;
}

/* One session of one cell: `duel selftest` itself, in a new process. false when it told nothing. */
static bool run_session(const struct selftest_scene *scene, int cell, int session, double *same, double *slowed)
{
    char size[24], seed[24];
    struct process_outcome outcome;
    struct duel_why why;
    snprintf(size, sizeof size, "%d", SMALLEST + cell / 2); /* short kernels: less than one turn of a busy CPU */
    snprintf(seed, sizeof seed, "%d", 1 + cell * SESSIONS + session);
    char *const arguments[] = {"duel",   "selftest", "same_code", "slowed_code", "--n",     size,
                               "--seed", seed,       "--json",    "-",           "--quiet", NULL};
    *same = *slowed = NAN;
    if (process_run(scene->program, arguments, PROCESS_TEXT, &outcome, &why) == DUEL_OK && outcome.text) {
        json_t *object = json_loads(outcome.text, 0, NULL);
        *same = value_of(object, "same_code");
        *slowed = value_of(object, "slowed_code");
        json_decref(object);
    }
    free(outcome.text);
    return !isnan(*same) && !isnan(*slowed);
}

/* As `duel compare` judges them: all cells of a kind together. Each session compared the two sides with each other, so
 * its ratio is a time of B where that of A is 1. false: out of memory. */
static bool verdicts_of(const struct cell *cells, bool slowed, struct judge_finding *finding)
{
    struct judge_finding *all[CELLS];
    for (int c = 0; c < CELLS; c++) {
        const double *ratio = slowed ? cells[c].slowed : cells[c].same;
        double a[SESSIONS], b[SESSIONS];
        for (int s = 0; s < SESSIONS; s++) {
            a[s] = 1;
            b[s] = 1 / ratio[s];
        }
        judge_case(a, SESSIONS, b, SESSIONS, &judge_usual_limits, &finding[c]);
        all[c] = &finding[c];
    }
    return judge_together(all, CELLS, &judge_usual_limits);
}

static void judge(const struct cell *cells, int lost, struct selftest_finding *finding)
{
    struct judge_finding of_same[CELLS], of_slowed[CELLS];
    int wrong = 0, same = 0, found = 0, denied = 0;
    if (!verdicts_of(cells, false, of_same) || !verdicts_of(cells, true, of_slowed)) {
        selftest_found(finding, SELFTEST_FALSE, NAN, "nothing was judged", "close other programs", "out of memory");
        return;
    }
    for (int c = 0; c < CELLS; c++) {
        wrong += of_same[c].verdict == JUDGE_FASTER || of_same[c].verdict == JUDGE_SLOWER;
        same += of_same[c].verdict == JUDGE_SAME;
        found += of_slowed[c].verdict == JUDGE_SLOWER;
        denied += of_slowed[c].verdict == JUDGE_SAME || of_slowed[c].verdict == JUDGE_FASTER;
    }
    bool lies = wrong > FALSE_MOST || denied > 0;
    selftest_found(finding,
                   lies                              ? SELFTEST_FALSE
                   : found < FOUND_LEAST || lost > 0 ? SELFTEST_NOISY
                                                     : SELFTEST_TRUE,
                   wrong,
                   lies ? "verdicts of `duel compare` are wrong more often than they may"
                        : "losses of 5 % are overlooked here at this moment",
                   "`duel doctor` names what disturbs; free the machine and repeat",
                   "of %d times %d sessions, code against itself: %d called different (at most %d), %d the same; 5 %% "
                   "slower: %d found (at least %d), %d denied; %d sessions lost",
                   CELLS, SESSIONS, wrong, FALSE_MOST, same, found, FOUND_LEAST, denied, lost);
}

/* Sessions outside, cells inside: whatever changes on the machine in these minutes meets all cells. */
void test_rates(struct selftest_scene *scene, struct selftest_finding *finding)
{
    struct cell *cells = calloc(CELLS, sizeof *cells);
    int lost = 0;
    if (!cells) {
        selftest_found(finding, SELFTEST_FALSE, NAN, "nothing was measured", "close other programs", "out of memory");
        return;
    }
    for (int s = 0; s < SESSIONS; s++)
        for (int c = 0; c < CELLS && !interrupt_pending(); c++) {
            selftest_doing(scene, "error rates, in fresh processes", (s * CELLS + c) / (double)(SESSIONS * CELLS));
            lost += !run_session(scene, c, s, &cells[c].same[s], &cells[c].slowed[s]);
        }
    if (interrupt_pending())
        selftest_found(finding, SELFTEST_ABSENT, NAN, NULL, NULL, "interrupted");
    else
        judge(cells, lost, finding);
    free(cells);
}
