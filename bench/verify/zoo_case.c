/* zoo_case.c: one case of the zoo, from allocation to verdict. */
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/verify/running.h"
#include "bench/verify/stage.h"
#include "bench/verify/trial.h"
#include "bench/verify/zoo.h"

/* What one case owns. */
struct visit {
    const struct duel_place *place;
    const struct duel_zoo_case *which;
    struct duel_stage stage;
    struct duel_call call;
    struct duel_expectation expectation;
    struct duel_matrix fine[DUEL_MAX_OPERANDS]; /* full-width numbers; data NULL where the generator's will do */
    bool opened;
};

const char *zoo_case_name(const struct duel_zoo_case *which, char *text, size_t size)
{
    const struct duel_problem *p = &which->problem;
    char threads[16] = "", count[32] = "";
    if (which->impl->threads)
        snprintf(threads, sizeof threads, " %dT", which->threads);
    if (p->count > 1)
        snprintf(count, sizeof count, "x%lld", (long long)p->count);
    snprintf(text, size, "%s %lldx%lldx%lld%s ld %lld,%lld,%lld alpha %g beta %g%s %s", dtype_name(p->types.in),
             (long long)p->m, (long long)p->n, (long long)p->k, count, (long long)p->ld[0], (long long)p->ld[1],
             (long long)p->ld[2], p->alpha, p->beta, threads, which->data == DUEL_INTEGERS ? "integers" : "uniform");
    return text;
}

static enum duel_status set_threads(struct visit *visit, struct duel_why *why)
{
    const struct duel_zoo_case *which = visit->which;
    visit->call.threads = which->impl->threads ? which->impl->threads(which->threads) : 1;
    if (visit->call.threads == which->threads)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "a result of another number of threads would be shown under this one",
                     "lift OMP_THREAD_LIMIT or name fewer --threads", "%d threads were asked for and %d came",
                     which->threads, visit->call.threads);
}

/* Random numbers of the generator fit in FP32, so that all precisions multiply the same ones. Here FP64 gets numbers of
 * 48 bits: an implementation that rounds its inputs to FP32 on the way must not look right. */
static enum duel_status make_fine(struct visit *visit, int operand, struct duel_why *why)
{
    struct duel_matrix *fine = &visit->fine[operand];
    const uint64_t seed = visit->which->seed;
    size_t bytes;
    visit->which->workload->extent(&visit->which->problem, operand, &fine->rows, &fine->columns);
    fine->type = DUEL_FP64;
    fine->ld = fine->columns;
    enum duel_status status = matrix_bytes(fine->type, fine->rows, fine->ld, &bytes, why);
    if (status != DUEL_OK)
        return status;
    double *value = fine->data = malloc(bytes + 1);
    if (!value)
        return duel_fail(why, DUEL_ENOMEM, "this case was not tried", "close other programs",
                         "%zu bytes for random numbers", bytes);
    for (int64_t i = 0; i < fine->rows; i++)
        for (int64_t j = 0; j < fine->columns; j++)
            value[i * fine->ld + j] = matrix_value(DUEL_UNIFORM, seed, operand, i, j) +
                                      0x1p-24 * matrix_value(DUEL_UNIFORM, seed + 1, operand, i, j);
    return DUEL_OK;
}

static enum duel_status fill_stage(struct visit *visit, struct duel_why *why)
{
    const struct duel_zoo_case *which = visit->which;
    const struct duel_matrix *input[DUEL_MAX_OPERANDS] = {NULL};
    enum duel_status status = DUEL_OK;
    if (which->data == DUEL_UNIFORM && which->problem.types.in == DUEL_FP64)
        for (int i = 0; i < which->workload->operands && status == DUEL_OK; i++) {
            status = make_fine(visit, i, why);
            input[i] = &visit->fine[i];
        }
    if (input[0] && status == DUEL_OK && which->workload->prepare)
        which->workload->prepare(&which->problem, visit->fine);
    return status == DUEL_OK ? stage_fill(&visit->stage, which->data, which->seed, input, why) : status;
}

static void name_call(const struct visit *visit, const char *phase)
{
    const struct duel_zoo_case *which = visit->which;
    running_begin(which->impl->name, visit->place->id, phase, &which->problem, which->threads);
}

