/* mock_modes.c: cache states, order, overlap, disturbed samples; on a device that writes down what it is asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mock/mock.h"

/* What the implementations below were called with. The tests run one after the other in one thread. */
static struct {
    const void *operand[4096]; /* A of each call */
    char caller[4096];         /* 'a' or 'b' */
    int calls, flushes, waits, queue;
    int64_t interrupted, interrupt_every;
} seen;

static enum duel_status note(const struct duel_call *call, char who)
{
    if (seen.calls < 4096) {
        seen.operand[seen.calls] = call->operand[DUEL_A];
        seen.caller[seen.calls++] = who;
    }
    return mock_right.run(call);
}

/* Two implementations that differ in nothing but their letter. */
#define RUN(letter)                                                    \
    static enum duel_status run_##letter(const struct duel_call *call) \
    {                                                                  \
        return note(call, #letter[0]);                                 \
    }
RUN(a)
RUN(b)

static enum duel_status do_select(void *device, int queue, struct duel_why *why)
{
    (void)device;
    (void)why;
    seen.queue = queue;
    return DUEL_OK;
}

static enum duel_status do_wait(void *device, int slot, struct duel_why *why)
{
    (void)device;
    (void)slot;
    (void)why;
    seen.waits++;
    return DUEL_OK;
}

static enum duel_status do_flush(void *device, struct duel_why *why)
{
    seen.flushes += device && why;
    return DUEL_OK;
}

static int64_t interruptions(void)
{
    seen.interrupted += seen.interrupt_every;
    return seen.interrupted;
}

struct trial {
    struct mock mock;
    struct duel_backend backend;
    struct duel_impl a, b;
    const struct duel_impl *impls[3];
    struct duel_place place;
    struct duel_group group;
    struct duel_runner runner;
    struct duel_result result[2];
};

static void prepare(struct trial *trial, int64_t size, double beta)
{
    memset(&seen, 0, sizeof seen);
    trial->a = trial->b = mock_right;
    trial->a.run = run_a;
    trial->b.name = "gpu/gemm/other";
    trial->b.run = run_b;
    trial->impls[0] = &trial->a;
    trial->impls[1] = &trial->b;
    trial->impls[2] = NULL;
    mock_place(&trial->place, &trial->mock, trial->impls);
    trial->backend = mock_backend;
    trial->backend.select = do_select;
    trial->backend.wait = do_wait;
    trial->backend.flush = do_flush;
    trial->place.backend = &trial->backend;
    mock_group(&trial->group, &trial->place, size, beta);
    trial->runner.options = (struct duel_runner_options){
        .rules = {.min_samples = 8, .max_samples = 8, .timeout_s = 1e6, .warmup_s = 0, .warmup_max_s = 1},
        .seed = 7,
        .reuse = 10,
        .read_s = NAN,
        .deadline = INFINITY};
}

static void run(struct trial *trial)
{
    struct duel_why why;
    assert_int_equal(runner_group(&trial->runner, &trial->group, trial->result, &why), DUEL_OK);
    assert_int_equal(trial->mock.allocations, 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(trial->result[i].status, ROW_OK);
}

static void finish(struct trial *trial)
{
    for (int i = 0; i < 2; i++)
        result_free(&trial->result[i]);
    free(trial->group.cases);
}

static void flushed_runs_once_after_each_flush(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-6, .upload_s = 1e-6, .download_s = 1e-6}};
    prepare(&trial, 8, 0);
    trial.runner.options.cache = DUEL_CACHE_FLUSHED;
    run(&trial);
    assert_string_equal(trial.result[0].cache, "flushed");
    assert_int_equal(trial.result[0].batch, 1); /* though 1 us is short: only the first of a batch finds empty caches */
    assert_non_null(strstr(trial.result[0].interval_note, "with --cache flushed"));
    assert_int_equal(seen.flushes, 2 * (1 + 8 * 2)); /* a warm-up run, then two timed intervals per sample */
    finish(&trial);
}

static void a_device_that_cannot_flush_is_skipped(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3}};
    struct duel_why why;
    prepare(&trial, 8, 0);
    trial.backend.flush = NULL;
    trial.runner.options.cache = DUEL_CACHE_FLUSHED;
    assert_int_equal(runner_group(&trial.runner, &trial.group, trial.result, &why), DUEL_OK);
    assert_int_equal(trial.result[0].status, ROW_SKIPPED);
    assert_non_null(strstr(trial.result[0].reason, "cannot flush"));
    finish(&trial);
}

