/* Run files as evidence: a GPU that is a card of the table calibrates predictions and is scored against its own
 * specification; a CPU brings its times and its bandwidth. The run files are made here, with round numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/buyer/advice.h"
#include "bench/buyer/calibrate.h"
#include "bench/buyer/score.h"

static struct duel_why why;
static char path[] = "/tmp/duel-evidence-XXXXXX";

#define RUN "{\"record\":\"run\",\"schema\":\"1.0\"}\n"
#define CPU "{\"record\":\"device\",\"id\":\"cpu\",\"name\":\"A CPU\",\"processors\":8,\"memory_bytes\":64000000000}\n"
#define GPU(name, processors, memory)                                                           \
    "{\"record\":\"device\",\"id\":\"cuda:0\",\"name\":\"" name "\",\"processors\":" processors \
    ",\"memory_bytes\":" memory "}\n"
#define ROW(implementation, device, precision, n, flops, seconds)                                          \
    "{\"record\":\"result\",\"implementation\":\"" implementation "\",\"device\":\"" device                \
    "\",\"status\":\"ok\",\"workload\":\"gemm\",\"device_name\":\"made\",\"m\":" n ",\"n\":" n ",\"k\":" n \
    ",\"count\":1,\"alpha\":1.0,\"beta\":0.0,\"precision\":\"" precision                                   \
    "\",\"accumulate\":\"fp32\",\"output_type\":\"fp32\",\"emulated\":false,\"verify_tier\":\"bound\","    \
    "\"flops\":" flops ",\"kernel_median_s\":" seconds ",\"kernel_min_s\":" seconds ",\"samples\":20,\"threads\":8}\n"
/* 2 x 4096^3 = 137438953472 FLOP are 1.664 ms at the 82.6 TFLOP/s of an RTX 4090. */
#define FLOPS "137438953472.0"
#define RTX_4090 GPU("NVIDIA GeForce RTX 4090", "128", "25393692672")