static enum duel_status open_visit(struct visit *visit, struct duel_why *why)
{
    const struct duel_impl *impl = visit->which->impl;
    enum duel_status status = stage_open(&visit->stage, visit->place->backend, visit->place->device, DUEL_PINNED,
                                         visit->which->workload, &visit->which->problem, why);
    if (status == DUEL_OK)
        status = fill_stage(visit, why);
    if (status != DUEL_OK)
        return status;
    stage_bind(&visit->stage, &visit->call);
    const size_t workspace = impl->workspace ? impl->workspace(&visit->which->problem) : 0;
    if (workspace > 0)
        status = visit->place->backend->alloc(visit->place->device, workspace, &visit->call.workspace, why);
    if (status == DUEL_OK && workspace > 0) /* NaN: what an implementation did not write there it must not use */
        status = visit->place->backend->fill(visit->place->device, visit->call.workspace, 0xFF, workspace, why);
    if (status == DUEL_OK && impl->open) {
        name_call(visit, "while it was opened");
        status = impl->open(&visit->call);
        running_end();
    }
    visit->opened = status == DUEL_OK;
    return status;
}

static void close_visit(struct visit *visit)
{
    const struct duel_impl *impl = visit->which->impl;
    if (visit->opened && impl->close && visit->call.state)
        impl->close(visit->call.state);
    if (visit->call.workspace)
        visit->place->backend->release(visit->place->device, visit->call.workspace);
    expectation_free(&visit->expectation);
    if (visit->stage.backend)
        stage_close(&visit->stage);
    for (int i = 0; i < DUEL_MAX_OPERANDS; i++)
        free(visit->fine[i].data);
}

static uint64_t hash_of_inputs(const struct visit *visit)
{
    const struct duel_workload *workload = visit->which->workload;
    uint64_t hash = TRIAL_HASH_START;
    for (int i = 0; i < workload->operands; i++)
        if (workload->role[i] == DUEL_IN)
            hash = trial_hash(hash, visit->stage.host[i].data, visit->stage.bytes[i]);
    return hash;
}

/* On the CPU the operands are the implementation's own view of memory: that it left its inputs alone can be seen. */
static enum duel_status call_and_judge(struct visit *visit, struct duel_verdict *verdict, struct duel_why *why)
{
    const struct duel_zoo_case *which = visit->which;
    const struct duel_matrix *output = &visit->stage.host[workload_output(which->workload)];
    char name[160];
    enum duel_status status = expectation_make(&visit->expectation, which->workload, &which->problem, visit->stage.host,
                                               visit->stage.before, which->data == DUEL_INTEGERS, why);
    const uint64_t inputs = hash_of_inputs(visit);
    if (status == DUEL_OK && which->before)
        which->before(which->before_context, which, &visit->call);
    name_call(visit, "when it was verified");
    if (status == DUEL_OK)
        status = stage_call(&visit->stage, which->impl, &visit->call);
    running_end();
    if (status == DUEL_EVERIFY) {
        const struct duel_why outside = *why;
        verdict->suspects.weight[CAUSE_OUTSIDE] = 1;
        return duel_fail(why, status, outside.matters, outside.next, "%s: %s", zoo_case_name(which, name, sizeof name),
                         outside.seen);
    }
    if (status == DUEL_OK && hash_of_inputs(visit) != inputs)
        return duel_fail(why, DUEL_EVERIFY, "whoever uses A or B afterwards computes with other numbers",
                         "run `duel verify` for this row alone to repeat it", "%s: the call changed its inputs",
                         zoo_case_name(which, name, sizeof name));
    if (status == DUEL_OK)
        status = verify_output(&visit->expectation, &which->problem, output, which->seed, verdict, why);
    if (status != DUEL_OK || verdict->right)
        return status;
    if (verdict->refused)
        return duel_fail(why, DUEL_EINVAL, "the inputs have no result", "give others", "%s: %s",
                         zoo_case_name(which, name, sizeof name), verdict->reason);
    return duel_fail(why, DUEL_EVERIFY, "a wrong answer has no speed",
                     "run `duel verify` for this row alone to repeat it", "%s: %s",
                     zoo_case_name(which, name, sizeof name), verdict->reason);
}

void zoo_case_run(const struct duel_place *place, const struct duel_zoo_case *which, struct duel_zoo_outcome *outcome)
{
    struct visit visit = {.place = place, .which = which};
    memset(outcome, 0, sizeof *outcome);
    visit.call.why = &outcome->why;
    if (which->impl->supports)
        outcome->status = which->impl->supports(&which->problem, &place->info, &outcome->why);
    if (outcome->status == DUEL_OK)
        outcome->status = set_threads(&visit, &outcome->why);
    if (outcome->status == DUEL_OK)
        outcome->status = open_visit(&visit, &outcome->why);
    if (outcome->status == DUEL_OK)
        outcome->status = call_and_judge(&visit, &outcome->verdict, &outcome->why);
    close_visit(&visit);
}
