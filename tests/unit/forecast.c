/* Predictions against measurements that others published. Each is predicted from all others but those of its own card,
 * so that nothing is predicted from itself. DUEL_SHOW_FORECAST=1 prints the tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buyer/forecast.h"

static struct duel_cards cards;
static struct duel_evidence evidence;
static struct duel_why why;

static int open_tables(void **state)
{
    (void)state;
    return cards_read(NULL, &cards, &why) == DUEL_OK && evidence_published(&evidence, NULL, &why) == DUEL_OK ? 0 : -1;
}

static int close_tables(void **state)
{
    (void)state;
    evidence_free(&evidence);
    cards_free(&cards);
    return 0;
}

static bool shown(void)
{
    return getenv("DUEL_SHOW_FORECAST") != NULL;
}

static const struct duel_card *card_of(const char *name)
{
    const struct duel_card *card = NULL;
    assert_int_equal(cards_find(&cards, name, &card, &why), DUEL_OK);
    return card;
}

/* ---- cuBLAS's shares of peak ------------------------------------------------------------------------------------ */

static bool predicted(const struct duel_share *share)
{
    struct duel_calibration calibration;
    const bool single = strcmp(share->implementation, "gpu/gemm/cublas") == 0;
    calibrate(&evidence, single ? "gpu/gemm/cublas" : "gpu/gemm/cublas_fp16", single ? "fp32" : "fp16", share->roof_s,
              share->card, &calibration);
    const bool inside = calibration.known && share->share >= calibration.lo && share->share <= calibration.hi;
    if (shown())
        printf("# %-20s %10.0f us  measured %.3f  predicted %.3f  %.3f .. %.3f  %s  (%s)\n", share->card,
               share->roof_s * 1e6, share->share, calibration.share, calibration.lo, calibration.hi,
               inside ? "inside" : "OUTSIDE", calibration.words);
    assert_false(calibration.recorded);
    return inside;
}

/* The list of cuBLAS's best shares: six in BF16, three in FP8, and FP32 on an A6000; then everything else of GEMM. */
static void cublas_is_inside_its_error_bars(void **state)
{
    (void)state;
    int anchors = 0, inside = 0, all = 0, all_inside = 0;
    for (size_t i = 0; i < evidence.count; i++) {
        const struct duel_share *share = &evidence.share[i];
        const bool single = strcmp(share->implementation, "gpu/gemm/cublas") == 0;
        if (strncmp(share->implementation, "gpu/gemm/cublas", 15) != 0 || strcmp(share->card, "RTX 3090") == 0)
            continue; /* without the RTX 3090 one measurement in FP32 is left: nothing is predicted from that */
        const bool good = predicted(share), anchor = isnan(share->roof_s) || single;
        anchors += anchor;
        inside += anchor && good;
        all++;
        all_inside += good;
    }
    if (shown())
        printf("# %d of %d anchors inside, %d of all %d\n", inside, anchors, all_inside, all);
    assert_int_equal(anchors, 10);
    assert_true(inside >= 8);
    assert_true(all >= 18 && all_inside * 10 >= all * 8);
}

/* Error bars that hold everything would be worth nothing. */
static void error_bars_are_not_endless(void **state)
{
    (void)state;
    struct duel_calibration calibration;
    calibrate(&evidence, "gpu/gemm/cublas_bf16", "bf16", NAN, "H100 SXM5 80GB", &calibration);
    assert_true(calibration.known && calibration.lo > 0.8 * calibration.share);
    assert_true(calibration.hi < 1.25 * calibration.share && calibration.cards >= 7);
}

static void what_was_not_measured_is_not_calibrated(void **state)
{
    (void)state;
    struct duel_calibration calibration;
    calibrate(&evidence, "gpu/gemm/tiled", "fp32", NAN, NULL, &calibration);
    assert_true(!calibration.known && isnan(calibration.share) && strstr(calibration.words, "uncalibrated"));
    calibrate(&evidence, "gpu/gemm/cublas", "fp32", NAN, "RTX 3090", &calibration);
    assert_true(!calibration.known && strstr(calibration.words, "one measurement"));
    calibrate(&evidence, "gpu/gemm/cublas_fp16", "fp16", 1e-6, NULL, &calibration); /* n = 500 */
    assert_true(!calibration.known && strstr(calibration.words, "larger problems"));
    calibrate(&evidence, "gpu/gemm/cublas_fp16", "fp32", NAN, NULL, &calibration);
    assert_false(calibration.known);
}

