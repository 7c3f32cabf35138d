/* placement.c: where rows stand under ceilings. No number here was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/roofs_made.h"
#include "tests/unit/rows.h"

#define MIB 1048576
#define assert_near(value, expected) assert_true(fabs((value) - (expected)) <= 1e-9 * (expected))

static void intensity_has_two_ends(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    roofs_made(&roofs);
    struct duel_placement row = placement_made(&roofs, row_reaching("cpu/gemm/openblas", 1024, 2, 160));
    assert_int_equal(row.status, ROW_OK);
    assert_near(row.intensity, 1024 / 6.0);
    assert_near(row.no_reuse_intensity, 0.25);
    assert_string_equal(row.home, "L3"); /* 12 MiB */
    assert_string_equal(row.limit, "arithmetic");
    assert_near(row.roof_gflops, 200);
    assert_near(row.roof_percent, 80);
    assert_string_equal(row.no_reuse, "registers"); /* L1 would feed 100 */
}

static void the_farthest_level_that_could_feed_it(void **state)
{
    (void)state;
    static const struct {
        double gflops;
        const char *level;
    } cases[] = {{4.9, "memory"}, {5.1, "L3"}, {29, "L3"}, {31, "L2"}, {49, "L2"}, {99, "L1"}, {101, "registers"}};
    static struct duel_roofs roofs;
    roofs_made(&roofs);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(placement_made(&roofs, row_reaching("cpu/gemm/a", 1024, 2, cases[i].gflops)).no_reuse,
                            cases[i].level);
}

static void memory_makes_the_roof_of_low_intensity(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    roofs_made(&roofs);
    struct duel_result row = row_reaching("cpu/gemm/a", 4096, 2, 2);
    row.bytes = row.flops * 8; /* as of a matrix-vector product with nothing to reuse */
    struct duel_placement placement = placement_made(&roofs, row);
    assert_string_equal(placement.home, "memory");
    assert_string_equal(placement.limit, "memory");
    assert_near(placement.roof_gflops, 20 / 8.0);
    assert_near(placement.roof_percent, 80);
    assert_near(placement.no_reuse_intensity, placement.intensity);
}

static void above_its_roof_is_an_error(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    roofs_made(&roofs);
    assert_int_equal(placement_made(&roofs, row_reaching("cpu/gemm/a", 1024, 2, 209)).status, ROW_OK);
    struct duel_placement row = placement_made(&roofs, row_reaching("cpu/gemm/a", 1024, 2, 211));
    assert_int_equal(row.status, ROW_FAILED);
    assert_int_equal(row.cause, DUEL_EDEVICE);
    assert_non_null(strstr(row.reason, "did not reach the ceiling, or the kernel did not run"));
    assert_true(isnan(row.gflops) && isnan(row.roof_percent));
}

static void a_probe_beside_other_work_rejects_nothing(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    roofs_made(&roofs);
    struct duel_result busy = row_reaching("cpu/gemm/a", 1024, 2, 270),
                       absurd = row_reaching("cpu/gemm/a", 1024, 2, 1700);
    busy.foreign_cpu_share = absurd.foreign_cpu_share = 0.4;
    const struct duel_placement row = placement_made(&roofs, busy);
    assert_int_equal(row.status, ROW_OK);
    assert_true(row.gflops > 269 && isnan(row.roof_percent) && isnan(row.roof_gflops));
    assert_non_null(strstr(row.roof_why, "other work took 40 %"));
    assert_int_equal(placement_made(&roofs, absurd).status, ROW_FAILED);
    struct duel_result quiet = row_reaching("cpu/gemm/a", 1024, 2, 270);
    quiet.foreign_cpu_share = 0.01;
    assert_int_equal(placement_made(&roofs, quiet).status, ROW_FAILED);
}

static void what_is_not_known_is_not_made_up(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    roofs.count = 0;
    struct duel_placement row = placement_made(&roofs, row_reaching("cpu/gemm/a", 512, 2, 50));
    assert_int_equal(row.status, ROW_OK);
    assert_true(isnan(row.roof_gflops) && isnan(row.roof_percent));
    assert_string_equal(row.roof_why, "the arithmetic peak of fp32 is not known here");
    assert_string_equal(row.no_reuse, "");
    roofs_made(&roofs);
    assert_int_equal(placement_made(&roofs, row_failed("cpu/gemm/a", 512, "wrong")).status, ROW_FAILED);
    assert_true(isnan(placement_made(&roofs, row_failed("cpu/gemm/a", 512, "wrong")).gflops));
    assert_true(isnan(placement_made(&roofs, row_emulated("gpu/gemm/tiled", 512)).gflops));
    struct duel_result idle = row_reaching("cpu/gemm/a", 512, 2, 50);
    idle.flops = 0; /* k = 0: C is only scaled */
    row = placement_made(&roofs, idle);
    assert_int_equal(row.status, ROW_SKIPPED);
    assert_non_null(strstr(row.reason, "no arithmetic"));
    /* More threads can do what fewer did. */
    roofs.roof[0].gflops = 300;
    assert_near(placement_made(&roofs, row_reaching("cpu/gemm/a", 1024, 2, 150)).roof_percent, 50);
}

