/* field.c: the table of result fields. */
#include "bench/record/field.h"

#include <math.h>
#include <string.h>

/* ---- why a field is unknown ------------------------------------------------------------------------------------- */

static const char *why_untimed(const struct duel_result *result)
{
    static const char *const why[] = {[ROW_OK] = "no sample was taken",
                                      [ROW_VERIFIED] = "verified only, not timed",
                                      [ROW_SKIPPED] = "skipped: see reason",
                                      [ROW_FAILED] = "failed: see reason"};
    return result->emulated ? "emulated: values are real, times are not" : why[result->status];
}

static const char *why_interval(const struct duel_result *result)
{
    return result_timed(result) && result->kernel.count ? "5 samples or fewer cannot give a 95 % interval" : NULL;
}

/* On rows that have no time by design, and on no others: those have a reason of their own. */
static const char *why_emulated(const struct duel_result *result)
{
    return result->emulated ? why_untimed(result) : NULL;
}

static const char *why_copy(const struct duel_result *result)
{
    if (!result_timed(result))
        return why_emulated(result);
    return result_on_cpu(result) ? "host memory is device memory" : "not measured";
}

static const char *why_rate(const struct duel_result *result)
{
    return result_timed(result) && !(result->flops > 0) ? "this problem has no arithmetic" : NULL;
}

static const char *why_ratio(const struct duel_result *result)
{
    bool infinite = isinf(result->verdict.bound_ratio) && result->verdict.tier != DUEL_TIER_NONE;
    return infinite ? "infinite: the output holds NaN, Inf or an error where none is allowed" : NULL;
}

static const char *why_convert(const struct duel_result *result)
{
    return result_timed(result) ? "the data needs no conversion" : NULL;
}

static const char *why_base(const struct duel_result *result)
{
    return result_timed(result) ? "no verified row to compare with" : NULL;
}

static bool is_base(const struct duel_result *result)
{
    char label[160];
    return strcmp(result->base, result_label(result, label, sizeof label)) == 0;
}

#define FEW_PAIRS "too few pairs of samples: six are the least that give 95 %"

static const char *why_pairs(const struct duel_result *result)
{
    return result_timed(result) && result->base[0] && !is_base(result) ? FEW_PAIRS : NULL;
}

static const char *why_amortised(const struct duel_result *result)
{
    return isnan(result->speedup_amortised.value) ? NULL : why_pairs(result);
}

static const char *why_speedup_cold(const struct duel_result *result)
{
    const char *own = result_cold_why(result);
    if (own || !result_timed(result) || !result->base[0])
        return own;
    return "the cold_s of the base is not known";
}

static const char *why_cold_interval(const struct duel_result *result)
{
    bool known = result_timed(result) && isfinite(result->speedup_cold.value) && !is_base(result);
    return known ? "one process is one observation: with --sessions N the record `sessions` has the interval" : NULL;
}

static const char *why_reuse_lo(const struct duel_result *result)
{
    return result_timed(result) && isfinite(result->break_even_reuse.value) ? FEW_PAIRS : NULL;
}

static const char *why_reuse_hi(const struct duel_result *result)
{
    if (isnan(result->break_even_reuse.lo))
        return why_reuse_lo(result);
    return result_timed(result) ? "none: within its interval the kernel may never earn back the copies" : NULL;
}

/* ---- the table ----------------------------------------------------------------------------------------------------
 */

/* Where a member is, and how large. */
#define AT(member) offsetof(struct duel_result, member), sizeof(((struct duel_result *)NULL)->member)

