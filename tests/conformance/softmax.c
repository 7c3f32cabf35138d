/* softmax.c: rows that softmax stumbles over, through every implementation on the CPU and on the emulated GPU:
 * -infinity among numbers, nothing but -infinity, +infinity, NaN, numbers at the end of the range, all equal, rising
 * and falling. What is NaN in the reference, as in PyTorch and SciPy, must be NaN; all else must lie within the bound.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/registry/registry.h"
#include "bench/verify/bounds.h"
#include "bench/verify/stage.h"

enum { LONGEST = 1030, MOST = 64 };

typedef double row_value(int64_t j, int64_t n);

static double one_minus_infinity(int64_t j, int64_t n)
{
    return j == n / 2 ? -INFINITY : (double)(j % 7);
}
static double leading_minus_infinity(int64_t j, int64_t n)
{
    (void)n;
    return j < 3 ? -INFINITY : (double)(j % 5) - 1e3;
}
static double only_last_is_finite(int64_t j, int64_t n)
{
    return j == n - 1 ? 2.5 : -INFINITY;
}
static double nothing_but_minus_infinity(int64_t j, int64_t n)
{
    (void)j;
    (void)n;
    return -INFINITY;
}
static double one_plus_infinity(int64_t j, int64_t n)
{
    return j == n / 3 ? INFINITY : (double)j;
}
static double one_nan(int64_t j, int64_t n)
{
    return j == n - 1 ? NAN : 1;
}
static double nan_beside_minus_infinity(int64_t j, int64_t n)
{
    (void)n;
    return j == 0 ? NAN : -INFINITY;
}
static double large(int64_t j, int64_t n)
{
    (void)n;
    return j % 3 == 0 ? 1e38 : j % 3 == 1 ? -1e38 : 3e38;
}
static double apart(int64_t j, int64_t n) /* whose difference FP32 cannot hold */
{
    (void)n;
    return j % 2 == 0 ? 3e38 : -3e38;
}
static double all_equal(int64_t j, int64_t n)
{
    (void)j;
    (void)n;
    return -7.25;
}
static double all_large(int64_t j, int64_t n)
{
    (void)j;
    (void)n;
    return 1e38;
}
static double rising(int64_t j, int64_t n) /* each is a new largest number */
{
    (void)n;
    return 0.125 * (double)j;
}
static double slowly_rising(int64_t j, int64_t n)
{
    (void)n;
    return 0x1p-12 * (double)j;
}
static double falling(int64_t j, int64_t n)
{
    (void)n;
    return -0.5 * (double)j;
}
static double around_the_smallest(int64_t j, int64_t n) /* exp(-87.3) is the smallest normal number of FP32 */
{
    (void)n;
    return j == 0 ? 0 : -85 - 0.25 * (double)(j % 40);
}
static double tiny(int64_t j, int64_t n)
{
    (void)n;
    return 1e-40 * (double)j;
}

static row_value *const row_table[] = {
    one_minus_infinity,
    leading_minus_infinity,
    only_last_is_finite,
    nothing_but_minus_infinity,
    one_plus_infinity,
    one_nan,
    nan_beside_minus_infinity,
    large,
    apart,
    all_equal,
    all_large,
    rising,
    slowly_rising,
    falling,
    around_the_smallest,
    tiny,
};
enum { ROWS = sizeof row_table / sizeof row_table[0] };

struct row {
    struct duel_place *place;
    const struct duel_impl *impl;
    const struct duel_types *types;
    char name[100];
};

static const struct duel_workload *softmax(void)
{
    return workload_find("softmax", strlen("softmax"));
}

static void compare(const struct row *row, const struct duel_stage *stage, const double *right, const double *size)
{
    const struct duel_problem *p = &stage->problem;
    const struct duel_bounds bounds = bounds_make(p, softmax()->terms(p), p->n, true);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            const int64_t at = i * p->n + j;
            const double value = dtype_load(p->types.out, stage->host[1].data, (size_t)(i * p->ld[1] + j));
            const bool same = isnan(right[at])
                                  ? isnan(value)
                                  : fabs(value - right[at]) <= bounds_element(&bounds, size[at], right[at]);
            if (!same)
                fail_msg("%s: kind of row %lld, %lld numbers, element %lld: %.9g, not %.9g", row->name, (long long)i,
                         (long long)p->n, (long long)j, value, right[at]);
        }
}