/* Two shares of exactly one half: the prediction is one half, and its error bar is the least spread. */
static void a_calibration_by_hand(void **state)
{
    (void)state;
    struct duel_evidence own = {.count = 0};
    struct duel_share share = {
        .implementation = "gpu/gemm/x", .applies = "fp32", .card = "A", .share = 0.5, .roof_s = 1};
    struct duel_calibration calibration;
    share.recorded = true;
    for (int i = 0; i < 3; i++)
        assert_true(evidence_add(&own, &share));
    calibrate(&own, "gpu/gemm/x", "fp32", 1, NULL, &calibration);
    const double half = 4.302652730 * 0.02 * sqrt(4.0 / 3);
    assert_true(calibration.known && calibration.recorded && calibration.measurements == 3 && calibration.cards == 1);
    assert_true(fabs(calibration.share - 0.5) < 1e-12 && fabs(calibration.lo - 0.5 * exp(-half)) < 1e-9);
    assert_true(fabs(calibration.hi - 0.5 * exp(half)) < 1e-9);
    evidence_free(&own);
}

/* ---- one workload on one card ----------------------------------------------------------------------------------- */

static void a_forecast_by_hand(void **state)
{
    (void)state;
    struct duel_forecasts forecasts = {.count = 0};
    const struct duel_workload *gemm = workload_find("gemm", 4), *axpy = workload_find("axpy", 4);
    struct duel_problem problem = {.m = 8192, .n = 8192, .k = 8192, .count = 1, .alpha = 1, .types.in = DUEL_FP16};
    const struct duel_card *card = card_of("L4");
    assert_int_equal(forecast_add(&forecasts, &evidence, card, gemm, &problem, &why), DUEL_OK);
    problem.types.in = DUEL_FP32;
    assert_int_equal(forecast_add(&forecasts, &evidence, card, axpy, &problem, &why), DUEL_OK);
    assert_int_equal(forecasts.count, 2);
    const struct duel_forecast *row = &forecasts.row[0];
    const double n = 8192, kernel = 2 * n * n * n / 121e12, link = (2 * 2 + 4) * n * n / 31.5e9;
    assert_string_equal(row->kind, "predicted");
    assert_string_equal(row->implementation, "gpu/gemm/cublas_fp16");
    assert_string_equal(row->limit, "arithmetic");
    assert_true(fabs(row->bound_s / kernel - 1) < 1e-12 && fabs(row->bound_link_s / link - 1) < 1e-12);
    assert_true(row->kernel_lo_s >= row->bound_s && row->kernel_lo_s < row->kernel_s);
    assert_true(row->kernel_s < row->kernel_hi_s && row->link_s > row->bound_link_s);
    row = &forecasts.row[1]; /* x in, y in, y out; memory reads both and writes one */
    assert_string_equal(row->implementation, "");
    assert_string_equal(row->limit, "memory");
    assert_true(fabs(row->bound_s - 12 * n / 300e9) < 1e-15 && fabs(row->bound_link_s - 12 * n / 31.5e9) < 1e-15);
    assert_true(isnan(row->kernel_s) && strstr(row->calibrated, "uncalibrated"));
    problem.types.in = DUEL_FP16;
    assert_int_equal(forecast_add(&forecasts, &evidence, card_of("Instinct MI300X"), gemm, &problem, &why), DUEL_OK);
    row = &forecasts.row[2]; /* a bound, but NVIDIA's library does not run there */
    assert_true(row->bound_s > 0 && isnan(row->kernel_s) && !*row->implementation && strstr(row->calibrated, "CUDA"));
    forecasts_free(&forecasts);
}

