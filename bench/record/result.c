/* result.c: the life of one row, and the one rule about which rows may show a time. */
#include "bench/record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/stats/diagnose.h"

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
        .problem.count = 1, /* older records do not tell it */
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
        .open_s = NAN,
        .first_call_s = NAN,
        .first_upload_s = NAN,
        .context_create_s = NAN,
        .module_load_s = NAN,
        .threads_start_s = NAN,
        .cold_s = NAN,
        .warmup_s = NAN,
        .gflops = NAN,
        .outliers_mild = -1,
        .outliers_severe = -1,
        .drift = NAN,
        .autocorrelation = NAN,
        .foreign_cpu_share = NAN,
        .overlapped = unknown,
        .overlap_ratio = NAN,
        .speedup_serial = NAN,
        .speedup_kernel = {NAN, NAN, NAN},
        .speedup_end_to_end = {NAN, NAN, NAN},
        .speedup_amortised = {NAN, NAN, NAN},
        .speedup_cold = {NAN, NAN, NAN},
        .break_even_reuse = {NAN, NAN, NAN},
    };
}

void result_free(struct duel_result *result)
{
    samples_free(&result->kernel_s);
    samples_free(&result->kernel_host_s);
    samples_free(&result->h2d_s);
    samples_free(&result->d2h_s);
    samples_free(&result->end_to_end_s);
    samples_free(&result->disturbed);
    samples_free(&result->overlapped_s);
}

static bool holds(const struct duel_samples *positions, size_t sample)
{
    for (size_t i = 0; i < positions->count; i++)
        if (positions->value[i] == (double)sample)
            return true;
    return false;
}

bool result_disturbed(const struct duel_result *result, size_t sample)
{
    return holds(&result->disturbed, sample);
}

struct duel_summary summary_of_clean(const struct duel_samples *all, const struct duel_samples *disturbed,
                                     int64_t wanted, bool *clean)
{
    double *undisturbed = malloc((all->count + 1) * sizeof *undisturbed);
    size_t count = 0;
    for (size_t i = 0; undisturbed && i < all->count; i++)
        if (!holds(disturbed, i))
            undisturbed[count++] = all->value[i];
    const size_t enough = wanted > 0 ? (size_t)wanted : SIZE_MAX;
    *clean = undisturbed && (count >= enough || 2 * count > all->count);
    struct duel_summary summary = *clean ? stats_summary(undisturbed, count) : stats_summary(all->value, all->count);
    free(undisturbed);
    return summary;
}

static struct duel_summary summarise(struct duel_result *result, const struct duel_samples *all)
{
    return summary_of_clean(all, &result->disturbed, result->clean_wanted, &result->clean);
}

void result_summarise(struct duel_result *result)
{
    result->kernel_host = summarise(result, &result->kernel_host_s);
    result->h2d = summarise(result, &result->h2d_s);
    result->d2h = summarise(result, &result->d2h_s);
    result->end_to_end = summarise(result, &result->end_to_end_s);
    result->overlapped = stats_summary(result->overlapped_s.value, result->overlapped_s.count);
    result->kernel = summarise(result, &result->kernel_s); /* last: `clean` speaks of the kernel */
    struct duel_diagnosis found = stats_diagnose(result->kernel_s.value, result->kernel_s.count);
    if (found.count > 0) {
        result->outliers_mild = (int64_t)(found.mild_low + found.mild_high);
        result->outliers_severe = (int64_t)(found.severe_low + found.severe_high);
    }
    result->drift = found.drift;
    result->autocorrelation = found.autocorrelation;
    bool rate = result_timed(result) && result->kernel.median > 0 && result->flops > 0;
    result->gflops = rate ? result->flops / result->kernel.median / 1e9 : NAN;
    result->overlap_ratio = result->overlapped.count > 0 ? result->end_to_end.median / result->overlapped.median : NAN;
}

enum duel_side ratio_side(const struct duel_ratio *ratio)
{
    return ratio->hi < 1 ? SIDE_SLOWER : ratio->lo > 1 && isfinite(ratio->hi) ? SIDE_FASTER : SIDE_UNDECIDED;
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

const char *result_cold_why(const struct duel_result *result)
{
    if (isfinite(result->cold_s) || !result_timed(result))
        return NULL;
    if (!result->first_use)
        return "this process had used the implementation before: run this size alone";
    return isnan(result->context_create_s) && !result_on_cpu(result) ? "the device does not tell what its context costs"
                                                                     : "one of its parts is not known";
}

const char *result_reuse_why(const struct duel_result *result)
{
    const struct duel_ratio *kernel = &result->speedup_kernel;
    if (isfinite(result->break_even_reuse.value) || result->h2d.count == 0 || !result_timed(result))
        return NULL;
    if (isnan(kernel->value))
        return "no verified row to compare with";
    if (strncmp(result->base, "cpu/", 4) != 0)
        return "the base copies its operands as well";
    if (!(result->h2d.median + result->d2h.median > 0))
        return "the copies were too short to tell";
    if (kernel->hi < 1)
        return "never: the kernel itself is slower than the base";
    if (isnan(kernel->hi) && kernel->value <= 1)
        return "undecided: the kernel itself was no faster than the base, in too few samples to say never";
    if (kernel->value <= 1)
        return "undecided: the kernel itself was no faster than the base, but its interval does not exclude it";
    return "not in the range of 1 to 1000000000 uses";
}
