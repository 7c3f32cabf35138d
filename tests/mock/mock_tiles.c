/* mock_tiles.c: tuning on a device whose clock is a script: the shape that the script makes fastest is remembered, used
 * by later runs, and told in their rows; wrong, damaged and foreign knowledge is not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/tiles.h"
#include "bench/options/options.h"
#include "tests/mock/mock.h"
#include "tests/unit/rows.h"

/* Takes `share` of the script's time. */
static enum duel_status timed(const struct duel_call *call, double share)
{
    struct mock *mock = call->queue;
    const double kernel_s = mock->kernel_s;
    mock->kernel_s = share * kernel_s;
    const enum duel_status status = mock_run(call);
    mock->kernel_s = kernel_s;
    return status;
}

static enum duel_status own(const struct duel_call *call)
{
    return timed(call, 1);
}

static enum duel_status faster(const struct duel_call *call)
{
    return timed(call, 0.5);
}

static enum duel_status slower(const struct duel_call *call)
{
    return timed(call, 2);
}

/* Fastest of all, and it does nothing. */
static enum duel_status wrong(const struct duel_call *call)
{
    (void)call;
    return DUEL_OK;
}

#define FP32                                \
    {                                       \
        {                                   \
            DUEL_FP32, DUEL_FP32, DUEL_FP32 \
        }                                   \
    }
static const struct duel_impl shape_own = {.name = "gpu/gemm/shaped", .types = FP32, .run = own};
static const struct duel_impl shape_faster = {.name = "gpu/gemm/shaped_64x64", .types = FP32, .run = faster};
static const struct duel_impl shape_slower = {.name = "gpu/gemm/shaped_64x128", .types = FP32, .run = slower};
static const struct duel_impl shape_wrong = {.name = "gpu/gemm/shaped_8x8", .types = FP32, .run = wrong};
static const struct duel_impl *const all[] = {&shape_own, &shape_faster, &shape_slower, &shape_wrong, NULL};
static const struct duel_impl *const slow[] = {&shape_own, &shape_slower, &shape_wrong, NULL};

struct bench {
    struct mock mock;
    struct duel_place place;
    struct duel_group group;
    struct duel_plan plan;
    struct duel_runner runner;
    struct duel_result result[4];
};

static void prepare(struct bench *bench, const struct duel_impl *const *impls, int cases)
{
    memset(bench, 0, sizeof *bench);
    bench->mock = (struct mock){.upload_s = 1e-3, .kernel_s = 4e-3, .download_s = 1e-3};
    mock_place(&bench->place, &bench->mock, impls);
    snprintf(bench->place.id, sizeof bench->place.id, "cuda:0");
    snprintf(bench->place.info.name, sizeof bench->place.info.name, "Test GPU");
    mock_group(&bench->group, &bench->place, 8, 0);
    bench->group.count = cases;
    bench->plan = (struct duel_plan){.groups = &bench->group, .count = 1, .cases = cases, .runnable = cases};
    bench->runner.options.rules = (struct duel_sampler_rules){
        .target_ci = 0.01, .min_samples = 10, .max_samples = 100, .timeout_s = 100, .warmup_s = 0.1, .warmup_max_s = 1};
    bench->runner.options.read_s = NAN;
    bench->runner.options.deadline = INFINITY;
}

static void run(struct bench *bench)
{
    struct duel_why why;
    assert_int_equal(runner_group(&bench->runner, &bench->group, bench->result, &why), DUEL_OK);
}

static void finish(struct bench *bench)
{
    for (int i = 0; i < bench->group.count; i++)
        result_free(&bench->result[i]);
    free(bench->group.cases);
}

static void the_fastest_right_shape_is_remembered_and_used(void **state)
{
    (void)state;
    struct bench bench;
    json_t *tiles = json_object();
    prepare(&bench, all, 4);
    assert_true(tiles_can_be_tuned(&bench.plan));
    run(&bench);
    assert_int_equal(bench.result[3].status, ROW_FAILED);
    assert_int_equal(tiles_remember(tiles, bench.result, 4), 1);
    assert_int_equal(json_object_size(tiles), 1);
    assert_string_equal(json_string_value(json_object_get(tiles, "Test GPU | gpu/gemm/shaped | fp32 | 2^3")), "64x64");
    finish(&bench);

    prepare(&bench, all, 1); /* a later run: the implementation alone */
    assert_false(tiles_can_be_tuned(&bench.plan));
    assert_int_equal(tiles_use(tiles, &bench.plan), 1);
    run(&bench);
    assert_string_equal(bench.result[0].implementation, "gpu/gemm/shaped");
    assert_string_equal(bench.result[0].tile, "64x64");
    assert_int_equal(bench.result[0].status, ROW_OK);
    assert_true(fabs(bench.result[0].kernel.median - 2e-3) < 1e-9);
    finish(&bench);

    prepare(&bench, all, 1); /* another GPU knows nothing of it */
    snprintf(bench.place.info.name, sizeof bench.place.info.name, "Other GPU");
    assert_int_equal(tiles_use(tiles, &bench.plan), 0);
    run(&bench);
    assert_string_equal(bench.result[0].tile, "");
    assert_true(fabs(bench.result[0].kernel.median - 4e-3) < 1e-9);
    finish(&bench);
    json_decref(tiles);
}

