/* mock_memory.c: what the plan says a group needs is what the group takes: device memory to the byte, host memory as
 * the C library counts it. */
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/memory.h"
#include "bench/verify/stage.h"
#include "tests/mock/mock.h"

#define CACHE ((size_t)1 << 20)
#define SLACK ((size_t)192 << 10) /* samples, rows, the heap's own bookkeeping; far less than any part of the plan */

static struct {
    size_t device, device_most, heap_before, heap_most;
} seen;

static size_t heap(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Another allocator, such as a sanitizer's, does not tell glibc. */
static bool heap_counts(void)
{
    const size_t before = heap();
    char *volatile block = malloc((size_t)1 << 20);
    const bool counted = block && heap() - before >= (size_t)1 << 20;
    free(block);
    return counted;
}

static void look(void)
{
    const size_t now = heap() - seen.heap_before;
    seen.heap_most = now > seen.heap_most ? now : seen.heap_most;
}

/* The size stands before the block, so that what is released can be counted. */
static enum duel_status counting_alloc(void *device, size_t bytes, void **pointer, struct duel_why *why)
{
    size_t *block = malloc(bytes + 256);
    (void)why;
    assert_non_null(block);
    *block = bytes;
    *pointer = (char *)block + 256;
    ((struct mock *)device)->allocations++;
    seen.device += bytes;
    seen.device_most = seen.device > seen.device_most ? seen.device : seen.device_most;
    return DUEL_OK;
}

static void counting_release(void *device, void *pointer)
{
    size_t *block = (size_t *)((char *)pointer - 256);
    ((struct mock *)device)->allocations--;
    seen.device -= *block;
    free(block);
}

static enum duel_status run(const struct duel_call *call)
{
    look();
    return mock_right.run(call);
}

static size_t workspace(const struct duel_problem *problem)
{
    return (size_t)(problem->m * 1000);
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

static void prepare(struct trial *trial, struct duel_shape shape, double beta, enum duel_cache cache)
{
    memset(trial, 0, sizeof *trial);
    memset(&seen, 0, sizeof seen);
    trial->mock.kernel_s = 1e-3;
    trial->a = trial->b = mock_right;
    trial->a.run = trial->b.run = run;
    trial->b.workspace = workspace;
    trial->impls[0] = &trial->a;
    trial->impls[1] = &trial->b;
    mock_place(&trial->place, &trial->mock, trial->impls);
    trial->backend = mock_backend;
    trial->backend.alloc = counting_alloc;
    trial->backend.release = counting_release;
    trial->place.backend = &trial->backend;
    snprintf(trial->place.info.property[0].name, sizeof trial->place.info.property[0].name, "l2_cache_bytes");
    trial->place.info.property[0].number = CACHE;
    trial->place.info.property_count = 1;
    mock_group(&trial->group, &trial->place, 1, beta);
    trial->group.problem = (struct duel_problem){.m = shape.m, .n = shape.n, .k = shape.k, .count = 1};
    trial->group.cache = cache;
    for (int i = 0; i < trial->group.count; i++) {
        struct duel_problem *problem = &trial->group.cases[i].problem;
        *problem = (struct duel_problem){.m = shape.m, .n = shape.n, .k = shape.k, .alpha = 1, .beta = beta};
        problem->types = trial->a.types[0];
        problem->ld[DUEL_A] = shape.k;
        problem->ld[DUEL_B] = problem->ld[DUEL_C] = shape.n;
    }
    trial->runner.options = (struct duel_runner_options){
        .rules = {.min_samples = 4, .max_samples = 4, .timeout_s = 1e6, .warmup_s = 0, .warmup_max_s = 1},
        .seed = 7,
        .cache = cache,
        .read_s = NAN,
        .deadline = INFINITY};
}

/* Runs the group; the device's own blocks are on the heap as well and are taken off again. */
static void plan_and_take(struct duel_shape shape, double beta, enum duel_cache cache)
{
    struct trial *trial = malloc(sizeof *trial);
    struct duel_why why;
    prepare(trial, shape, beta, cache);
    const struct duel_memory need = group_memory(&trial->group, NULL);
    seen.heap_before = heap();
    assert_int_equal(runner_group(&trial->runner, &trial->group, trial->result, &why), DUEL_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trial->result[i].status, ROW_OK);
        result_free(&trial->result[i]);
    }
    assert_int_equal(trial->mock.allocations, 0);
    assert_int_equal(need.device, seen.device_most);
    if (heap_counts()) {
        assert_true(seen.heap_most <= need.host + need.device + SLACK);
        /* Staging of copies and rows are gone when the implementation runs: the plan may be above by them. */
        assert_true(seen.heap_most + SLACK + ((size_t)1 << 20) + need.verifier / 2 >= need.host + need.device);
    }
    free(trial->group.cases);
    free(trial);
}

static void the_plan_is_what_is_taken(void **state)
{
    (void)state;
    plan_and_take((struct duel_shape){200, 300, 50, 1, 3}, 0, DUEL_CACHE_HOT);
    plan_and_take((struct duel_shape){200, 300, 50, 1, 3}, -0.5, DUEL_CACHE_HOT);
    plan_and_take((struct duel_shape){8, 8, 8, 1, 3}, 0, DUEL_CACHE_ROTATED);
    plan_and_take((struct duel_shape){1, 1, 1, 1, 3}, 0, DUEL_CACHE_ROTATED);
    plan_and_take((struct duel_shape){100, 100, 100, 1, 3}, 0, DUEL_CACHE_ROTATED);
    plan_and_take((struct duel_shape){1000, 700, 9, 1, 3}, 0,
                  DUEL_CACHE_ROTATED); /* larger than twice the cache itself */
}

/* More rows than the sums of all probes may take memory for. */
static void the_verifier_of_a_tall_output_stays_small(void **state)
{
    (void)state;
    const struct duel_shape tall = {700000, 4, 1, 1, 3};
    struct trial trial;
    prepare(&trial, tall, 0, DUEL_CACHE_HOT);
    const struct duel_memory need = group_memory(&trial.group, NULL);
    free(trial.group.cases);
    assert_true(need.verifier < (uint64_t)32 << 20);
    plan_and_take(tall, 0, DUEL_CACHE_HOT);
}

/* However small the operands: as many copies as fill the cache twice over, each in lines of its own. */
static void small_operands_still_span_the_cache(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 64; n *= 4) {
        struct trial trial;
        struct duel_stage stage;
        struct duel_ring ring;
        struct duel_why why;
        struct duel_call call = {.why = &why};
        int64_t lap = 0;
        prepare(&trial, (struct duel_shape){n, n, n, 1, 3}, 0, DUEL_CACHE_ROTATED);
        assert_int_equal(stage_open(&stage, trial.place.backend, &trial.mock, DUEL_PAGEABLE, trial.group.workload,
                                    &trial.group.cases[0].problem, &why),
                         DUEL_OK);
        assert_int_equal(stage_fill(&stage, DUEL_UNIFORM, 1, NULL, &why), DUEL_OK);
        assert_int_equal(ring_open(&ring, &stage, 2 * CACHE, &why), DUEL_OK);
        stage_bind(&stage, &call);
        do {
            const size_t line = 64, bytes = (size_t)(n * n) * sizeof(float);
            ring_turn(&ring, &call);
            lap += 3 * (int64_t)((bytes + line - 1) / line * line);
            for (int i = 0; i < 2; i++)
                assert_memory_equal(call.operand[i], stage.host[i].data, bytes);
        } while (call.operand[DUEL_A] != stage.on_device[DUEL_A]);
        assert_true(lap >= 2 * (int64_t)CACHE);
        ring_close(&ring);
        stage_close(&stage);
        free(trial.group.cases);
        assert_int_equal(trial.mock.allocations, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_is_what_is_taken),
        cmocka_unit_test(the_verifier_of_a_tall_output_stays_small),
        cmocka_unit_test(small_operands_still_span_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