static void rotated_buffers_come_round_only_after_all_others(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-5}};
    prepare(&trial, 8, 0);
    snprintf(trial.place.info.property[0].name, sizeof trial.place.info.property[0].name, "l2_cache_bytes");
    trial.place.info.property[0].number = 8 * 8 * 4 * 3 * 4; /* four sets of operands: eight for twice the cache */
    trial.place.info.property_count = 1;
    trial.runner.options.cache = DUEL_CACHE_ROTATED;
    trial.runner.options.order = DUEL_ORDER_LISTED; /* so that a batch is followed by calls of the other one */
    run(&trial);
    assert_string_equal(trial.result[0].cache, "rotated");
    int batched = 0;
    for (int i = 1; i + 8 < seen.calls; i++) {
        bool turning = true;
        for (int j = 0; j < 8; j++)
            turning = turning && seen.caller[i + j] == seen.caller[i] && seen.operand[i + j] != seen.operand[i + j - 1];
        if (!turning || seen.caller[i + 8] != seen.caller[i] || seen.caller[i - 1] != seen.caller[i])
            continue;
        for (int j = 1; j < 8; j++)
            assert_ptr_not_equal(seen.operand[i], seen.operand[i + j]);
        assert_ptr_equal(seen.operand[i], seen.operand[i + 8]);
        batched++;
    }
    assert_true(batched > 10);
    finish(&trial);
}

/* The order in which the two were sampled: end to end and kernel, so two calls a sample. */
static void sampled(char *order, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < seen.calls; i++)
        if ((i == 0 || seen.caller[i] != seen.caller[i - 1]) && used + 1 < size)
            order[used++] = seen.caller[i];
    order[used] = '\0';
}

/* A run in this order; what was called stays in `seen`. */
static void run_in(enum duel_order how, uint64_t seed)
{
    struct trial trial = {.mock = {.kernel_s = 1e-3}};
    prepare(&trial, 8, 0);
    trial.runner.options.order = how;
    trial.runner.options.seed = seed;
    run(&trial);
    finish(&trial);
}

static void order_is_kept(void **state)
{
    (void)state;
    char order[200];
    run_in(DUEL_ORDER_ABBA, 7);
    sampled(order, sizeof order);
    /* exact, bound and warm-up: ab ab ab; eight rounds ab ba ab ...; the verdict: ab. Runs of one letter fold. */
    assert_string_equal(order, "abababababababab");
    run_in(DUEL_ORDER_LISTED, 7);
    sampled(order, sizeof order);
    assert_string_equal(order, "abababababababababababab");
}

static void random_order_is_random_and_repeats_with_its_seed(void **state)
{
    (void)state;
    static char order[4][sizeof seen.caller]; /* seed 7, again, another seed, and listed */
    for (int i = 0; i < 4; i++) {
        run_in(i < 3 ? DUEL_ORDER_RANDOM : DUEL_ORDER_LISTED, i < 2 ? 7 : 8);
        memcpy(order[i], seen.caller, sizeof seen.caller);
    }
    assert_string_equal(order[0], order[1]);
    assert_string_not_equal(order[0], order[2]);
    assert_string_not_equal(order[0], order[3]);
    assert_string_not_equal(order[2], order[3]);
}

static int grants_one(int wanted)
{
    (void)wanted;
    return 1;
}

static void threads_are_those_read_back(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3}};
    prepare(&trial, 8, 0);
    trial.a.threads = grants_one;
    trial.group.cases[0].threads = 4;
    run(&trial);
    assert_int_equal(trial.result[0].threads, 1);
    finish(&trial);
}

static void overlapped_passes_are_right_and_counted(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 7, 8, 9, 33};
    static const double betas[] = {0, -0.5};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t b = 0; b < 2; b++) {
            struct trial trial = {.mock = {.kernel_s = 1e-3, .upload_s = 2e-3, .download_s = 1e-3}};
            prepare(&trial, sizes[s], betas[b]);
            trial.runner.options.overlapped = true;
            run(&trial); /* ROW_OK: the chunked answer was judged before and after */
            assert_int_equal(trial.result[0].overlapped_s.count, 8);
            assert_true(trial.result[0].overlap_ratio > 0);
            assert_true(seen.waits > 0);
            assert_int_equal(seen.queue, 0);
            finish(&trial);
        }
}

static void disturbed_samples_are_kept_marked_and_repeated(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3}};
    prepare(&trial, 8, 0);
    trial.runner.options.interruptions = interruptions;
    trial.runner.options.rules.timeout_s = 1;
    seen.interrupt_every = 1; /* every sample is interrupted once */
    run(&trial);
    const struct duel_result *row = &trial.result[0];
    assert_string_equal(row->stop_reason, "timeout");
    assert_true(row->kernel_s.count > 100 && row->disturbed.count == row->kernel_s.count);
    assert_false(row->clean);
    assert_int_equal(row->kernel.count, row->kernel_s.count); /* no clean one: all are used, and it is said */
    finish(&trial);

    struct trial calm = {.mock = {.kernel_s = 1e-3}};
    prepare(&calm, 8, 0);
    calm.runner.options.interruptions = interruptions;
    run(&calm);
    assert_true(calm.result[0].clean && calm.result[0].disturbed.count == 0);
    finish(&calm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flushed_runs_once_after_each_flush),
        cmocka_unit_test(a_device_that_cannot_flush_is_skipped),
        cmocka_unit_test(rotated_buffers_come_round_only_after_all_others),
        cmocka_unit_test(order_is_kept),
        cmocka_unit_test(random_order_is_random_and_repeats_with_its_seed),
        cmocka_unit_test(threads_are_those_read_back),
        cmocka_unit_test(overlapped_passes_are_right_and_counted),
        cmocka_unit_test(disturbed_samples_are_kept_marked_and_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
