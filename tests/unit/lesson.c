/* The three sentences of `duel explain`: each says what its numbers say, whatever is missing among them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/trace/trace.h"

static const struct duel_impl impl = {.name = "gpu/test/one"}, below = {.name = "gpu/test/below"};

/* 100 TFLOP/s in FP32, 2 in FP64, 400 of Tensor Cores, 1 TB/s. */
static struct duel_card card(void)
{
    return (struct duel_card){.name = "Test",
                              .capability = 90,
                              .processors = 100,
                              .boost_mhz = 2000,
                              .fp32_tflops = 100,
                              .fp64_tflops = 2,
                              .fp16_tflops = 400,
                              .tf32_tflops = NAN,
                              .bandwidth_gb_s = 1000};
}

/* 1 GB asked for in passes of 128 bytes, 1 MB that must move, and no arithmetic. */
static struct duel_trace trace(const struct duel_impl *of)
{
    struct duel_trace made = {.impl = of, .compulsory_bytes = 1e6};
    made.total = (struct duel_trace_totals){
        .requests = 1e7, .sectors = 1e9 / 32, .global_bytes = 1e9, .passes = 1e9 / 128, .all_flops = NAN};
    return made;
}

static void with_flops(struct duel_trace *made, enum duel_dtype type, double flops)
{
    made->total.flops[type] = made->total.all_flops = made->defined_flops = flops;
    made->problem.types.in = type;
}

static void no_nonsense(char sentence[TRACE_SENTENCES][400])
{
    for (int i = 0; i < TRACE_SENTENCES; i++) {
        assert_true(strlen(sentence[i]) > 20);
        assert_null(strstr(sentence[i], "nan"));
        assert_null(strstr(sentence[i], "inf"));
    }
}

static void balance_is_that_of_the_type(void **state)
{
    const struct duel_card of = card();
    struct duel_trace now = trace(&impl), before = trace(&below);
    char sentence[TRACE_SENTENCES][400];
    (void)state;
    with_flops(&now, DUEL_FP32, 50e9);
    trace_lesson(&now, &before, &of, sentence);
    no_nonsense(sentence);
    assert_non_null(strstr(sentence[1], "50.00 FLOP per byte; the Test can do 100 while one byte arrives, and caches"));
    now = trace(&impl);
    with_flops(&now, DUEL_FP64, 50e9);
    trace_lesson(&now, &before, &of, sentence);
    no_nonsense(sentence);
    assert_non_null(
        strstr(sentence[1], "the Test can do 2.0 while one byte arrives, so memory is no longer the limit."));
    assert_non_null(strstr(sentence[2], "the arithmetic on the Test"));
}

static void a_unit_without_a_rate(void **state)
{
    const struct duel_card of = card();
    struct duel_trace now = trace(&impl);
    char sentence[TRACE_SENTENCES][400];
    (void)state;
    now.total.tensor_flops = now.total.all_flops = now.defined_flops = 1e12;
    now.problem.types.in = DUEL_TF32;
    trace_lesson(&now, NULL, &of, sentence);
    no_nonsense(sentence);
    assert_non_null(strstr(sentence[1], "how many the Test can do is not known."));
    assert_non_null(strstr(sentence[2], "not known; the time of Tensor Cores"));
    now.problem.types.in = DUEL_FP16;
    trace_lesson(&now, NULL, &of, sentence);
    assert_non_null(strstr(sentence[1], "the Test can do 400 while one byte arrives"));
}

static void work_that_only_moves(void **state)
{
    const struct duel_card of = card();
    struct duel_trace now = trace(&impl), before = trace(&below);
    char sentence[TRACE_SENTENCES][400];
    (void)state;
    before.total.global_bytes *= 4;
    trace_lesson(&now, &before, &of, sentence);
    no_nonsense(sentence);
    assert_non_null(strstr(sentence[0], "global memory moves 1.0 GB instead of 4.0 GB, 4.0 times less"));
    assert_non_null(strstr(sentence[1], "only data: 1.0 GB are asked of memory, and 1.0 MB must move at least."));
    assert_non_null(strstr(sentence[2], "39.1 times as long as memory at best on the Test")); /* 39 us against 1 us */
    now.compulsory_bytes = 1e9;
    trace_lesson(&now, &before, &of, sentence);
    no_nonsense(sentence);
    assert_non_null(strstr(sentence[2], "memory itself, on the Test"));
}

static void arithmetic_that_nobody_told_of(void **state)
{
    const struct duel_card of = card();
    struct duel_trace now = trace(&impl);
    char sentence[TRACE_SENTENCES][400];
    (void)state;
    now.defined_flops = 1e9;
    trace_lesson(&now, NULL, &of, sentence);
    no_nonsense(sentence);
    assert_non_null(strstr(sentence[1], "its arithmetic was not measured"));
    assert_non_null(strstr(sentence[2], "not known; the time of arithmetic on Test"));
}

/* Four words in each request are fewer requests for the same sectors: no lesson of better order, and no cache helps. */
static void wider_requests(void **state)
{
    const struct duel_card of = card();
    struct duel_trace now = trace(&impl), before = trace(&below);
    char sentence[TRACE_SENTENCES][400];
    (void)state;
    with_flops(&now, DUEL_FP32, 1e6);
    with_flops(&before, DUEL_FP32, 1e6);
    before.total.requests *= 4;
    now.compulsory_bytes = 1e9;
    trace_lesson(&now, &before, &of, sentence);
    no_nonsense(sentence);
    assert_non_null(strstr(sentence[0], "global requests are 10.00 M instead of 40.00 M, 4.0 times less."));
    assert_non_null(strstr(sentence[2], "memory itself"));
    assert_null(strstr(sentence[2], "Without caches"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance_is_that_of_the_type),
        cmocka_unit_test(a_unit_without_a_rate),
        cmocka_unit_test(work_that_only_moves),
        cmocka_unit_test(arithmetic_that_nobody_told_of),
        cmocka_unit_test(wider_requests),
    };
    return cmocka_run_group_tests_name("lesson", tests, NULL, NULL);
}