static void its_own_shape_can_be_the_best(void **state)
{
    (void)state;
    struct bench bench;
    json_t *tiles = json_object();
    prepare(&bench, slow, 3);
    run(&bench);
    assert_int_equal(tiles_remember(tiles, bench.result, 3), 1);
    finish(&bench);
    prepare(&bench, slow, 1);
    assert_int_equal(tiles_use(tiles, &bench.plan), 0);
    json_object_set_new(tiles, "Test GPU | gpu/gemm/shaped | fp32 | 2^3", json_string("32x32")); /* is here no more */
    assert_int_equal(tiles_use(tiles, &bench.plan), 0);
    free(bench.group.cases);
    json_decref(tiles);
}

static void the_largest_problem_speaks_for_its_class(void **state)
{
    (void)state;
    struct duel_result rows[5] = {row_gpu("gpu/gemm/shaped", 1000, DUEL_FP32, 1e-3, 1e-3, 0.01),
                                  row_gpu("gpu/gemm/shaped_64x64", 1000, DUEL_FP32, 2e-3, 1e-3, 0.01),
                                  row_gpu("gpu/gemm/shaped", 900, DUEL_FP32, 1e-3, 1e-3, 0.01),
                                  row_gpu("gpu/gemm/shaped_64x64", 900, DUEL_FP32, 0.5e-3, 1e-3, 0.01),
                                  row_gpu("gpu/gemm/shaped", 4096, DUEL_FP32, 1e-3, 1e-3, 0.01)};
    json_t *tiles = json_object();
    assert_int_equal(tiles_remember(tiles, rows, 5), 1); /* 4096 had no rival */
    assert_string_equal(json_string_value(json_object_get(tiles, "Test GPU | gpu/gemm/shaped | fp32 | 2^10")), "own");
    json_decref(tiles);
    for (int i = 0; i < 5; i++)
        result_free(&rows[i]);
}

static void the_file_is_kept_and_distrusted(void **state)
{
    (void)state;
    static const char *const damaged[] = {"",
                                          "{",
                                          "[]",
                                          "{\"schema\":1}",
                                          "{\"schema\":2,\"best\":{}}",
                                          "{\"schema\":1,\"best\":[]}",
                                          "{\"schema\":1,\"best\":{\"a\":\"b\"}"};
    char *dir = scratch_dir("tiles"), path[512];
    struct duel_why why;
    snprintf(path, sizeof path, "%s/new/tiles.json", dir);
    json_t *tiles = tiles_read(path, &why);
    assert_true(json_object_size(tiles) == 0 && !why.seen[0]); /* no file is no fault */
    json_object_set_new(tiles, "a | b | fp32 | 2^9", json_string("64x64"));
    assert_int_equal(tiles_write(path, tiles, &why), DUEL_OK);
    json_t *again = tiles_read(path, &why);
    assert_true(json_equal(tiles, again) && !why.seen[0]);
    json_decref(again);
    json_decref(tiles);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(damaged[i], file);
        fclose(file);
        tiles = tiles_read(path, &why);
        assert_int_equal(json_object_size(tiles), 0);
        assert_non_null(strstr(why.seen, "tiles.json is damaged"));
        json_decref(tiles);
    }
    scratch_drop(dir);
}

static void names_tell_shapes(void **state)
{
    (void)state;
    size_t base = 0;
    assert_string_equal(registry_tile("gpu/gemm/warptiled_64x128", &base), "64x128");
    assert_int_equal(base, strlen("gpu/gemm/warptiled"));
    static const char *const plain[] = {"gpu/gemm/warptiled", "gpu/gemm/mma_fp16", "gpu/gemm/a_64x",
                                        "gpu/gemm/a_x64",     "gpu/gemm/a_64x64b", "cpu/gemm/openmp_packed"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_null(registry_tile(plain[i], NULL));
    static const struct {
        const char *pattern;
        bool tune, shape;
    } table[] = {{"gemm", false, false},
                 {"all", false, false},
                 {"gemm", true, true},
                 {"gpu/gemm/shaped", true, true},
                 {"gpu/gemm/*", false, false},
                 {"gpu/gemm/*_*x*", false, true},
                 {"gpu/gemm/shaped_64x64", false, true},
                 {"gpu/gemm/other", true, false}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct duel_options options = {.pattern_count = 1, .tune = table[i].tune};
        options.pattern[0] = table[i].pattern;
        assert_int_equal(tiles_selected(&options, "gpu/gemm/shaped_64x64"), table[i].shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_right_shape_is_remembered_and_used),
        cmocka_unit_test(its_own_shape_can_be_the_best),
        cmocka_unit_test(the_largest_problem_speaks_for_its_class),
        cmocka_unit_test(the_file_is_kept_and_distrusted),
        cmocka_unit_test(names_tell_shapes),
    };
    return cmocka_run_group_tests_name("mock_tiles", tests, NULL, NULL);
}
