/* scaling.c: a verdict on a right implementation changes neither with the size of its inputs nor when its products
 * cancel, and a wrong one is found at every size. Every CPU implementation and FP32, FP64 of this build. */
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
#include "tests/unit/trial.h"

enum kind { PLAIN, CANCELLED, VANISHED };

/* The second half of each sum takes the first one back: all but a part of 1e-6 (CANCELLED), or all (VANISHED). */
static void cancel(struct trial *t, enum kind kind)
{
    const int64_t half = t->problem.k / 2;
    for (int64_t l = 0; l < half && kind != PLAIN; l++) {
        for (int64_t i = 0; i < t->problem.m; i++)
            trial_set(&t->operand[DUEL_A], i, half + l, trial_get(&t->operand[DUEL_A], i, l));
        for (int64_t j = 0; j < t->problem.n; j++) {
            const double left = kind == CANCELLED ? 1 - 1e-6 * (double)(l % 7) : 1;
            trial_set(&t->operand[DUEL_B], half + l, j, -left * trial_get(&t->operand[DUEL_B], l, j));
        }
    }
}

static void scale(struct trial *t, double by)
{
    for (int operand = DUEL_A; operand <= DUEL_C; operand++)
        for (int64_t i = 0; i < t->operand[operand].rows; i++)
            for (int64_t j = 0; j < t->operand[operand].columns; j++)
                trial_set(&t->operand[operand], i, j, by * trial_get(&t->operand[operand], i, j));
}

/* Runs the implementation on the trial's operands, into its output. */
static void run(struct trial *t, const struct duel_impl *impl)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_call call = {.problem = &t->problem, .why = &why};
    call.threads = impl->threads ? impl->threads(1) : 1;
    for (int i = DUEL_A; i <= DUEL_B; i++)
        call.operand[i] = t->operand[i].data;
    call.operand[DUEL_C] = t->output.data;
    const size_t workspace = impl->workspace ? impl->workspace(&t->problem) : 0;
    call.workspace = malloc(workspace + 1);
    matrix_poison(&t->output);
    if (impl->open)
        assert_int_equal(impl->open(&call), DUEL_OK);
    assert_int_equal(impl->run(&call), DUEL_OK);
    if (impl->close && call.state)
        impl->close(call.state);
    free(call.workspace);
}

/* The right answer must pass, and the same with one element off by a part of the products' size, which cancellation
 * does not hide, must not. */
static void judge(const struct duel_impl *impl, struct duel_types types, double by, enum kind kind, bool large)
{
    struct trial t;
    const int64_t n = large ? 701 : 48, k = large ? 622 : 256;
    trial_open(&t, n, n, k, 0, types, DUEL_UNIFORM);
    cancel(&t, kind);
    scale(&t, by);
    trial_expect(&t, false);
    assert_true(large == (t.expectation.probes != NULL));
    run(&t, impl);
    const struct duel_verdict right = trial_verdict(&t, 1);
    trial_set(&t.output, n / 2, n / 3, trial_get(&t.output, n / 2, n / 3) + by * by);
    const struct duel_verdict wrong = trial_verdict(&t, 1);
    trial_close(&t);
    if (!right.right)
        fail_msg("%s %s x %g kind %d: %s", impl->name, dtype_name(types.in), by, kind, right.reason);
    if (wrong.right)
        fail_msg("%s %s x %g kind %d: a wrong element was let through", impl->name, dtype_name(types.in), by, kind);
}

static void every_implementation(double by, enum kind kind, bool large)
{
    int judged = 0;
    for (const struct duel_impl *const *impl = cpu_impl_table; *impl; impl++)
        for (int type = strncmp((*impl)->name, "cpu/gemm/", 9) == 0 ? 0 : DUEL_MAX_TYPES;
             type < DUEL_MAX_TYPES && (*impl)->types[type].in != DUEL_NONE; type++, judged++)
            judge(*impl, (*impl)->types[type], by, kind, large);
    assert_true(judged > 0);
}

static void verdicts_do_not_depend_on_size_or_cancellation(void **state)
{
    static const double sizes[] = {1, 1e-6, 1e6, 0x1p-20, 3e-12};
    (void)state;
    for (int kind = PLAIN; kind <= VANISHED; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            every_implementation(sizes[s], (enum kind)kind, false);
}

static void nor_do_those_of_freivalds(void **state)
{
    (void)state;
    every_implementation(1e-6, CANCELLED, true);
    every_implementation(1e6, VANISHED, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_do_not_depend_on_size_or_cancellation),
        cmocka_unit_test(nor_do_those_of_freivalds),
    };
    return cmocka_run_group_tests_name("scaling", tests, NULL, NULL);
}
