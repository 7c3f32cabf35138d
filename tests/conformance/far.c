/* far.c: rows so far apart that row * ld passes 2^31 and 2^32: an index of 32 bits ends elsewhere. Every implementation
 * on the CPU and on the emulated GPU of every workload whose whole numbers have an exact answer, each precision. The
 * operands are few numbers in address space that nothing stands behind: only touched pages are memory. What should come
 * out is the workload's reference, for the same numbers in rows without gaps.
 *
 * A signed 32-bit index of rows 2 and 3 is negative: there lies address space full of zeros. One of row 4 wraps to row
 * 0, behind its last column: there stands NaN. So such a kernel ends with a wrong answer and not with the process. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"
#include "tests/conformance/far_space.h"

enum { M = 5, N = 9, K = 6, MOST = 400 };
#define FAR ((int64_t)1 << 30)

/* ---- the answer ------------------------------------------------------------------------------------------- */

/* The reference, for the same numbers in rows without gaps. */
static void right_answer(const struct duel_workload *workload, const struct duel_problem *problem,
                         const struct space *space, double *right)
{
    static double number_of[DUEL_MAX_OPERANDS][SPACE_ROWS * SPACE_COLUMNS], magnitude[SPACE_ROWS * SPACE_COLUMNS];
    struct duel_matrix matrix[DUEL_MAX_OPERANDS];
    struct duel_problem dense = *problem;
    workload_tight(workload, &dense);
    for (int i = 0; i < workload->operands; i++) {
        matrix[i] = (struct duel_matrix){space[i].type, space[i].rows, space[i].columns, dense.ld[i], number_of[i]};
        for (int64_t e = 0; e < space[i].rows * space[i].columns; e++)
            dtype_store(space[i].type, number_of[i], (size_t)e,
                        space_number(i, e / space[i].columns, e % space[i].columns));
    }
    workload->reference(&dense, matrix, matrix, right, magnitude);
}

static int count_wrong(const struct duel_place *place, const struct duel_workload *workload,
                       const struct duel_problem *problem, const struct space *space)
{
    const struct space *out = &space[workload_output(workload)];
    double buffer[SPACE_COLUMNS + SPACE_PADDING], right[SPACE_ROWS * SPACE_COLUMNS];
    int wrong = 0;
    right_answer(workload, problem, space, right);
    for (int64_t i = 0; i < out->rows; i++) {
        space_move_row(place, out, i, buffer, out->columns + SPACE_PADDING, true);
        for (int64_t j = 0; j < out->columns + SPACE_PADDING; j++) {
            const double value = dtype_load(out->type, buffer, (size_t)j);
            wrong += j < out->columns ? !(value == right[i * out->columns + j]) : !isnan(value);
        }
    }
    return wrong;
}

/* ---- one implementation ----------------------------------------------------------------------------------- */

static enum duel_status call_once(const struct duel_place *place, const struct duel_impl *impl, struct duel_call *call)
{
    const size_t workspace = impl->workspace ? impl->workspace(call->problem) : 0;
    enum duel_status status = DUEL_OK;
    call->queue = place->backend->queue ? place->backend->queue(place->device) : NULL;
    call->threads = impl->threads ? impl->threads(2) : 1;
    if (workspace > 0)
        status = place->backend->alloc(place->device, workspace, &call->workspace, call->why);
    if (status == DUEL_OK && impl->open)
        status = impl->open(call);
    if (status == DUEL_OK)
        status = impl->run(call);
    if (status == DUEL_OK)
        status = place->backend->sync(place->device, call->why);
    if (impl->close && call->state)
        impl->close(call->state);
    if (call->workspace)
        place->backend->release(place->device, call->workspace);
    return status;
}

/* Small extents, and rows far apart. */
static struct duel_problem far_problem(const struct duel_workload *workload, const struct duel_types *types,
                                       double beta)
{
    struct duel_problem problem = {.m = M, .n = N, .k = K, .count = 2, .alpha = -1, .beta = beta, .types = *types};
    workload_normalise(workload, &problem);
    for (int i = 0; i < workload->operands; i++) /* multiples of 8 elements, for kernels that load vectors */
        problem.ld[i] = FAR + 8 * (i + 1);
    return problem;
}

/* Returns the number of wrong elements, or -1 when it does not take the problem: *why says more. */
static int wrong_with(const struct duel_place *place, const struct duel_impl *impl, const struct duel_types *types,
                      double beta, struct duel_why *why)
{
    const struct duel_workload *workload = workload_of(impl->name);
    const struct duel_problem problem = far_problem(workload, types, beta);
    const int out = workload_output(workload);
    struct space space[DUEL_MAX_OPERANDS] = {{0}};
    struct duel_call call = {.problem = &problem, .why = why};
    bool here = true;
    int wrong = -1;
    for (int i = 0; i < workload->operands; i++) {
        space[i] = (struct space){.type = workload_type(workload, &problem, i), .ld = problem.ld[i]};
        workload->extent(&problem, i, &space[i].rows, &space[i].columns);
        assert_true(space[i].rows <= SPACE_ROWS && space[i].columns <= SPACE_COLUMNS);
        here = here && space_reserve(place, &space[i], why);
    }
    if (here && (!impl->supports || impl->supports(&problem, &place->info, why) == DUEL_OK)) {
        for (int i = 0; i < workload->operands; i++) {
            space_fill(place, &space[i], i, i == out && problem.beta == 0);
            call.operand[i] = space[i].start;
        }
        const enum duel_status status = call_once(place, impl, &call);
        if (status == DUEL_OK)
            wrong = count_wrong(place, workload, &problem, space);
        else if (status != DUEL_SKIP)
            fail_msg("%s: %s", impl->name, why->seen);
    }
    for (int i = 0; i < workload->operands; i++)
        space_give_back(place, &space[i]);
    return wrong;
}