static void write_file(const char *text)
{
    FILE *file = fopen(path, "we");
    assert_true(file && fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_path(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void a_gpu_calibrates_its_implementation(void **state)
{
    (void)state;
    struct duel_cards cards;
    struct duel_evidence evidence = {.count = 0};
    struct duel_calibration calibration;
    assert_int_equal(cards_read(NULL, &cards, &why), DUEL_OK);
    write_file(RUN RTX_4090 ROW("gpu/gemm/tiled", "cuda:0", "fp32", "4096", FLOPS, "0.01664")
                   ROW("gpu/gemm/tiled", "cuda:0", "fp32", "4096", FLOPS, "0.01664")
                       ROW("gpu/gemm/cublas", "cuda:0", "fp32", "4096", FLOPS, "0.002"));
    assert_int_equal(evidence_run_file(&evidence, &cards, path, &why), DUEL_OK);
    assert_int_equal(evidence.count, 3);
    assert_int_equal(evidence.unplaced, 0);
    calibrate(&evidence, "gpu/gemm/tiled", "fp32", 1e-3, NULL, &calibration);
    assert_true(calibration.known && calibration.recorded && calibration.measurements == 2 && calibration.cards == 1);
    assert_true(fabs(calibration.share - 0.1) < 1e-4);
    assert_non_null(strstr(calibration.words, "2 recorded"));
    calibrate(&evidence, "gpu/gemm/tiled", "fp32", 1e-3, "RTX 4090", &calibration);
    assert_false(calibration.known); /* nothing but this card */
    calibrate(&evidence, "gpu/gemm/cublas", "fp32", 1e-3, NULL, &calibration);
    assert_false(calibration.known); /* once */
    evidence_free(&evidence);
    cards_free(&cards);
}

static void what_is_no_card_or_impossible_calibrates_nothing(void **state)
{
    (void)state;
    struct duel_cards cards;
    struct duel_evidence evidence = {.count = 0};
    assert_int_equal(cards_read(NULL, &cards, &why), DUEL_OK);
    write_file(RUN GPU("NVIDIA GeForce RTX 9999", "128", "25393692672")
                   ROW("gpu/gemm/tiled", "cuda:0", "fp32", "4096", FLOPS, "0.01664"));
    assert_int_equal(evidence_run_file(&evidence, &cards, path, &why), DUEL_OK);
    assert_true(evidence.count == 0 && evidence.unplaced == 1);
    write_file(RUN RTX_4090 ROW("gpu/gemm/tiled", "cuda:0", "fp32", "4096", FLOPS, "0.0001")); /* 16 times its peak */
    assert_int_equal(evidence_run_file(&evidence, &cards, path, &why), DUEL_OK);
    assert_int_equal(evidence.count, 0);
    write_file(RUN "{\"record\":\"result\",\"m\":\"many\"}\n");
    assert_int_equal(evidence_run_file(&evidence, &cards, path, &why), DUEL_EINVAL);
    write_file("");
    assert_int_equal(evidence_run_file(&evidence, &cards, path, &why), DUEL_EINVAL);
    evidence_free(&evidence);
    cards_free(&cards);
}

static void a_cpu_is_a_candidate(void **state)
{
    (void)state;
    struct duel_options options = {.hours = 8, .years = 3};
    struct duel_choice choice;
    struct duel_evidence evidence = {.count = 0};
    struct duel_advices advices;
    struct duel_model_work work = {.quant = QUANT_FP16, .context = 1, .batch = 1};
    assert_int_equal(choice_open(&choice, &options, NULL, 0, &why), DUEL_OK);
    write_file(RUN CPU
               "{\"record\":\"roof\",\"device\":\"cpu\",\"kind\":\"memory\",\"level\":\"L2\",\"gbps\":900.0}\n"
               "{\"record\":\"roof\",\"device\":\"cpu\",\"kind\":\"memory\",\"level\":\"memory\",\"gbps\":80.3}\n" ROW(
                   "cpu/gemm/openblas", "cpu", "fp32", "4096", FLOPS, "0.5"));
    assert_int_equal(evidence_run_file(&evidence, &choice.cards, path, &why), DUEL_OK);
    assert_true(evidence.cpu_count == 1 && evidence.cpu_gbps == 80.3 && evidence.cpu_memory_bytes == 64e9);
    assert_int_equal(model_find("8B", &work.model, &why), DUEL_OK);
    assert_int_equal(advise_model(&advices, &work, &choice, &evidence, &options, &why), DUEL_OK);
    const struct duel_advice *cpu = &advices.row[advices.count - 1];
    assert_string_equal(cpu->name, "CPU only: A CPU"); /* 80.3 GB/s over 16.06 GB: 5 tokens a second at best */
    assert_true(fabs(cpu->bound - 5) < 1e-3 && isnan(cpu->speed) && cpu->cards == 1);
    advices_free(&advices);
    assert_int_equal(model_find("70B", &work.model, &why), DUEL_OK);
    assert_int_equal(advise_model(&advices, &work, &choice, &evidence, &options, &why), DUEL_OK);
    assert_int_equal(advices.row[advices.count - 1].cards, 0); /* 141 GB in 64 */
    advices_free(&advices);
    const struct duel_workload *gemm = workload_find("gemm", 4);
    struct duel_problem problem = {.m = 4096, .n = 4096, .k = 4096, .count = 1, .alpha = 1, .types.in = DUEL_FP32};
    assert_int_equal(advise_work(&advices, gemm, &problem, &choice, &evidence, &options, &why), DUEL_OK);
    cpu = &advices.row[advices.count - 1];
    assert_true(cpu->speed == 2 && strcmp(cpu->kind, "measured") == 0);
    advices_free(&advices);
    problem.m = 8192; /* twice the work, at the same rate */
    assert_int_equal(advise_work(&advices, gemm, &problem, &choice, &evidence, &options, &why), DUEL_OK);
    cpu = &advices.row[advices.count - 1];
    assert_true(fabs(cpu->speed - 1) < 1e-12 && strcmp(cpu->kind, "predicted") == 0);
    advices_free(&advices);
    /* A later file is of another machine: it has its own bandwidth, whichever is higher. */
    write_file(RUN "{\"record\":\"device\",\"id\":\"cpu\",\"name\":\"Another\",\"memory_bytes\":8000000000}\n"
                   "{\"record\":\"roof\",\"device\":\"cpu\",\"kind\":\"memory\",\"level\":\"memory\",\"gbps\":20.5}\n"
                   "{\"record\":\"roof\",\"device\":\"cpu\",\"kind\":\"memory\",\"level\":\"memory\",\"gbps\":19.5}\n");
    assert_int_equal(evidence_run_file(&evidence, &choice.cards, path, &why), DUEL_OK);
    assert_string_equal(evidence.cpu_machine, "Another");
    assert_true(evidence.cpu_gbps == 20.5 && evidence.cpu_memory_bytes == 8e9);
    evidence_free(&evidence);
    choice_close(&choice);
}

static void a_score_is_a_share_of_the_own_specification(void **state)
{
    (void)state;
    struct duel_options options = {.hours = 8};
    struct duel_choice choice;
    struct duel_scores scores = {.count = 0};
    assert_int_equal(choice_open(&choice, &options, NULL, 0, &why), DUEL_OK);
    write_file(RUN RTX_4090 ROW("gpu/gemm/cublas", "cuda:0", "fp32", "4096", FLOPS, "0.00332775")
                   ROW("gpu/gemm/tiled", "cuda:0", "fp32", "4096", FLOPS,
                       "0.01664") "{\"record\":\"telemetry\",\"device\":\"cuda:0\",\"workload\":\"gemm\",\"m\":4096,"
                                  "\"n\":4096,\"k\":4096,"
                                  "\"power_w_median\":413.0,\"seconds\":10.0}\n"
                                  "{\"record\":\"roof\",\"device\":\"cuda:0\",\"kind\":\"memory\",\"level\":\"memory\","
                                  "\"gbps\":907.2}\n");
    assert_int_equal(score_file(&scores, &choice, path, NULL, &why), DUEL_OK);
    assert_int_equal(scores.count, 1);
    const struct duel_score *score = &scores.row[0];
    assert_string_equal(score->card, "RTX 4090");
    assert_string_equal(score->implementation, "gpu/gemm/cublas");
    assert_true(fabs(score->sustained_gflops - 41300) < 10 && fabs(score->spec_percent - 50) < 0.1);
    assert_true(fabs(score->gflops_per_w - 100) < 0.1 && fabs(score->spec_gbps_percent - 90) < 1e-9);
    assert_true(isnan(score->gflops_per_price));
    scores_free(&scores);
    write_file(RUN);
    assert_int_equal(score_file(&scores, &choice, path, NULL, &why), DUEL_EINVAL);
    scores_free(&scores);
    choice_close(&choice);
}

/* 3000 over 3 x 365 x 5 h = 0.548 an hour, 400 W at 0.25 = 0.10; rented for 1.10: 3000 / (1.10 - 0.10) = 3000 h. */
static void costs_by_hand(void **state)
{
    (void)state;
    const struct duel_options options = {.hours = 5, .years = 3, .electricity = 0.25};
    assert_true(fabs(advice_own_hour(3000, 400, &options) - (3000.0 / 5475 + 0.1)) < 1e-12);
    assert_true(fabs(advice_break_even(3000, 1.10, 400, &options) - 3000) < 1e-9);
    assert_true(isinf(advice_break_even(3000, 0.05, 400, &options)));
    assert_true(isnan(advice_break_even(NAN, 1, 400, &options)) && isnan(advice_break_even(3000, NAN, 400, &options)));
    const struct duel_options uncounted = {.hours = 5, .years = 3};
    assert_true(fabs(advice_break_even(3000, 1.10, 400, &uncounted) - 3000 / 1.1) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_calibrates_its_implementation),
        cmocka_unit_test(what_is_no_card_or_impossible_calibrates_nothing),
        cmocka_unit_test(a_cpu_is_a_candidate),
        cmocka_unit_test(a_score_is_a_share_of_the_own_specification),
        cmocka_unit_test(costs_by_hand),
    };
    return cmocka_run_group_tests_name("evidence", tests, make_path, remove_path);
}
