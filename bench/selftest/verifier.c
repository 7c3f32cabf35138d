/* verifier.c: right answers pass, and each known fault in one of them is seen. */
#include <math.h>
#include <string.h>

#include "bench/selftest/faults.h"
#include "bench/selftest/tests.h"
#include "bench/verify/stage.h"
#include "bench/verify/verify.h"
#include "bench/verify/zoo.h"

/* One implementation, one problem: the answer lies in the stage, the expectation beside it. */
struct exam {
    struct duel_stage stage;
    struct duel_call call;
    struct duel_expectation expectation;
};

static enum duel_status run_once(struct exam *exam, const struct duel_impl *impl, struct duel_why *why)
{
    exam->call.why = why;
    exam->call.threads = impl->threads ? impl->threads(1) : 1;
    stage_bind(&exam->stage, &exam->call);
    const struct duel_backend *backend = exam->stage.backend;
    size_t bytes = impl->workspace ? impl->workspace(&exam->stage.problem) : 0;
    enum duel_status status = DUEL_OK;
    if (bytes > 0)
        status = backend->alloc(exam->stage.device, bytes, &exam->call.workspace, why);
    if (status == DUEL_OK && impl->open)
        status = impl->open(&exam->call);
    if (status == DUEL_OK)
        status = stage_call(&exam->stage, impl, &exam->call);
    if (impl->close && exam->call.state)
        impl->close(exam->call.state);
    if (exam->call.workspace)
        backend->release(exam->stage.device, exam->call.workspace);
    return status;
}

static enum duel_status take(struct exam *exam, const struct duel_place *place, const struct duel_impl *impl,
                             const struct duel_problem *problem, enum duel_data data, uint64_t seed,
                             struct duel_why *why)
{
    const struct duel_workload *gemm = workload_find("gemm", 4);
    memset(exam, 0, sizeof *exam);
    enum duel_status status = stage_open(&exam->stage, place->backend, place->device, DUEL_PINNED, gemm, problem, why);
    if (status == DUEL_OK)
        status = stage_fill(&exam->stage, data, seed, NULL, why);
    if (status == DUEL_OK)
        status = expectation_make(&exam->expectation, gemm, &exam->stage.problem, exam->stage.host, exam->stage.before,
                                  data == DUEL_INTEGERS, why);
    return status == DUEL_OK ? run_once(exam, impl, why) : status;
}

static void leave(struct exam *exam)
{
    expectation_free(&exam->expectation);
    stage_close(&exam->stage);
}

static enum duel_status judge(const struct exam *exam, uint64_t seed, struct duel_verdict *verdict,
                              struct duel_why *why)
{
    return verify_output(&exam->expectation, &exam->stage.problem, &exam->stage.host[DUEL_C], seed, verdict, why);
}

/* Rows longer than they must be, so that a kernel that runs over their end meets NaN. */
static struct duel_problem padded(int64_t m, int64_t n, int64_t k)
{
    struct duel_problem problem = selftest_problem(m, n, k);
    problem.ld[DUEL_A] += 3;
    problem.ld[DUEL_B] += 5;
    problem.ld[DUEL_C] += 7;
    return problem;
}

/* ---- what is right passes --------------------------------------------------------------------------------- */

struct count {
    int tried, wrong;
    char first[240]; /* what was wrong first */
};

/* An odd problem of the implementation's own workload, with padding that differs from operand to operand. */
static struct duel_problem own_problem(const struct duel_workload *workload, const struct duel_types *types)
{
    struct duel_problem problem = selftest_problem(70, 65, 130);
    problem.types = *types;
    workload_normalise(workload, &problem);
    workload_tight(workload, &problem);
    for (int i = 0; i < workload->operands; i++)
        problem.ld[i] += 2 * i + 3;
    return problem;
}

static void try_right(struct selftest_scene *scene, const struct duel_impl *impl, const struct duel_types *types,
                      uint64_t seed, struct count *count)
{
    static const enum duel_data data[] = {DUEL_UNIFORM, DUEL_INTEGERS, DUEL_NORMAL};
    for (size_t d = 0; d < sizeof data / sizeof *data; d++) {
        struct duel_zoo_case which = {
            .workload = workload_of(impl->name), .impl = impl, .data = data[d], .seed = seed, .threads = 1};
        struct duel_zoo_outcome came;
        which.problem = own_problem(which.workload, types);
        zoo_case_run(scene->place, &which, &came);
        if (came.status == DUEL_SKIP)
            continue;
        count->tried++;
        if (came.status != DUEL_OK && count->wrong++ == 0)
            snprintf(count->first, sizeof count->first, "%.60s: %.150s", impl->name, came.why.seen);
    }
}

