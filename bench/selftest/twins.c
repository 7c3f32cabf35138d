/* twins.c: identical code must not be called different, and a slow-down of 5 % must be found.
 *
 * The slow-down is honest: the slower twin runs the same kernel, takes its time, and then waits for 5 % of it. It is
 * slower by that, whatever the machine does meanwhile. */
#include "bench/selftest/twins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/harness/disturbance.h"
#include "bench/selftest/tests.h"
#include "bench/stats/paired.h"

/* ---- the twins -------------------------------------------------------------------------------------------- */

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* C = A B; only for alpha 1 and beta 0, which is all that is asked of it. */
static enum duel_status run_plain(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const float *A = call->operand[DUEL_A], *B = call->operand[DUEL_B];
    float *C = call->operand[DUEL_C];
    for (int64_t i = 0; i < p->m; i++) {
        float *c = C + i * p->ld[DUEL_C];
        memset(c, 0, (size_t)p->n * sizeof *c);
        for (int64_t l = 0; l < p->k; l++) {
            const float a = A[i * p->ld[DUEL_A] + l], *b = B + l * p->ld[DUEL_B];
            for (int64_t j = 0; j < p->n; j++)
                c[j] += a * b[j];
        }
    }
    return DUEL_OK;
}

static enum duel_status run_slowed(const struct duel_call *call)
{
    const double start = clock_now();
    enum duel_status status = run_plain(call);
    const double end = start + (1 + TWINS_SLOWER) * (clock_now() - start);
    while (clock_now() < end)
        ;
    return status;
}

#define TWIN(file, text, function)                                                                           \
    {                                                                                                        \
        .name = "cpu/gemm/" file, .doc = text, .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}}, .run = function \
    }
static const struct duel_impl plain = TWIN("plain", "The first twin.", run_plain);
static const struct duel_impl again = TWIN("again", "The second twin: the same code.", run_plain);
static const struct duel_impl slowed = TWIN("slowed", "The same code, and then a wait.", run_slowed);

/* ---- measuring them --------------------------------------------------------------------------------------- */

void twins_runner(struct duel_runner *runner, uint64_t seed)
{
    memset(runner, 0, sizeof *runner);
    runner->options.rules = (struct duel_sampler_rules){.target_ci = 0.01,
                                                        .min_samples = 10,
                                                        .max_samples = 1000,
                                                        .min_time_s = 0.1,
                                                        .timeout_s = 1.5,
                                                        .warmup_s = 0.05,
                                                        .warmup_max_s = 0.25};
    runner->options.seed = seed;
    runner->options.reuse = 1;
    runner->options.interruptions = disturbance_count;
    runner->options.read_s = NAN;
    runner->options.deadline = INFINITY;
}

void twins_measure(struct duel_place *place, int64_t n, uint64_t seed, struct twin_cell *cell)
{
    enum { FIRST, SECOND, SLOWED, CASES };
    const struct duel_impl *const impl[CASES] = {&plain, &again, &slowed};
    struct duel_case cases[CASES];
    struct duel_result results[CASES];
    struct duel_group group = {
        .workload = workload_find("gemm", 4), .problem = {.m = n, .n = n, .k = n}, .cases = cases, .count = CASES};
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_runner *runner = malloc(sizeof *runner);
    *cell = (struct twin_cell){.n = n, .same = {NAN, NAN, NAN}, .slowed = {NAN, NAN, NAN}};
    if (!runner) {
        snprintf(cell->reason, sizeof cell->reason, "out of memory");
        return;
    }
    twins_runner(runner, seed);
    runner->options.base = plain.name;
    for (int i = 0; i < CASES; i++)
        cases[i] = (struct duel_case){place, impl[i], impl[i]->name, selftest_problem(n, n, n), 1, ""};
    cell->measured = runner_group(runner, &group, results, &why) == DUEL_OK;
    for (int i = 0; i < CASES && cell->measured; i++)
        if (results[i].status != ROW_OK) {
            cell->measured = false;
            snprintf(why.seen, sizeof why.seen, "%.300s", results[i].reason);
        }
    if (cell->measured) {
        cell->same = results[SECOND].speedup_kernel;
        cell->slowed = results[SLOWED].speedup_kernel;
    }
    snprintf(cell->reason, sizeof cell->reason, "%.239s", cell->measured ? "" : why.seen);
    for (int i = 0; i < CASES; i++)
        result_free(&results[i]);
    free(runner);
}

