/* selftest.c: the table of tests, and what they share. */
#include "bench/selftest/selftest.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "bench/selftest/tests.h"

const struct selftest selftest_table[] = {
    {"timer_step", "clock step", "clocks", "ns", SELFTEST_CPU, false, false, 0.01, test_timer_step},
    {"timer_cost", "clock cost", "clocks", "ns", SELFTEST_CPU, false, false, 0.01, test_timer_cost},
    {"event_step", "event step", "clocks", "ns", SELFTEST_GPU, false, false, 0.2, test_event_step},
    {"launch_cost", "launch cost", "clocks", "us", SELFTEST_GPU, false, false, 0.2, test_launch_cost},
    {"flush", "flushing flushes", "caches", "times", SELFTEST_ALL, false, false, 1, test_flush},
    {"accepts", "right answers pass", "verifier", "answers", SELFTEST_ALL, false, true, 3, test_accepts},
    {"rejects", "faults are rejected", "verifier", "faults", SELFTEST_ALL, false, true, 2, test_rejects},
    {"zoo", "right ones never", "verifier", "answers", SELFTEST_ALL, true, true, 140, test_zoo},
    {"negative", "wrong code is rejected", "verifier", "faults", SELFTEST_CPU, true, true, 5, test_negative},
    {"same_code", "code against itself", "comparison", "ratio", SELFTEST_CPU, false, false, 4, test_same_code},
    {"slowed_code", "5 % slower is found", "comparison", "ratio", SELFTEST_CPU, false, false, 4, test_slowed_code},
    {"rates", "error rates", "comparison", "verdicts", SELFTEST_CPU, true, false, 250, test_rates},
    {"coverage", "95 % intervals", "comparison", "percent", SELFTEST_CPU, true, false, 3, test_coverage},
    {"stopping", "stopping early", "comparison", "percent", SELFTEST_CPU, true, false, 3, test_stopping},
    {"overhead_inside", "in a timed interval", "overhead", "ns", SELFTEST_CPU, false, false, 1, test_overhead_inside},
    {"overhead_outside", "between samples", "overhead", "us", SELFTEST_CPU, false, false, 1, test_overhead_outside},
    {"memory", "memory of a run", "overhead", "MiB", SELFTEST_CPU, false, false, 2, test_memory},
    {"start", "start of the program", "overhead", "ms", SELFTEST_CPU, false, false, 0.3, test_start},
    {NULL, NULL, NULL, NULL, SELFTEST_CPU, false, false, 0, NULL},
};

const char *selftest_verdict_name(enum selftest_verdict verdict)
{
    static const char *const name[] = {"true", "false", "noisy", "absent"};
    return name[verdict];
}

bool selftest_matches(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, 0) == 0;
}

void selftest_found(struct selftest_finding *finding, enum selftest_verdict verdict, double value, const char *matters,
                    const char *next, const char *seen, ...)
{
    struct duel_why *why = &finding->why;
    va_list args;
    va_start(args, seen);
    vsnprintf(why->seen, sizeof why->seen, seen, args);
    va_end(args);
    bool advise = verdict == SELFTEST_FALSE || verdict == SELFTEST_NOISY;
    snprintf(why->matters, sizeof why->matters, "%s", advise && matters ? matters : "");
    snprintf(why->next, sizeof why->next, "%s", advise && next ? next : "");
    finding->verdict = verdict;
    finding->value = value;
}

void selftest_doing(const struct selftest_scene *scene, const char *what, double done)
{
    if (scene->doing)
        scene->doing(scene->context, what, done);
}

void selftest_run(struct selftest_scene *scene, const struct selftest *test, struct duel_place *place,
                  struct selftest_finding *finding)
{
    struct duel_why why = {{0}, {0}, {0}};
    memset(finding, 0, sizeof *finding);
    finding->test = test;
    finding->value = NAN;
    snprintf(finding->where, sizeof finding->where, "%s", place ? place->id : "gpu");
    if (!place) {
        selftest_found(finding, SELFTEST_ABSENT, NAN, NULL, NULL, "no GPU here");
        return;
    }
    if (place_open(place, &why) != DUEL_OK) {
        selftest_found(finding, SELFTEST_FALSE, NAN, why.matters, why.next, "%s", why.seen);
        return;
    }
    scene->place = place;
    selftest_doing(scene, test->title, 0);
    test->run(scene, finding);
}

void selftest_free(struct selftest_scene *scene)
{
    twins_free(scene->twins);
    scene->twins = NULL;
}

struct duel_problem selftest_problem(int64_t m, int64_t n, int64_t k)
{
    return (struct duel_problem){
        .m = m, .n = n, .k = k, .count = 1, .ld = {k, n, n}, .alpha = 1, .types = {DUEL_FP32, DUEL_FP32, DUEL_FP32}};
}

const struct duel_impl *selftest_simple(const struct duel_place *place, struct duel_problem *problem)
{
    for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
        for (int t = 0; t < DUEL_MAX_TYPES; t++) {
            struct duel_why why;
            const struct duel_types *types = &(*impl)->types[t];
            problem->types = *types;
            if (types->in == DUEL_FP32 && workload_of((*impl)->name) == workload_find("gemm", 4) && !(*impl)->open &&
                !(*impl)->workspace &&
                (!(*impl)->supports || (*impl)->supports(problem, &place->info, &why) == DUEL_OK))
                return *impl;
        }
    return NULL;
}