const struct duel_field duel_field_table[] = {
#define FIELD(name, unit, scope, read, member, why, help)            \
    {                                                                \
        name, unit, SCOPE_##scope, true, read, AT(member), why, help \
    }
#define TIME(name, member, why, help) FIELD(name, "s", TIMED, value_positive, member, why, help)
/* A ratio is three columns: its value and its 95 % interval from paired blocks. */
#define RATIO(name, unit, member, why, why_lo, why_hi, help)                                                    \
    FIELD(name, unit, TIMED, value_positive, member.value, why, help),                                          \
        FIELD(name "_ci_lo", unit, TIMED, value_positive, member.lo, why_lo, "lower end of its 95 % interval"), \
        FIELD(name "_ci_hi", unit, TIMED, value_positive, member.hi, why_hi, "upper end of its 95 % interval")
#define SAMPLES(name, member, help)                                          \
    {                                                                        \
        name, "s", SCOPE_TIMED, false, value_samples, AT(member), NULL, help \
    }
    FIELD("implementation", "", ALWAYS, value_text, implementation, NULL,
          "full name, which is its path in the sources"),
    FIELD("device", "", ALWAYS, value_text, device, NULL, "`cpu`, `cuda:0`, `emulated`"),
    FIELD("status", "", ALWAYS, value_status, status, NULL,
          "`ok` (verified and timed), `verified` (right, by design without a time), `skipped`, `FAILED`"),
    FIELD("reason", "", ALWAYS, value_text, reason, NULL, "why it was skipped or failed"),
    FIELD("m", "", ALWAYS, value_extent, problem.m, NULL, "rows of A and C"),
    FIELD("n", "", ALWAYS, value_extent, problem.n, NULL, "columns of B and C"),
    FIELD("k", "", ALWAYS, value_extent, problem.k, NULL, "columns of A, rows of B"),
    FIELD("precision", "", ALWAYS, value_dtype, problem.types.in, NULL, "type of the inputs"),
    FIELD("threads", "", ALWAYS, value_threads, threads, NULL, "CPU threads as read back; empty on a GPU"),
    TIME("kernel_median_s", kernel.median, why_untimed, "median time of the computation alone"),
    TIME("kernel_ci_lo_s", kernel.ci_lo, why_interval, "lower end of the 95 % interval of that median"),
    TIME("kernel_ci_hi_s", kernel.ci_hi, why_interval, "upper end of the 95 % interval of that median"),
    TIME("end_to_end_median_s", end_to_end.median, NULL, "median time of copies and computation by the host clock"),
    FIELD("gflops", "GFLOP/s", TIMED, value_positive, gflops, why_rate, "arithmetic rate from kernel_median_s"),
    FIELD("samples", "", TIMED, value_size, kernel.count, NULL, "number of samples behind kernel_median_s"),
    FIELD("stop_reason", "", TIMED, value_text, stop_reason, why_emulated,
          "why sampling ended: `ci`, `timeout`, `samples`, `budget`, `interrupted`"),
    FIELD("verify_tier", "", JUDGED, value_tier, verdict.tier, NULL,
          "how it was verified: `exact`, `bound`, `freivalds`"),
    FIELD("error_bound_ratio", "", JUDGED, value_real, verdict.bound_ratio, why_ratio,
          "largest error over its bound; above 1 fails"),
    FIELD("workload", "", ALWAYS, value_text, workload, NULL, "what was computed"),
    FIELD("device_name", "", ALWAYS, value_text, device_name, NULL, "the device's own name"),
    FIELD("emulated", "", ALWAYS, value_flag, emulated, NULL, "true: values are real, times are not and are left out"),
    FIELD("cause", "", FAILED, value_cause, cause, NULL,
          "kind of failure: `answer`, `device`, `memory`, `input`, `file`, `interrupt`"),
    FIELD("accumulate", "", ALWAYS, value_dtype, problem.types.acc, NULL, "type in which products are summed"),
    FIELD("output_type", "", ALWAYS, value_dtype, problem.types.out, NULL, "type of the output"),
    FIELD("lda", "elements", ALWAYS, value_count, problem.ld[DUEL_A], NULL, "leading dimension of A (row-major)"),
    FIELD("ldb", "elements", ALWAYS, value_count, problem.ld[DUEL_B], NULL, "leading dimension of B"),
    FIELD("ldc", "elements", ALWAYS, value_count, problem.ld[DUEL_C], NULL, "leading dimension of C"),
    FIELD("count", "", ALWAYS, value_extent, problem.count, NULL, "matrices of a batch, channels of an image; else 1"),
    FIELD("alpha", "", ALWAYS, value_real, problem.alpha, NULL, "factor of A B"),
    FIELD("beta", "", ALWAYS, value_real, problem.beta, NULL, "factor of the old C; 0: C is not read"),
    FIELD("flops", "FLOP", ALWAYS, value_positive, flops, NULL, "arithmetic of one run by its definition"),
    FIELD("bytes", "B", ALWAYS, value_positive, bytes, NULL,
          "compulsory traffic: inputs read once, outputs written once"),
    TIME("convert_s", convert_s, why_convert, "rounding FP32 data to this precision on the host, once"),
    TIME("allocate_s", allocate_s, NULL, "allocating device memory, once"),
    TIME("h2d_median_s", h2d.median, why_copy, "median time of copying the inputs to the device"),
    TIME("d2h_median_s", d2h.median, why_copy, "median time of copying the output back"),
    TIME("read_s", read_s, NULL, "reading --input from disk"),
    TIME("write_s", write_s, NULL, "writing --output to disk"),
    TIME("open_s", open_s, NULL, "opening library handle and workspace, once"),
    TIME("first_upload_s", first_upload_s, why_copy, "copying the inputs to the device for the first time"),
    TIME("first_call_s", first_call_s, NULL,
         "the first run and its copy back, with one-time costs of libraries, also those that an earlier try at a small "
         "size has paid"),
    FIELD("first_use", "", TIMED, value_flag, first_use, NULL,
          "true: nothing in this process had used the implementation before"),
    TIME("cold_s", cold_s, result_cold_why,
         "a first single use in a fresh process: context_create_s and module_load_s, or threads_start_s, of the record "
         "`life`, with convert_s, allocate_s, open_s, first_upload_s and first_call_s; what another row of the process "
         "has started already (a library, its threads) is not paid again"),
    TIME("warmup_s", warmup_s, NULL, "time spent until runs were stable"),
    FIELD("warmup_runs", "", TIMED, value_count, warmup_runs, NULL, "runs until they were stable; not in the samples"),
    FIELD("batch", "", TIMED, value_count, batch, NULL, "runs inside one timed interval; a sample is their mean"),
    FIELD("interval_note", "", TIMED, value_text, interval_note, NULL,
          "why timed intervals are shorter than 50 us, where they are"),
    TIME("kernel_min_s", kernel.min, NULL, "shortest of the samples behind the median"),
    TIME("kernel_q1_s", kernel.q1, NULL, "first quartile"),
    TIME("kernel_q3_s", kernel.q3, NULL, "third quartile"),
    TIME("kernel_max_s", kernel.max, NULL, "longest of these samples"),
    FIELD("kernel_mad_s", "s", TIMED, value_real, kernel.mad, NULL, "median absolute deviation from the median"),
    TIME("kernel_host_median_s", kernel_host.median, NULL, "the computation by the host clock, as a cross-check"),
    TIME("end_to_end_ci_lo_s", end_to_end.ci_lo, NULL, "lower end of the 95 % interval of end_to_end_median_s"),
    TIME("end_to_end_ci_hi_s", end_to_end.ci_hi, NULL, "upper end of the 95 % interval of end_to_end_median_s"),
    FIELD("base", "", TIMED, value_text, base, why_base, "the row that speed-ups are measured against"),
    RATIO("speedup_kernel", "x", speedup_kernel, NULL, why_pairs, why_pairs, "the base's kernel time over this one's"),
    RATIO("speedup_end_to_end", "x", speedup_end_to_end, NULL, why_pairs, why_pairs,
          "the base's end-to-end time over this one's; convert_s is in neither"),
    RATIO("speedup_amortised", "x", speedup_amortised, NULL, why_amortised, why_amortised,
          "the same when operands are copied once for `reuse` uses"),
    FIELD("reuse", "", TIMED, value_count, reuse, NULL, "uses of the operands per copy, of speedup_amortised"),
    RATIO("speedup_cold", "x", speedup_cold, why_speedup_cold, why_cold_interval, why_cold_interval,
          "the base's cold_s over this one's"),
    RATIO("break_even_reuse", "uses", break_even_reuse, result_reuse_why, why_reuse_lo, why_reuse_hi,
          "uses of the same operands from which copying them pays: so many kernels and one copy in and out cost no "
          "more than so many runs of the base"),
    FIELD("speedup_serial", "x", TIMED, value_positive, speedup_serial, NULL,
          "the serial row's kernel time over this one's"),
    FIELD("max_error", "", JUDGED, value_real, verdict.max_error, NULL, "largest absolute error"),
    FIELD("rms_error", "", JUDGED, value_real, verdict.rms_error, NULL, "root of the mean squared error"),
    FIELD("relative_frobenius", "", JUDGED, value_real, verdict.relative_frobenius, NULL,
          "norm of the error over norm of the result: the fingerprint of a precision"),
    FIELD("worst_row", "", JUDGED, value_extent, verdict.worst_row, NULL, "row of the largest error over its bound"),
    FIELD("worst_column", "", JUDGED, value_extent, verdict.worst_column, NULL,
          "column of the largest error over its bound"),
    FIELD("output_hash", "", JUDGED, value_hash, verdict.hash, NULL, "FNV-1a of the output's bytes without padding"),
    FIELD("order", "", TIMED, value_text, order, why_emulated,
          "how samples of the rows of one size alternated: `random`, `abba`, `listed`"),
    FIELD("cache", "", TIMED, value_text, cache, why_emulated,
          "state of the caches before a sample: `hot`, `flushed`, `rotated`"),
    FIELD("data", "", JUDGED, value_text, data, NULL,
          "values of the operands: `uniform`, `normal`, `integers`, `zeros`, `input`"),
    FIELD("host_memory", "", TIMED, value_text, host_memory, why_copy, "host side of the copies: `pinned`, `pageable`"),
    FIELD("session", "", ALWAYS, value_threads, session, NULL, "number of the fresh process, when there were several"),
    FIELD("clean", "", TIMED, value_flag, clean, NULL,
          "false: too few samples without interruption by other work; all were used"),
    FIELD("disturbed", "", TIMED, value_size, disturbed.count, NULL, "samples that other work interrupted"),
    FIELD("outliers_mild", "", TIMED, value_extent, outliers_mild, NULL,
          "samples beyond 1.5 interquartile ranges; none is deleted"),
    FIELD("outliers_severe", "", TIMED, value_extent, outliers_severe, NULL, "samples beyond 3 interquartile ranges"),
    FIELD("drift", "", TIMED, value_real, drift, NULL, "relative change of the kernel time from first to last sample"),
    FIELD("autocorrelation", "", TIMED, value_real, autocorrelation, NULL, "of neighbouring kernel samples (lag 1)"),
    FIELD("foreign_cpu_share", "", TIMED, value_real, foreign_cpu_share, NULL,
          "CPU time that other processes took meanwhile, of all"),
    TIME("overlapped_median_s", overlapped.median, NULL, "end to end with copies and kernels overlapped in chunks"),
    FIELD("overlap_ratio", "x", TIMED, value_positive, overlap_ratio, NULL,
          "end_to_end_median_s over overlapped_median_s"),
    FIELD("tile", "", ALWAYS, value_text, tile, NULL,
          "tile shape that ran because `duel run --tune` found it best here; empty: the implementation's own"),
    FIELD("library", "", ALWAYS, value_text, library, NULL, "name, version and build of the library that did the work"),
    FIELD("seed", "", ALWAYS, value_seed, seed, NULL, "seed of the input data"),
    SAMPLES("kernel_s", kernel_s, "all samples of the computation, in order"),
    SAMPLES("kernel_host_s", kernel_host_s, "all samples of the computation by the host clock"),
    SAMPLES("h2d_s", h2d_s, "all samples of copying to the device"),
    SAMPLES("d2h_s", d2h_s, "all samples of copying back"),
    SAMPLES("end_to_end_s", end_to_end_s, "all samples of copies and computation"),
    SAMPLES("overlapped_s", overlapped_s, "all samples of overlapped copies and computation"),
    SAMPLES("disturbed_samples", disturbed, "positions in kernel_s, from 0, of the disturbed samples"),
    {.name = NULL}};