void test_accepts(struct selftest_scene *scene, struct selftest_finding *finding)
{
    enum { SEEDS = 5 };
    struct count count = {0, 0, ""};
    for (const struct duel_impl *const *impl = scene->place->impls; *impl; impl++)
        for (int t = 0; t < DUEL_MAX_TYPES && (*impl)->types[t].in != DUEL_NONE; t++)
            for (uint64_t s = 0; s < SEEDS; s++)
                try_right(scene, *impl, &(*impl)->types[t], scene->seed + s, &count);
    if (count.tried == 0)
        selftest_found(finding, SELFTEST_ABSENT, NAN, NULL, NULL, "no implementation here");
    else if (count.wrong > 0)
        selftest_found(finding, SELFTEST_FALSE, count.tried - count.wrong,
                       "either this implementation is wrong here, or right ones are rejected",
                       "`duel verify` tells which problems fail", "%d of %d were rejected, first %s", count.wrong,
                       count.tried, count.first);
    else
        selftest_found(finding, SELFTEST_TRUE, count.tried, NULL, NULL, "all %d, of every implementation and type",
                       count.tried);
}

/* ---- what is wrong does not ------------------------------------------------------------------------------- */

/* Upper rungs are quick, and one of the faults is large. */
static const struct duel_impl *quickest(const struct selftest_scene *scene, struct duel_problem *problem)
{
    const struct duel_impl *best = NULL;
    int top = -1;
    for (const struct duel_impl *const *impl = scene->place->impls; *impl; impl++) {
        struct duel_why why;
        int rung = registry_rung(scene->registry, (*impl)->name);
        bool fits = workload_of((*impl)->name) == workload_find("gemm", 4) &&
                    (!(*impl)->supports || (*impl)->supports(problem, &scene->place->info, &why) == DUEL_OK);
        for (int t = 0; t < DUEL_MAX_TYPES && fits; t++)
            if ((*impl)->types[t].in == DUEL_FP32 && rung > top) {
                best = *impl;
                top = rung;
                problem->types = (*impl)->types[t];
            }
    }
    return best;
}

/* Was the answer right before it was spoiled, and is it called wrong afterwards? */
static void try_fault(struct selftest_scene *scene, const struct selftest_fault *fault, struct count *count)
{
    struct duel_problem problem = padded(fault->m, fault->n, fault->k);
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_verdict before = {.right = false}, after = {.right = true};
    struct exam exam = {0};
    const struct duel_impl *impl = quickest(scene, &problem);
    if (!impl)
        return;
    count->tried++;
    enum duel_status status = take(&exam, scene->place, impl, &problem, fault->data, scene->seed, &why);
    if (status == DUEL_OK)
        status = judge(&exam, scene->seed, &before, &why);
    if (status == DUEL_OK) {
        fault->spoil(&exam.stage.problem, exam.stage.host);
        status = judge(&exam, scene->seed, &after, &why);
    }
    leave(&exam);
    if (status == DUEL_OK && before.right && !after.right)
        return;
    if (count->wrong++ == 0)
        snprintf(count->first, sizeof count->first, "%s%s%.140s", fault->name,
                 status == DUEL_OK && before.right ? "" : ": ",
                 status != DUEL_OK ? why.seen
                 : before.right    ? ""
                                   : before.reason);
}

void test_rejects(struct selftest_scene *scene, struct selftest_finding *finding)
{
    struct count count = {0, 0, ""};
    for (const struct selftest_fault *fault = selftest_fault_table; fault->name; fault++)
        try_fault(scene, fault, &count);
    if (count.tried == 0)
        selftest_found(finding, SELFTEST_ABSENT, NAN, NULL, NULL, "no implementation here");
    else if (count.wrong > 0)
        selftest_found(finding, SELFTEST_FALSE, count.tried - count.wrong,
                       "a wrong answer could be shown with a rate beside it",
                       "trust no row of this build; run `make test` and report what it says",
                       "%d of %d passed, first: %s", count.wrong, count.tried, count.first);
    else
        selftest_found(finding, SELFTEST_TRUE, count.tried, NULL, NULL, "all %d kinds, each put into a right answer",
                       count.tried);
}