static void types_that_a_card_lacks_have_no_bound(void **state)
{
    (void)state;
    assert_true(isnan(card_rate(card_of("T4"), DUEL_TF32, true)));
    assert_true(isnan(card_rate(card_of("T4"), DUEL_BF16, true)));
    assert_true(card_rate(card_of("T4"), DUEL_FP16, true) == 65);
    assert_true(card_rate(card_of("RTX 4090"), DUEL_FP16, true) == 165.2); /* half rate: sums in FP32 */
    assert_true(card_rate(card_of("A10"), DUEL_FP16, true) == 125 && card_rate(card_of("A10G"), DUEL_FP16, true) == 70);
}

/* tests/cli/cards.sh compares the peaks themselves with the table of cards. */
static void published_shares_are_shares_and_decoding_has_its_cards(void **state)
{
    (void)state;
    int seen = 0;
    for (size_t i = 0; i < evidence.count; i++) {
        const struct duel_share *share = &evidence.share[i];
        const struct duel_card *card = NULL;
        assert_true(share->share > 0 && share->share <= 1);
        if (strncmp(share->implementation, "llm/decode", 10) != 0)
            continue;
        assert_int_equal(cards_find(&cards, share->card, &card, &why), DUEL_OK);
        seen++;
    }
    assert_int_equal(seen, 4);
}

/* ---- which card is this device ---------------------------------------------------------------------------------- */

static void devices_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *device, *card;
        int processors;
        double gib;
    } cases[] = {
        {"NVIDIA H100 80GB HBM3", "H100 SXM5 80GB", 132, 79.6},
        {"NVIDIA H100 PCIe", "H100 PCIe 80GB", 114, 79.6},
        {"NVIDIA H100 NVL", "H100 NVL 94GB", 132, 93.6},
        {"NVIDIA H200", "H200 SXM 141GB", 132, 140},
        {"NVIDIA GeForce RTX 4090", "RTX 4090", 128, 23.6},
        {"NVIDIA A100-SXM4-40GB", "A100 SXM4 40GB", 108, 39.4},
        {"NVIDIA A100-SXM4-80GB", "A100 SXM4 80GB", 108, 79.3},
        {"NVIDIA A100-PCIE-40GB", "A100 PCIe 40GB", 108, 39.4},
        {"NVIDIA A100 80GB PCIe", "A100 PCIe 80GB", 108, 79.3},
        {"NVIDIA A10", "A10", 72, 22.5},
        {"NVIDIA A10G", "A10G", 80, 22.1},
        {"NVIDIA L4", "L4", 58, 22.5},
        {"Tesla T4", "T4", 40, 14.7},
        {"NVIDIA RTX A6000", "RTX A6000", 84, 47.5},
        {"NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada", 142, 47.5},
        {"NVIDIA GeForce RTX 3060", "RTX 3060 12GB", 28, 11.8},
        {"NVIDIA GeForce RTX 3060 Laptop GPU", NULL, 30, 5.8},
        {"NVIDIA GeForce RTX 4060 Ti", NULL, 34, 15.6},
        {"NVIDIA GeForce RTX 4070 Laptop GPU", NULL, 36, 7.8},
        {"NVIDIA A100", NULL, 108, 79.3}, /* PCIe or SXM: not told */
        {"AMD EPYC", NULL, 2, 23},
        {"", NULL, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct duel_card *card =
            card_identify(&cards, cases[i].device, cases[i].processors, cases[i].gib * 1073741824.0);
        if (!card != !cases[i].card || (card && strcmp(card->name, cases[i].card) != 0))
            fail_msg("%s is taken for %s", cases[i].device, card ? card->name : "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cublas_is_inside_its_error_bars),
        cmocka_unit_test(error_bars_are_not_endless),
        cmocka_unit_test(what_was_not_measured_is_not_calibrated),
        cmocka_unit_test(a_calibration_by_hand),
        cmocka_unit_test(a_forecast_by_hand),
        cmocka_unit_test(types_that_a_card_lacks_have_no_bound),
        cmocka_unit_test(published_shares_are_shares_and_decoding_has_its_cards),
        cmocka_unit_test(devices_are_told_apart),
    };
    return cmocka_run_group_tests_name("forecast", tests, open_tables, close_tables);
}
