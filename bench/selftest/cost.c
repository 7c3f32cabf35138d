/* cost.c: what the harness adds to what it measures. */
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/selftest/process.h"
#include "bench/selftest/tests.h"
#include "bench/selftest/twins.h"

static double clock_now(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- overhead of a sample --------------------------------------------------------------------------------- */

/* Work of a known length: longer than the shortest interval, so that each sample holds one run. The answer of a
 * 1 x 1 x 0 problem is zero. */
#define LENGTH_S 120e-6

static enum duel_status work(const struct duel_call *call, clockid_t clock)
{
    const double end = clock_now(clock) + LENGTH_S;
    *(float *)call->operand[DUEL_C] = 0;
    while (clock_now(clock) < end)
        ;
    return DUEL_OK;
}

/* The same time on the wall, whatever the thread could do in it. */
static enum duel_status run_time(const struct duel_call *call)
{
    return work(call, CLOCK_MONOTONIC_RAW);
}

/* The same time of the processor, however long it takes to get it. */
static enum duel_status run_processor(const struct duel_call *call)
{
    return work(call, CLOCK_THREAD_CPUTIME_ID);
}

#define FP32_TYPES                          \
    {                                       \
        {                                   \
            DUEL_FP32, DUEL_FP32, DUEL_FP32 \
        }                                   \
    }
static const struct duel_impl known_time = {
    .name = "cpu/gemm/known", .doc = "Takes a known time.", .types = FP32_TYPES, .run = run_time};
static const struct duel_impl known_processor = {
    .name = "cpu/gemm/known", .doc = "Takes a known processor time.", .types = FP32_TYPES, .run = run_processor};

/* What came of one case with a given number of samples. */
struct passage {
    struct duel_summary sample;
    double processor_s; /* of everything together: one warm-up run, the samples, and what surrounds them */
};

static enum duel_status pass(struct selftest_scene *scene, const struct duel_impl *impl, int64_t samples,
                             struct passage *passage, struct duel_why *why)
{
    struct duel_case item = {scene->place, impl, impl->name, selftest_problem(1, 1, 0), 1, ""};
    struct duel_group group = {
        .workload = workload_find("gemm", 4), .problem = {.m = 1, .n = 1}, .cases = &item, .count = 1};
    struct duel_runner *runner = malloc(sizeof *runner);
    struct duel_result result;
    if (!runner)
        return duel_fail(why, DUEL_ENOMEM, "nothing was measured", "close other programs", "out of memory");
    twins_runner(runner, scene->seed);
    struct duel_sampler_rules *rules = &runner->options.rules;
    rules->target_ci = rules->min_time_s = 0; /* the number of samples alone decides */
    rules->min_samples = rules->max_samples = samples;
    rules->warmup_s = rules->warmup_max_s = LENGTH_S / 2; /* one run is warm-up enough */
    const double start = clock_now(CLOCK_THREAD_CPUTIME_ID);
    enum duel_status status = runner_group(runner, &group, &result, why);
    passage->processor_s = clock_now(CLOCK_THREAD_CPUTIME_ID) - start;
    passage->sample = result.kernel;
    if (status == DUEL_OK && result.status != ROW_OK)
        status = duel_fail(why, DUEL_EDEVICE, "the runner could not measure a right implementation",
                           "`duel verify` and `duel doctor` may tell why", "%.300s", result.reason);
    result_free(&result);
    free(runner);
    return status;
}

/* Interruptions can only add to a time: what even the best try exceeds is broken; what only the ordinary one exceeds
 * may be the noise of the machine. */
static enum selftest_verdict judge(double best, double ordinary, double most)
{
    return ordinary < most ? SELFTEST_TRUE : best < most ? SELFTEST_NOISY : SELFTEST_FALSE;
}

static const char noise[] = "`duel doctor` names what disturbs; free the machine and repeat";

static void broke(struct selftest_finding *finding, const struct duel_why *why)
{
    selftest_found(finding, SELFTEST_FALSE, NAN, why->matters, why->next, "%s", why->seen);
}

void test_overhead_inside(struct selftest_scene *scene, struct selftest_finding *finding)
{
    const double most = 1e-6;
    struct duel_why why = {{0}, {0}, {0}};
    struct passage passage;
    if (pass(scene, &known_time, 200, &passage, &why) != DUEL_OK) {
        broke(finding, &why);
        return;
    }
    double extra = passage.sample.median - LENGTH_S;
    selftest_found(finding, judge(passage.sample.min - LENGTH_S, extra, most), 1e9 * extra,
                   "the harness is measured together with the kernel", noise,
                   "%.0f ns more than work of %.0f us takes; less than %.0f", 1e9 * extra, 1e6 * LENGTH_S, 1e9 * most);
}

/* Passages with few and with many samples: what they have in common cancels. In time of the processor, so that what
 * other programs take does not count. */
void test_overhead_outside(struct selftest_scene *scene, struct selftest_finding *finding)
{
    enum { FEW = 10, MANY = 810, TRIES = 7 };
    const double most = 50e-6;
    struct duel_why why = {{0}, {0}, {0}};
    double extra[TRIES];
    for (int i = 0; i < TRIES; i++) {
        struct passage few, many;
        if (pass(scene, &known_processor, FEW, &few, &why) != DUEL_OK ||
            pass(scene, &known_processor, MANY, &many, &why) != DUEL_OK) {
            broke(finding, &why);
            return;
        }
        extra[i] = (many.processor_s - few.processor_s) / (MANY - FEW) - LENGTH_S;
    }
    struct duel_summary summary = stats_summary(extra, TRIES);
    selftest_found(finding, judge(summary.min, summary.median, most), 1e6 * summary.median,
                   "runs take longer than their samples explain", noise, "%.2f us of processor time; less than %.0f",
                   1e6 * summary.median, 1e6 * most);
}

/* ---- whole processes -------------------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *where)
{
    (void)entry;
    (void)kind;
    (void)where;
    return remove(path);
}

/* An output that is large beside its inputs is what the verifier needs most memory for. */
void test_memory(struct selftest_scene *scene, struct selftest_finding *finding)
{
    enum { M = 1536, N = 1536, K = 120 };
    const double operands = 4.0 * (M * K + K * N + M * N), most = 64 * 0x1p20;
    const char *base = getenv("TMPDIR");
    char directory[256], shape[32];
    struct process_outcome outcome;
    struct duel_why why = {{0}, {0}, {0}};
    snprintf(directory, sizeof directory, "%.200s/duel-selftest-XXXXXX", base && *base ? base : "/tmp");
    snprintf(shape, sizeof shape, "%dx%dx%d", M, N, K);
    char *const arguments[] = {"duel",    "run",     "cpu/*",      "--shape",   shape,   "--precision", "fp32", "--out",
                               directory, "--quiet", "--no-plots", "--timeout", "200ms", "--min-time",  "20ms", NULL};
    if (!mkdtemp(directory)) {
        selftest_found(finding, SELFTEST_ABSENT, NAN, NULL, NULL, "no directory for temporary files");
        return;
    }
    enum duel_status status = process_run(scene->program, arguments, PROCESS_MEMORY, &outcome, &why);
    nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    double extra =
        (double)outcome.peak_bytes - operands; /* status 4: a busy machine spoilt the times, not the memory */
    if (status != DUEL_OK || (outcome.exit_status != 0 && outcome.exit_status != 4) || outcome.peak_bytes == 0)
        selftest_found(finding, SELFTEST_FALSE, NAN, "a run of this size is part of this test",
                       "start it by hand: duel run 'cpu/*' --shape 1536x1536x120", "%s",
                       status != DUEL_OK ? why.seen : "a run ended with an error");
    else
        selftest_found(finding, extra <= most ? SELFTEST_TRUE : SELFTEST_FALSE, extra / 0x1p20,
                       "sizes that fit are refused or swapped", "leave memory free beside the matrices",
                       "%.1f MiB beside operands of %.1f MiB; at most %.0f", extra / 0x1p20, operands / 0x1p20,
                       most / 0x1p20);
}

void test_start(struct selftest_scene *scene, struct selftest_finding *finding)
{
    enum { TRIES = 9 };
    const double most = 20e-3;
    static char *const arguments[] = {"duel", "list", NULL};
    struct duel_why why = {{0}, {0}, {0}};
    double seconds[TRIES], least_s = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        struct process_outcome outcome;
        enum duel_status status = process_run(scene->program, arguments, PROCESS_TIME, &outcome, &why);
        if (status != DUEL_OK || outcome.exit_status != 0) {
            selftest_found(finding, SELFTEST_FALSE, NAN, "`duel list` is part of this test", "start it by hand", "%s",
                           status != DUEL_OK ? why.seen : "`duel list` ended with an error");
            return;
        }
        seconds[i] = outcome.seconds;
        least_s = fmin(least_s, outcome.processor_s);
    }
    struct duel_summary summary = stats_summary(seconds, TRIES);
    /* Where other programs have the processor it takes longer than it works. */
    selftest_found(finding, judge(fmin(summary.min, least_s), summary.median, most), 1e3 * summary.median,
                   "every command takes at least that", noise,
                   "%.1f ms for `duel list`, best %.1f, of which %.1f of work; less than %.0f", 1e3 * summary.median,
                   1e3 * summary.min, 1e3 * least_s, 1e3 * most);
}
