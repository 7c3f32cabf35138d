/* far_bounded.c: what far.c asks, of workloads whose answers are right within a bound: rows so far apart that row * ld
 * passes 2^31 and 2^32 give the same as rows without gaps, on the CPU and on the emulated GPU, in each precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/verify/verify.h"
#include "tests/conformance/far_space.h"

enum { M = 5, N = 5, K = 6, COUNT = 3, MOST = 400 };
#define FAR ((int64_t)1 << 30)

/* The same operands twice: close together on the host, and far apart where kernels see them. */
struct pair {
    const struct duel_workload *workload;
    struct duel_problem close, far;
    double number[DUEL_MAX_OPERANDS][SPACE_ROWS * SPACE_COLUMNS]; /* in the operands' own types */
    struct duel_matrix matrix[DUEL_MAX_OPERANDS], before[DUEL_MAX_OPERANDS];
    struct space space[DUEL_MAX_OPERANDS];
};

static void make_numbers(struct pair *pair)
{
    for (int i = 0; i < pair->workload->operands; i++) {
        struct duel_matrix *matrix = &pair->matrix[i];
        *matrix = (struct duel_matrix){
            .type = workload_type(pair->workload, &pair->close, i), .ld = pair->close.ld[i], .data = pair->number[i]};
        pair->workload->extent(&pair->close, i, &matrix->rows, &matrix->columns);
        assert_true(matrix->rows <= SPACE_ROWS && matrix->columns <= SPACE_COLUMNS);
        matrix_fill(matrix, DUEL_UNIFORM, 7, i, NULL);
    }
    if (pair->workload->prepare)
        pair->workload->prepare(&pair->close, pair->matrix);
}

/* Rows from the host to where kernels see them, or one operand back. Padding and outputs that are not read are NaN. */
static bool spread(const struct duel_place *place, struct pair *pair, struct duel_why *why)
{
    for (int i = 0; i < pair->workload->operands; i++) {
        const struct duel_matrix *matrix = &pair->matrix[i];
        struct space *space = &pair->space[i];
        *space = (struct space){
            .type = matrix->type, .rows = matrix->rows, .columns = matrix->columns, .ld = pair->far.ld[i]};
        if (!space_reserve(place, space, why))
            return false;
        space_fill(place, space, i, true);
        for (int64_t row = 0; row < matrix->rows; row++)
            if (i != workload_output(pair->workload) || pair->far.beta != 0)
                space_move_row(place, space, row,
                               (char *)matrix->data + (size_t)(row * matrix->ld) * dtype_size(matrix->type),
                               matrix->columns, false);
    }
    return true;
}

static enum duel_status call_once(const struct duel_place *place, const struct duel_impl *impl, const struct pair *pair,
                                  struct duel_why *why)
{
    struct duel_call call = {.problem = &pair->far, .why = why, .threads = impl->threads ? impl->threads(2) : 1};
    const size_t workspace = impl->workspace ? impl->workspace(call.problem) : 0;
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < pair->workload->operands; i++)
        call.operand[i] = pair->space[i].start;
    call.queue = place->backend->queue ? place->backend->queue(place->device) : NULL;
    if (workspace > 0)
        status = place->backend->alloc(place->device, workspace, &call.workspace, why);
    if (status == DUEL_OK && impl->open)
        status = impl->open(&call);
    if (status == DUEL_OK)
        status = impl->run(&call);
    if (status == DUEL_OK)
        status = place->backend->sync(place->device, why);
    if (impl->close && call.state)
        impl->close(call.state);
    if (call.workspace)
        place->backend->release(place->device, call.workspace);
    return status;
}

struct row {
    struct duel_place *place;
    const struct duel_impl *impl;
    const struct duel_types *types;
    char name[100];
};

static void judge(const struct row *row, struct pair *pair)
{
    const int out = workload_output(pair->workload);
    struct duel_matrix output = pair->matrix[out];
    struct duel_expectation expectation;
    struct duel_verdict verdict;
    double answer[SPACE_ROWS * SPACE_COLUMNS];
    struct duel_why why;
    pair->before[out] = pair->matrix[out];
    assert_int_equal(
        expectation_make(&expectation, pair->workload, &pair->close, pair->matrix, pair->before, false, &why), DUEL_OK);
    output.data = answer;
    for (int64_t i = 0; i < output.rows; i++)
        space_move_row(row->place, &pair->space[out], i,
                       (char *)answer + (size_t)(i * output.ld) * dtype_size(output.type), output.columns, true);
    assert_int_equal(verify_output(&expectation, &pair->close, &output, 1, &verdict, &why), DUEL_OK);
    expectation_free(&expectation);
    if (!verdict.right)
        fail_msg("%s: %s", row->name, verdict.reason);
}

static void finds_its_rows(void **state)
{
    const struct row *row = *state;
    static struct pair pair;
    struct duel_why why = {{0}, {0}, {0}};
    memset(&pair, 0, sizeof pair);
    pair.workload = workload_of(row->impl->name);
    pair.close = (struct duel_problem){.m = M, .n = N, .k = K, .count = COUNT, .alpha = 1, .types = *row->types};
    workload_normalise(pair.workload, &pair.close);
    workload_tight(pair.workload, &pair.close);
    pair.far = pair.close;
    for (int i = 0; i < pair.workload->operands; i++)
        pair.far.ld[i] = FAR + 8 * (i + 1);
    make_numbers(&pair);
    bool ran = spread(row->place, &pair, &why);
    if (ran && row->impl->supports)
        ran = row->impl->supports(&pair.far, &row->place->info, &why) == DUEL_OK;
    if (ran && call_once(row->place, row->impl, &pair, &why) != DUEL_OK)
        fail_msg("%s: %s", row->name, why.seen);
    if (ran)
        judge(row, &pair);
    for (int i = 0; i < pair.workload->operands; i++)
        space_give_back(row->place, &pair.space[i]);
    if (!ran) {
        print_message("# %s: %s\n", row->name, why.seen);
        skip();
    }
}

static int add_rows(struct duel_place *place, struct row *list, struct CMUnitTest *tests, int count)
{
    for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
        for (int t = 0; t < DUEL_MAX_TYPES && (*impl)->types[t].in != DUEL_NONE && count < MOST; t++) {
            if (workload_of((*impl)->name)->sums)
                continue;
            struct row *row = &list[count];
            *row = (struct row){place, *impl, &(*impl)->types[t], ""};
            snprintf(row->name, sizeof row->name, "%s %s", (*impl)->name, dtype_name(row->types->in));
            tests[count++] = (struct CMUnitTest){row->name, finds_its_rows, NULL, NULL, row};
        }
    return count;
}

int main(void)
{
    static struct row list[MOST];
    static struct CMUnitTest tests[MOST];
    struct duel_registry *registry = calloc(1, sizeof *registry);
    int count = 0;
    if (!registry)
        return 1;
    setenv("DUEL_EMULATED_SPARSE", "1", 1);
    registry_load(registry);
    for (int i = 0; i < registry->count; i++) {
        struct duel_place *place = &registry->place[i];
        const bool played = place->backend && (i == 0 || place->backend->emulated);
        if (played && place_open(place, NULL) == DUEL_OK)
            count = add_rows(place, list, tests, count);
    }
    const int failed = _cmocka_run_group_tests("far_bounded", tests, (size_t)count, NULL, NULL);
    registry_close(registry);
    free(registry);
    return failed || count == 0;
}