static duel_bytes made_traffic(const struct duel_problem *problem, duel_bytes cache_bytes)
{
    return cache_bytes + (double)problem->m; /* so that both show */
}

static const char *tell(void)
{
    return "a library";
}

static void modelled_traffic_stands_under_its_own_roof(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    static const struct duel_impl model = {.traffic = made_traffic, .traffic_model = "made up"},
                                  library = {.library = tell}, silent = {.name = "cpu/gemm/a"};
    roofs_made(&roofs);
    /* 12 MiB are at home in L3; before it stand the L2 caches of two threads, 1 MiB. */
    struct duel_placement row = placement_of(&roofs, row_reaching("cpu/gemm/a", 1024, 2, 160), &model);
    const double flops = 2.0 * 1024 * 1024 * 1024;
    assert_string_equal(row.modelled_cache, "L2");
    assert_near(row.modelled_bytes, 1048576.0 + 1024);
    assert_near(row.modelled_intensity, flops / (1048576.0 + 1024));
    assert_near(row.modelled_roof_gflops, 200); /* far to the right: arithmetic */
    assert_near(row.modelled_roof_percent, 80);
    assert_string_equal(row.traffic_model, "made up");
    row = placement_of(&roofs, row_reaching("cpu/gemm/a", 16, 1, 1), &model);
    assert_string_equal(row.home, "L1");
    assert_true(isnan(row.modelled_bytes) && strstr(row.modelled_why, "all operands fit L1"));
    row = placement_of(&roofs, row_reaching("cpu/gemm/a", 1024, 2, 160), &library);
    assert_true(isnan(row.modelled_bytes) && strstr(row.modelled_why, "a library does not tell"));
    row = placement_of(&roofs, row_reaching("cpu/gemm/a", 1024, 2, 160), &silent);
    assert_true(isnan(row.modelled_intensity) && strstr(row.modelled_why, "has no model"));
    assert_near(row.roof_percent, 80); /* the compulsory one is there all the same */
}

static void levels_follow_from_the_device(void **state)
{
    (void)state;
    struct duel_device_info info = {.memory_bytes = (uint64_t)24 << 30, .memory_free_bytes = (uint64_t)20 << 30};
    static const struct duel_property cpu[] = {{"l1d_kib", "", 32},           {"l1d_sharing_threads", "", 2},
                                               {"l2_kib", "", 512},           {"l3_kib", "", 32768},
                                               {"l3_sharing_threads", "", 8}, {"caches_of_usable_cpus_kib", "", 70000}};
    struct duel_level level[ROOFS_LEVELS];
    memcpy(info.property, cpu, sizeof cpu);
    info.property_count = 6;
    assert_int_equal(roofs_levels(&info, 4, level), 4);
    assert_true(level[0].capacity_bytes == 2 * 32768);  /* two threads share one */
    assert_true(level[1].capacity_bytes == 4 * 524288); /* one each where it is not told */
    assert_true(level[2].capacity_bytes == 32 * MIB);   /* one for eight */
    assert_true(level[1].working_set_bytes == 2 * 524288);
    assert_string_equal(level[3].name, "memory");
    assert_true(level[3].working_set_bytes == (uint64_t)4 * 70000 * 1024);
    info.memory_free_bytes = 512 * MIB;
    roofs_levels(&info, 4, level);
    assert_true(level[3].working_set_bytes == 0 && *level[3].why);
    snprintf(info.property[0].name, sizeof info.property[0].name, "l2_cache_bytes");
    info.property[0].number = 50.0 * MIB;
    assert_int_equal(roofs_levels(&info, 0, level), 2);
    assert_string_equal(level[0].name, "L2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intensity_has_two_ends),
        cmocka_unit_test(the_farthest_level_that_could_feed_it),
        cmocka_unit_test(memory_makes_the_roof_of_low_intensity),
        cmocka_unit_test(above_its_roof_is_an_error),
        cmocka_unit_test(a_probe_beside_other_work_rejects_nothing),
        cmocka_unit_test(what_is_not_known_is_not_made_up),
        cmocka_unit_test(modelled_traffic_stands_under_its_own_roof),
        cmocka_unit_test(levels_follow_from_the_device),
    };
    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