static void run_length(const struct row *row, int64_t n)
{
    const struct duel_problem problem = {
        .m = ROWS, .n = n, .k = 1, .count = 1, .ld = {n + 3, n + 5}, .alpha = 1, .types = *row->types};
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_stage stage;
    struct duel_call call = {.why = &why};
    double *x = calloc((size_t)(3 * ROWS * n), sizeof *x), *right = x + ROWS * n, *size = right + ROWS * n;
    assert_non_null(x);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < n; j++)
            x[i * n + j] = row_table[i](j, n);
    const struct duel_matrix rows = {DUEL_FP64, ROWS, n, n, x};
    const struct duel_matrix *const input[DUEL_MAX_OPERANDS] = {&rows};
    assert_int_equal(
        stage_open(&stage, row->place->backend, row->place->device, DUEL_PAGEABLE, softmax(), &problem, &why), DUEL_OK);
    /* Infinities of FP32 that are infinities already are no overflow; but the stage is careful with a user's numbers.
     */
    const enum duel_status filled = stage_fill(&stage, DUEL_UNIFORM, 1, input, &why);
    assert_true(filled == DUEL_OK || (filled == DUEL_SKIP && stage.overflowed));
    assert_int_equal(stage_upload(&stage, &why), DUEL_OK);
    softmax()->reference(&problem, stage.host, NULL, right, size);
    stage_bind(&stage, &call);
    call.threads = row->impl->threads ? row->impl->threads(2) : 1;
    if (row->impl->open)
        assert_int_equal(row->impl->open(&call), DUEL_OK);
    if (stage_call(&stage, row->impl, &call) != DUEL_OK)
        fail_msg("%s: %s", row->name, why.seen);
    if (row->impl->close && call.state)
        row->impl->close(call.state);
    compare(row, &stage, right, size);
    stage_close(&stage);
    free(x);
}

static void hostile_rows(void **state)
{
    static const int64_t length[] = {1, 2, 3, 5, 8, 17, 32, 33, 65, 257, LONGEST};
    const struct row *row = *state;
    const struct duel_problem problem = {
        .m = ROWS, .n = LONGEST, .k = 1, .count = 1, .ld = {LONGEST, LONGEST}, .types = *row->types};
    struct duel_why why = {{0}, {0}, {0}};
    if (row->impl->supports && row->impl->supports(&problem, &row->place->info, &why) != DUEL_OK) {
        print_message("# %s: %s\n", row->name, why.seen);
        skip();
    }
    for (size_t i = 0; i < sizeof length / sizeof length[0]; i++)
        run_length(row, length[i]);
}

/* What the reference itself says of them, in words that do not come from its own code. */
static void the_reference_says_what_pytorch_says(void **state)
{
    (void)state;
    const struct duel_problem problem = {.m = 1, .n = 3, .ld = {3, 3}, .types = {DUEL_FP64, DUEL_FP64, DUEL_FP64}};
    static const struct {
        double x[3], y[3];
    } known[] = {
        {{-INFINITY, -INFINITY, -INFINITY}, {NAN, NAN, NAN}},
        {{-INFINITY, 0, -INFINITY}, {0, 1, 0}},
        {{INFINITY, 0, 0}, {NAN, NAN, NAN}},
        {{NAN, 0, 0}, {NAN, NAN, NAN}},
        {{5, 5, 5}, {1 / 3.0, 1 / 3.0, 1 / 3.0}},
        {{1e38, -1e38, 1e38}, {0.5, 0, 0.5}},
        {{0, 1, 2}, {0.09003057317038046, 0.24472847105479764, 0.6652409557748218}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double x[3], y[3], size[3];
        memcpy(x, known[i].x, sizeof x);
        const struct duel_matrix in = {DUEL_FP64, 1, 3, 3, x};
        softmax()->reference(&problem, &in, NULL, y, size);
        for (int j = 0; j < 3; j++)
            assert_true(isnan(known[i].y[j]) ? isnan(y[j]) : fabs(y[j] - known[i].y[j]) < 1e-15);
    }
}

static int add_rows(struct duel_place *place, struct row *list, struct CMUnitTest *tests, int count)
{
    for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
        for (int t = 0; t < DUEL_MAX_TYPES && (*impl)->types[t].in != DUEL_NONE && count < MOST; t++) {
            if (workload_of((*impl)->name) != softmax())
                continue;
            struct row *row = &list[count];
            *row = (struct row){place, *impl, &(*impl)->types[t], ""};
            snprintf(row->name, sizeof row->name, "%s %s", (*impl)->name, dtype_name(row->types->in));
            tests[count++] = (struct CMUnitTest){row->name, hostile_rows, NULL, NULL, row};
        }
    return count;
}

int main(void)
{
    static struct row list[MOST];
    static struct CMUnitTest tests[MOST + 1];
    struct duel_registry *registry = calloc(1, sizeof *registry);
    int count = 0;
    if (!registry)
        return 1;
    registry_load(registry);
    for (int i = 0; i < registry->count; i++) {
        struct duel_place *place = &registry->place[i];
        const bool played = place->backend && (i == 0 || place->backend->emulated);
        if (played && place_open(place, NULL) == DUEL_OK)
            count = add_rows(place, list, tests, count);
    }
    tests[count++] = (struct CMUnitTest){"the reference says what PyTorch says", the_reference_says_what_pytorch_says,
                                         NULL, NULL, NULL};
    const int failed = _cmocka_run_group_tests("softmax", tests, (size_t)count, NULL, NULL);
    registry_close(registry);
    free(registry);
    return failed;
}
