/* zoo.c: the verifier on all that is known to be awkward, and on all that is known to be wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/harness/interrupt.h"
#include "bench/selftest/process.h"
#include "bench/selftest/tests.h"
#include "bench/verify/zoo.h"

/* ---- right answers, with twenty seeds --------------------------------------------------------------------- */

enum { SEEDS = 20 };

struct tour {
    const struct selftest_scene *scene;
    int64_t right, wrong;
    int64_t done, all; /* implementations times seeds */
    char first[240];   /* what was wrong first */
};

static bool count_case(void *context, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came)
{
    struct tour *tour = context;
    tour->right += came->status == DUEL_OK;
    if (came->status == DUEL_OK || came->status == DUEL_SKIP)
        return !interrupt_pending();
    if (tour->wrong++ == 0)
        snprintf(tour->first, sizeof tour->first, "%.60s: %.150s", which->impl->name, came->why.seen);
    return !interrupt_pending();
}

/* Seeds outside, so that all implementations have seen some when it is interrupted. */
void test_zoo(struct selftest_scene *scene, struct selftest_finding *finding)
{
    static const int threads[] = {1, 2};
    const struct duel_impl *const *impls = scene->place->impls;
    struct tour tour = {.scene = scene};
    struct duel_why why;
    while (impls[tour.all])
        tour.all++;
    tour.all *= SEEDS;
    for (int seed = 1; seed <= SEEDS; seed++)
        for (const struct duel_impl *const *impl = impls; *impl && !interrupt_pending(); impl++, tour.done++) {
            const struct duel_zoo_options options = {.seed = 1000 * scene->seed + (uint64_t)seed,
                                                     .threads = threads,
                                                     .threads_count = 2,
                                                     .every_scalar = true};
            selftest_doing(scene, "awkward problems, with other numbers", (double)tour.done / (double)tour.all);
            zoo_run(scene->place, *impl, workload_of((*impl)->name), &options, count_case, &tour, &why);
        }
    if (tour.right + tour.wrong == 0 || interrupt_pending())
        selftest_found(finding, SELFTEST_ABSENT, NAN, NULL, NULL,
                       interrupt_pending() ? "interrupted" : "no implementation here");
    else
        selftest_found(finding, tour.wrong ? SELFTEST_FALSE : SELFTEST_TRUE, (double)tour.wrong,
                       "either this implementation is wrong here, or right ones are rejected",
                       "`duel verify` tells which problems fail",
                       "%lld of %lld answers of the zoo with %d seeds rejected; at most 0%s%s", (long long)tour.wrong,
                       (long long)(tour.right + tour.wrong), SEEDS, tour.wrong ? "; first " : "", tour.first);
}

/* ---- implementations that are wrong on purpose ------------------------------------------------------------ */

/* They are no part of the program: the test that has them stands beside it in a build folder. */
static bool find_program(char *path, size_t size)
{
    char own[3800];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    snprintf(path, size, "%s/../tests/rejected", own);
    return access(path, X_OK) == 0;
}

/* Lines of TAP that begin and end so. */
static int count_lines(const char *text, const char *start, const char *end)
{
    int count = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t length = strcspn(line, "\n"), tail = strlen(end);
        count +=
            strncmp(line, start, strlen(start)) == 0 && length >= tail && strncmp(line + length - tail, end, tail) == 0;
    }
    return count;
}

void test_negative(struct selftest_scene *scene, struct selftest_finding *finding)
{
    static const char rejected[] = ": rejected", found[] = ": found by the zoo";
    char path[4000];
    struct process_outcome outcome;
    struct duel_why why = {{0}, {0}, {0}};
    (void)scene;
    if (!find_program(path, sizeof path)) {
        selftest_found(finding, SELFTEST_ABSENT, NAN, NULL, NULL,
                       "wrong implementations come with the sources: `make selftest`");
        return;
    }
    /* Teams of threads that wait for each other sleep: on a busy machine to spin takes minutes. */
    char *const arguments[] = {"env", "CMOCKA_MESSAGE_OUTPUT=TAP", "OMP_WAIT_POLICY=passive", path, NULL};
    const enum duel_status status = process_run("/usr/bin/env", arguments, PROCESS_TEXT, &outcome, &why);
    const char *text = outcome.text ? outcome.text : "";
    const int all = count_lines(text, "ok ", rejected) + count_lines(text, "not ok ", rejected);
    const int passed = count_lines(text, "not ok ", rejected), lost = count_lines(text, "not ok ", found);
    const bool whole = status == DUEL_OK && outcome.exit_status == 0 && all > 0 && passed == 0 && lost == 0;
    selftest_found(finding, whole ? SELFTEST_TRUE : SELFTEST_FALSE, all - passed,
                   "a wrong answer could be shown with a rate beside it",
                   "trust no row of this build; run `tests/run rejected` and report what it says",
                   "%d of %d wrong implementations rejected, each for its reason; all of them (exit status %d)",
                   all - passed, all, outcome.exit_status);
    free(outcome.text);
}