struct row {
    struct duel_place *place;
    const struct duel_impl *impl;
    const struct duel_types *types;
    char name[100];
};

static void finds_its_rows(void **state)
{
    const struct row *row = *state;
    struct duel_why why = {{0}, {0}, {0}};
    for (int beta = 0; beta <= 1; beta++) {
        const int wrong = wrong_with(row->place, row->impl, row->types, beta, &why);
        if (wrong < 0) {
            print_message("# %s: %s\n", row->name, why.seen);
            skip();
        }
        if (wrong > 0)
            fail_msg("%s, beta %d: %d wrong elements", row->name, beta, wrong);
    }
}

/* ---- an index of 32 bits must not pass -------------------------------------------------------------------- */

#define SIGNED(i, ld) ((ptrdiff_t)(int32_t)((uint32_t)(i) * (uint32_t)(ld)))
#define UNSIGNED(i, ld) ((ptrdiff_t)((uint32_t)(i) * (uint32_t)(ld)))
#define WHOLE(i, ld) ((ptrdiff_t)((i) * (ld)))

#define DEFINE_INDEXED(name, of_a, of_b, of_c)                                                   \
    static enum duel_status name(const struct duel_call *call)                                   \
    {                                                                                            \
        const struct duel_problem *p = call->problem;                                            \
        const float *A = call->operand[DUEL_A], *B = call->operand[DUEL_B];                      \
        for (int64_t i = 0; i < p->m; i++)                                                       \
            for (int64_t j = 0; j < p->n; j++) {                                                 \
                float sum = 0, *c = (float *)call->operand[DUEL_C] + of_c(i, p->ld[DUEL_C]) + j; \
                for (int64_t l = 0; l < p->k; l++)                                               \
                    sum += A[of_a(i, p->ld[DUEL_A]) + l] * B[of_b(l, p->ld[DUEL_B]) + j];        \
                *c = (float)p->alpha * sum + (p->beta == 0 ? 0 : (float)p->beta * *c);           \
            }                                                                                    \
        return DUEL_OK;                                                                          \
    }
DEFINE_INDEXED(run_whole, WHOLE, WHOLE, WHOLE)
DEFINE_INDEXED(run_signed_a, SIGNED, WHOLE, WHOLE)
DEFINE_INDEXED(run_signed_b, WHOLE, SIGNED, WHOLE)
DEFINE_INDEXED(run_signed_c, WHOLE, WHOLE, SIGNED)
DEFINE_INDEXED(run_unsigned_a, UNSIGNED, WHOLE, WHOLE)
DEFINE_INDEXED(run_unsigned_b, WHOLE, UNSIGNED, WHOLE)
DEFINE_INDEXED(run_unsigned_c, WHOLE, WHOLE, UNSIGNED)

static void an_index_of_32_bits_is_caught(void **state)
{
    struct duel_place *place = *state;
    static const struct duel_types fp32 = {DUEL_FP32, DUEL_FP32, DUEL_FP32};
    static enum duel_status (*const wrap[])(const struct duel_call *) = {
        run_signed_a, run_signed_b, run_signed_c, run_unsigned_a, run_unsigned_b, run_unsigned_c};
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_impl impl = {.name = "cpu/gemm/indexed", .run = run_whole};
    const int right = wrong_with(place, &impl, &fp32, 0, &why);
    if (right < 0)
        skip();
    assert_int_equal(right, 0);
    for (size_t i = 0; i < sizeof wrap / sizeof wrap[0]; i++) {
        impl.run = wrap[i];
        assert_true(wrong_with(place, &impl, &fp32, 0, &why) > 0);
        assert_true(wrong_with(place, &impl, &fp32, 1, &why) > 0);
    }
}

static void little_of_it_is_memory(void **state)
{
    (void)state;
    struct rusage usage = {.ru_maxrss = 0};
    getrusage(RUSAGE_SELF, &usage);
    print_message("# %ld MiB at most\n", usage.ru_maxrss / 1024);
    assert_true(usage.ru_maxrss > 0 && usage.ru_maxrss < 1024 * 1024); /* KiB */
}

/* ---- all of them ------------------------------------------------------------------------------------------ */

static int add_rows(struct duel_place *place, struct row *list, struct CMUnitTest *tests, int count)
{
    for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
        for (int t = 0; t < DUEL_MAX_TYPES && (*impl)->types[t].in != DUEL_NONE && count < MOST; t++) {
            if (!workload_of((*impl)->name)->sums)
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
    static struct CMUnitTest tests[MOST + 2];
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
    tests[count++] = (struct CMUnitTest){"an index of 32 bits is caught", an_index_of_32_bits_is_caught, NULL, NULL,
                                         &registry->place[0]};
    tests[count++] = (struct CMUnitTest){"little of it is memory", little_of_it_is_memory, NULL, NULL, NULL};
    const int failed = _cmocka_run_group_tests("far", tests, (size_t)count, NULL, NULL);
    registry_close(registry);
    free(registry);
    return failed;
}