/* ---- two tests share them --------------------------------------------------------------------------------- */

struct twins {
    struct twin_cell cell[4];
    int count;
};

static const struct twins *measured(struct selftest_scene *scene)
{
    static const int64_t sizes[] = {48, 64, 80, 96};
    const int most = scene->n > 0 ? 1 : (int)(sizeof sizes / sizeof *sizes);
    if (!scene->twins)
        scene->twins = calloc(1, sizeof *scene->twins);
    for (struct twins *twins = scene->twins; twins && twins->count < most; twins->count++) {
        selftest_doing(scene, "comparing code with itself, and with itself made slower", twins->count / (double)most);
        twins_measure(scene->place, scene->n > 0 ? scene->n : sizes[twins->count], scene->seed + (uint64_t)twins->count,
                      &twins->cell[twins->count]);
    }
    return scene->twins;
}

void twins_free(struct twins *twins)
{
    free(twins);
}

/* How many cells got each verdict, and the cell that says most against the test. */
struct tally {
    int verdict[4], unmeasured, count;
    struct duel_ratio worst;
    int64_t n;
    const char *reason;
};

static struct tally tally_of(const struct twins *twins, bool of_slowed)
{
    struct tally tally = {.worst = {NAN, NAN, NAN}};
    for (int i = 0; twins && i < twins->count; i++) {
        const struct twin_cell *cell = &twins->cell[i];
        const struct duel_ratio *ratio = of_slowed ? &cell->slowed : &cell->same;
        double truth = of_slowed ? 1 / (1 + TWINS_SLOWER) : 1;
        tally.count++;
        tally.unmeasured += !cell->measured;
        tally.reason = cell->measured ? tally.reason : cell->reason;
        tally.verdict[stats_verdict(ratio->value, ratio->lo, ratio->hi, STATS_THRESHOLD)]++;
        if (cell->measured && !(fabs(ratio->value - truth) <= fabs(tally.worst.value - truth))) {
            tally.worst = *ratio;
            tally.n = cell->n;
        }
    }
    return tally;
}

static const char noise_matters[] = "differences of some percent cannot be told apart here at this moment";
static const char noise_next[] = "`duel doctor` names what disturbs; free the machine and repeat";

void test_same_code(struct selftest_scene *scene, struct selftest_finding *finding)
{
    const struct tally tally = tally_of(measured(scene), false);
    int different = tally.verdict[DUEL_FASTER] + tally.verdict[DUEL_SLOWER];
    if (tally.count == 0 || tally.unmeasured > 0)
        selftest_found(finding, SELFTEST_FALSE, NAN, "the runner could not measure a right implementation",
                       "`duel verify` and `duel doctor` may tell why", "%s", tally.count ? tally.reason : "no memory");
    else
        selftest_found(finding,
                       different > 0                   ? SELFTEST_FALSE
                       : tally.verdict[DUEL_SAME] == 0 ? SELFTEST_NOISY
                                                       : SELFTEST_TRUE,
                       tally.worst.value, different ? "differences are claimed that do not exist" : noise_matters,
                       noise_next, "%d of %d sizes called different; furthest from 1: %.4f [%.4f, %.4f] at n = %lld",
                       different, tally.count, tally.worst.value, tally.worst.lo, tally.worst.hi, (long long)tally.n);
}

void test_slowed_code(struct selftest_scene *scene, struct selftest_finding *finding)
{
    const struct tally tally = tally_of(measured(scene), true);
    int found = tally.verdict[DUEL_SLOWER], denied = tally.verdict[DUEL_SAME] + tally.verdict[DUEL_FASTER];
    if (tally.count == 0 || tally.unmeasured > 0)
        selftest_found(finding, SELFTEST_FALSE, NAN, "the runner could not measure a right implementation",
                       "`duel verify` and `duel doctor` may tell why", "%s", tally.count ? tally.reason : "no memory");
    else
        selftest_found(finding,
                       denied > 0            ? SELFTEST_FALSE
                       : found < tally.count ? SELFTEST_NOISY
                                             : SELFTEST_TRUE,
                       tally.worst.value, denied ? "a real loss of 5 % would be denied" : noise_matters, noise_next,
                       "in %d of %d sizes; furthest from 1/1.05 = %.4f: %.4f [%.4f, %.4f] at n = %lld", found,
                       tally.count, 1 / (1 + TWINS_SLOWER), tally.worst.value, tally.worst.lo, tally.worst.hi,
                       (long long)tally.n);
}
