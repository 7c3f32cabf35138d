/* network.c: the reference of training against differences of the loss itself, its error bars, and wrong steps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/verify/verify.h"
#include "bench/workload/network.h"

enum { X = 0, T = 1, W = 2, M = 12, N = 9, K = 6, C = 4, WEIGHTS = N * (K + 1) + C * (N + 1) };

/* Samples, labels and weights in FP64, and the weights after a step of rate 1. */
static struct bench {
    struct duel_problem problem;
    double x[M * K], t[M], w[WEIGHTS], after[WEIGHTS], magnitude[WEIGHTS];
    struct duel_matrix operand[3];
} bench;

static const struct duel_workload *train(void)
{
    return workload_find("mlp_train", strlen("mlp_train"));
}

static int open_bench(void **state)
{
    (void)state;
    memset(&bench, 0, sizeof bench);
    bench.problem = (struct duel_problem){.m = M, .n = N, .k = K, .count = C, .alpha = 1, .beta = 1};
    bench.problem.types = (struct duel_types){DUEL_FP64, DUEL_FP64, DUEL_FP64};
    workload_tight(train(), &bench.problem);
    bench.operand[X] = (struct duel_matrix){DUEL_FP64, M, K, K, bench.x};
    bench.operand[T] = (struct duel_matrix){DUEL_FP64, M, 1, 1, bench.t};
    bench.operand[W] = (struct duel_matrix){DUEL_FP64, 1, WEIGHTS, WEIGHTS, bench.w};
    for (int i = 0; i < 3; i++)
        matrix_fill(&bench.operand[i], DUEL_UNIFORM, 3, i, NULL);
    train()->prepare(&bench.problem, bench.operand);
    train()->reference(&bench.problem, bench.operand, bench.operand, bench.after, bench.magnitude);
    return 0;
}

static double loss(void)
{
    struct network net;
    double sum = 0;
    assert_true(network_open(&net, &bench.problem, &bench.operand[W]));
    for (int64_t i = 0; i < M; i++) {
        network_forward(&net, &bench.operand[X], i);
        sum += network_loss(&net, (int64_t)bench.t[i]) / M;
    }
    network_close(&net);
    return sum;
}

static void labels_are_classes(void **state)
{
    bool seen[C] = {false};
    (void)state;
    for (int i = 0; i < M; i++) {
        assert_true(bench.t[i] >= 0 && bench.t[i] < C && bench.t[i] == floor(bench.t[i]));
        seen[(int)bench.t[i]] = true;
    }
    assert_true(seen[0] + seen[1] + seen[2] + seen[3] > 2);
}

/* Each weight alone, a little up and a little down: the loss changes as its step says. */
static void steps_go_down_the_slope(void **state)
{
    const double h = 1e-6;
    int moved = 0;
    (void)state;
    for (int i = 0; i < WEIGHTS; i++) {
        const double before = bench.w[i], step = before - bench.after[i];
        bench.w[i] = before + h;
        const double up = loss();
        bench.w[i] = before - h;
        const double slope = (up - loss()) / (2 * h);
        bench.w[i] = before;
        if (!(fabs(slope - step) <= 1e-7))
            fail_msg("weight %d: slope %.9g, step %.9g", i, slope, step);
        moved += fabs(step) > 1e-4;
    }
    assert_true(moved > WEIGHTS / 2);
}

static void the_loss_falls(void **state)
{
    const double before = loss();
    (void)state;
    memcpy(bench.w, bench.after, sizeof bench.w);
    assert_true(loss() < before);
}

static struct duel_verdict judge(const struct duel_types *types, const double *weights)
{
    struct duel_problem problem = bench.problem;
    struct duel_expectation expectation;
    struct duel_verdict verdict;
    struct duel_why why;
    float stored[WEIGHTS];
    const struct duel_matrix output = {DUEL_FP32, 1, WEIGHTS, WEIGHTS, stored};
    problem.types = *types;
    for (int i = 0; i < WEIGHTS; i++)
        stored[i] = (float)weights[i];
    assert_int_equal(expectation_make(&expectation, train(), &problem, bench.operand, bench.operand, false, &why),
                     DUEL_OK);
    assert_int_equal(verify_output(&expectation, &problem, &output, 1, &verdict, &why), DUEL_OK);
    expectation_free(&expectation);
    return verdict;
}

/* A step that leaves out one weight, goes the wrong way, or forgets the mean, is wrong in FP32 and in FP16. */
static void wrong_steps_are_found(void **state)
{
    static const struct duel_types types[] = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP16, DUEL_FP32, DUEL_FP32}};
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        double wrong[WEIGHTS];
        assert_true(judge(&types[kind], bench.after).right);
        for (int i = 0; i < WEIGHTS; i++) {
            memcpy(wrong, bench.after, sizeof wrong);
            wrong[i] = bench.w[i];
            if (fabs(wrong[i] - bench.after[i]) > 1e-2)
                assert_false(judge(&types[kind], wrong).right);
        }
        for (int i = 0; i < WEIGHTS; i++)
            wrong[i] = 2 * bench.w[i] - bench.after[i];
        assert_false(judge(&types[kind], wrong).right);
        for (int i = 0; i < WEIGHTS; i++)
            wrong[i] = bench.w[i] + M * (bench.after[i] - bench.w[i]);
        assert_false(judge(&types[kind], wrong).right);
        wrong[0] = NAN;
        assert_false(judge(&types[kind], wrong).right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(labels_are_classes, open_bench),
        cmocka_unit_test_setup(steps_go_down_the_slope, open_bench),
        cmocka_unit_test_setup(the_loss_falls, open_bench),
        cmocka_unit_test_setup(wrong_steps_are_found, open_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
