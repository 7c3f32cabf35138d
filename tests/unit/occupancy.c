/* Occupancy by figures that are worked out by hand, and times predicted from counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "bench/cards/cards.h"

static void expect(int capability, int64_t threads, int registers, int64_t shared, int blocks, double share,
                   const char *limit)
{
    const struct duel_launch launch = {threads, registers, shared};
    const struct duel_occupancy got = occupancy_of(occupancy_limits(capability), &launch);
    if (got.blocks != blocks || fabs(got.share - share) > 1e-12 || strcmp(got.limit, limit) != 0)
        fail_msg("sm_%d, %lld threads, %d registers, %lld bytes: %d blocks, share %g by %s", capability,
                 (long long)threads, registers, (long long)shared, got.blocks, got.share, got.limit);
}

static void occupancy_by_hand(void **state)
{
    (void)state;
    expect(75, 1024, 42, 8192, 1, 1, "threads"); /* 32 warps fill the multiprocessor */
    expect(80, 1024, 32, 8192, 2, 1, "threads");
    expect(120, 1024, 38, 8192, 1, 2.0 / 3, "threads");       /* 48 warps: a second block of 32 does not fit */
    expect(80, 256, 54, 4096, 4, 0.5, "registers");           /* 54 -> 1792 a warp: 9 warps a part, 36 / 8 blocks */
    expect(120, 256, 47, 4096, 5, 5 * 8 / 48.0, "registers"); /* 1536 a warp: 10 a part, 40 / 8 blocks */
    expect(90, 128, 40, 48 * 1024, 4, 0.25, "shared memory"); /* 49 KiB with CUDA's own KiB: 4 times in 228 */
    expect(80, 32, 16, 0, 32, 0.5, "blocks");
    expect(90, 1024, 65, 0, 0, 0, "registers"); /* 2304 a warp: 7 a part, 28 warps: not one block */
    expect(90, 1025, 32, 0, 0, 0, "threads");
    expect(75, 32, 16, 65 * 1024, 0, 0, "shared memory");
    expect(90, 32, 256, 0, 0, 0, "registers");
}

static void capabilities_have_names(void **state)
{
    (void)state;
    char names[200];
    assert_int_equal(occupancy_capability("sm_90"), 90);
    assert_int_equal(occupancy_capability("8.9"), 89);
    assert_int_equal(occupancy_capability("120"), 120);
    assert_int_equal(occupancy_capability("sm_9.0"), 0);
    assert_int_equal(occupancy_capability("sm_50"), 0);
    assert_int_equal(occupancy_capability(""), 0);
    occupancy_names(names, sizeof names);
    assert_non_null(strstr(names, "sm_75, sm_80"));
    assert_null(occupancy_limits(50));
}

static struct duel_work gemm_work(void)
{
    struct duel_work work = {.global_bytes = 4e9, .compulsory_bytes = 1e9, .passes = 1e6, .tensor_flops = 0};
    work.flops[DUEL_FP32] = 2e12;
    return work;
}

static void the_slowest_part_decides(void **state)
{
    (void)state;
    struct duel_why why;
    struct duel_prediction p;
    struct duel_card card = {.name = "X",
                             .capability = 89,
                             .processors = 100,
                             .boost_mhz = 2000,
                             .bandwidth_gb_s = 1000,
                             .fp64_tflops = NAN,
                             .fp32_tflops = 100,
                             .tf32_tflops = 200,
                             .fp16_tflops = 400};
    struct duel_work work = gemm_work();
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_OK);
    assert_true(fabs(p.part_s[PART_ARITHMETIC] - 0.02) < 1e-12);
    assert_true(fabs(p.part_s[PART_LOADS] - 1e6 / 2e11) < 1e-15);
    assert_true(fabs(p.least_s - 0.02) < 1e-12 && p.limit == PART_ARITHMETIC);
    work.global_bytes = 40e9; /* without caches the memory is slower than the arithmetic */
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_OK);
    assert_true(fabs(p.most_s - 0.04) < 1e-12 && p.limit_most == PART_MEMORY_MOST && p.limit == PART_ARITHMETIC);
    work.tensor_flops = 40e12;
    work.tensor_in = DUEL_FP16;
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_OK);
    assert_true(fabs(p.least_s - 0.1) < 1e-12 && p.limit == PART_TENSOR);
    work.tensor_in = DUEL_TF32; /* at half the rate */
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_OK);
    assert_true(fabs(p.least_s - 0.2) < 1e-12);
    assert_true(fabs(card_balance(&card, &work) - 210) < 1e-9); /* 42 TFLOP in the 0.2 s of the Tensor Cores, 1 TB/s */
    work = gemm_work();
    assert_true(fabs(card_balance(&card, &work) - 100) < 1e-12);
    work.flops[DUEL_FP64] = NAN;
    assert_true(isnan(card_balance(&card, &work)));
}

static void nothing_is_predicted_from_what_is_not_known(void **state)
{
    (void)state;
    struct duel_why why;
    struct duel_prediction p;
    struct duel_card card = {.name = "X",
                             .capability = 89,
                             .processors = 100,
                             .boost_mhz = 2000,
                             .bandwidth_gb_s = 1000,
                             .fp64_tflops = NAN,
                             .fp32_tflops = 100,
                             .fp16_tflops = NAN};
    struct duel_work work = gemm_work();
    work.flops[DUEL_FP64] = 1; /* this card's rate is unknown */
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_SKIP);
    assert_true(isnan(p.least_s) && isnan(p.most_s));
    work = gemm_work();
    work.flops[DUEL_FP32] = NAN;
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_SKIP);
    work = gemm_work();
    work.tensor_flops = 1;
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_SKIP);
    assert_non_null(strstr(why.seen, "Tensor Cores"));
    work = gemm_work();
    card.capability = 0;
    assert_int_equal(card_predict(&card, &work, &p, &why), DUEL_SKIP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occupancy_by_hand),
        cmocka_unit_test(capabilities_have_names),
        cmocka_unit_test(the_slowest_part_decides),
        cmocka_unit_test(nothing_is_predicted_from_what_is_not_known),
    };
    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}
