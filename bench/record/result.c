/* result.c: the life of one row, and the one rule about which rows may show a time. */
#include "bench/record/result.h"

#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"

const char *row_status_name(enum duel_row_status status)
{
    static const char *const name[] = {
        [ROW_OK] = "ok", [ROW_VERIFIED] = "verified", [ROW_SKIPPED] = "skipped", [ROW_FAILED] = "FAILED"};
    return (size_t)status < sizeof name / sizeof *name ? name[status] : "unknown";
}

void result_init(struct duel_result *result)
{
    struct duel_summary unknown = stats_summary(NULL, 0);
    *result = (struct duel_result){
        .status = ROW_SKIPPED,
        .verdict = {.bound_ratio = NAN,
                    .max_error = NAN,
                    .rms_error = NAN,
                    .relative_frobenius = NAN,
                    .worst_row = -1,
                    .worst_column = -1},
        .flops = NAN,
        .bytes = NAN,
        .kernel = unknown,
        .kernel_host = unknown,
        .h2d = unknown,
        .d2h = unknown,
        .end_to_end = unknown,
        .batch = -1,
        .convert_s = NAN,
        .allocate_s = NAN,
        .read_s = NAN,
        .write_s = NAN,
        .first_call_s = NAN,
        .warmup_s = NAN,
        .gflops = NAN,
        .speedup_kernel = NAN,
        .speedup_end_to_end = NAN,
        .speedup_serial = NAN,
    };
}

void result_free(struct duel_result *result)
{
    samples_free(&result->kernel_s);
    samples_free(&result->kernel_host_s);
    samples_free(&result->h2d_s);
    samples_free(&result->d2h_s);
    samples_free(&result->end_to_end_s);
}

void result_summarise(struct duel_result *result)
{
    result->kernel = stats_summary(result->kernel_s.value, result->kernel_s.count);
    result->kernel_host = stats_summary(result->kernel_host_s.value, result->kernel_host_s.count);
    result->h2d = stats_summary(result->h2d_s.value, result->h2d_s.count);
    result->d2h = stats_summary(result->d2h_s.value, result->d2h_s.count);
    result->end_to_end = stats_summary(result->end_to_end_s.value, result->end_to_end_s.count);
    bool rate = result_timed(result) && result->kernel.median > 0 && result->flops > 0;
    result->gflops = rate ? result->flops / result->kernel.median / 1e9 : NAN;
}

bool result_timed(const struct duel_result *result)
{
    return result->status == ROW_OK && !result->emulated;
}

bool result_on_cpu(const struct duel_result *result)
{
    return strncmp(result->device, "cpu", 3) == 0;
}

const char *result_label(const struct duel_result *result, char *label, size_t size)
{
    const char *precision = dtype_name(result->problem.types.in);
    if (result->threads > 0)
        snprintf(label, size, "%s %s %d thread%s", result->implementation, precision, result->threads,
                 result->threads > 1 ? "s" : "");
    else
        snprintf(label, size, "%s %s", result->implementation, precision);
    return label;
}