/* ---- reading it -----------------------------------------------------------------------------------------------------
 */

static bool in_scope(enum duel_field_scope scope, const struct duel_result *result)
{
    return scope == SCOPE_ALWAYS || (scope == SCOPE_TIMED && result_timed(result)) ||
           (scope == SCOPE_JUDGED && result->verdict.tier != DUEL_TIER_NONE) ||
           (scope == SCOPE_FAILED && result->status == ROW_FAILED);
}

void field_value(const struct duel_field *field, const struct duel_result *result, struct duel_value *value)
{
    value->kind = VALUE_UNKNOWN;
    if (in_scope(field->scope, result))
        field->read((const char *)result + field->offset, value);
}

const char *field_why(const struct duel_field *field, const struct duel_result *result)
{
    struct duel_value value;
    field_value(field, result, &value);
    return value.kind == VALUE_UNKNOWN && field->why ? field->why(result) : NULL;
}

void field_dictionary(FILE *stream)
{
    static const char *const rows[] = {
        [SCOPE_ALWAYS] = "all", [SCOPE_TIMED] = "`ok`", [SCOPE_JUDGED] = "verified", [SCOPE_FAILED] = "`FAILED`"};
    fprintf(stream, "| field | unit | rows | CSV | meaning |\n|---|---|---|---|---|\n");
    for (const struct duel_field *field = duel_field_table; field->name; field++)
        fprintf(stream, "| `%s` | %s | %s | %s | %s |\n", field->name, field->unit, rows[field->scope],
                field->csv ? "yes" : "no", field->help);
}
