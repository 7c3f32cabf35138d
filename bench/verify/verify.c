/* verify.c: makes the expected result and leads an output through scan and tier. */
#include "bench/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/verify/trial.h"

bool verify_by_probes(const struct duel_workload *workload, const struct duel_problem *problem)
{
    const double rows = (double)workload_output_rows(workload, problem);
    const double elements = rows * (double)workload_output_columns(workload, problem);
    const double products = elements * (double)workload->terms(problem);
    return workload->probe && (products >= VERIFY_FREIVALDS_PRODUCTS || elements >= VERIFY_FREIVALDS_ELEMENTS);
}

uint64_t expectation_bytes(const struct duel_workload *workload, const struct duel_problem *problem)
{
    const uint64_t rows = (uint64_t)workload_output_rows(workload, problem);
    const uint64_t elements = rows * (uint64_t)workload_output_columns(workload, problem);
    return verify_by_probes(workload, problem) ? probes_bytes(workload, problem) : 2 * elements * sizeof(double);
}

enum duel_status expectation_make(struct duel_expectation *expectation, const struct duel_workload *workload,
                                  const struct duel_problem *problem, const struct duel_matrix *operand,
                                  const struct duel_matrix *before, bool exact, struct duel_why *why)
{
    *expectation = (struct duel_expectation){.workload = workload,
                                             .problem = *problem,
                                             .operand = operand,
                                             .before = before,
                                             .exact = exact && workload->sums};
    if (verify_by_probes(workload, problem))
        return probes_make(&expectation->probes, workload, problem, why);
    size_t bytes = 0;
    enum duel_status status = matrix_bytes(DUEL_FP64, workload_output_rows(workload, problem),
                                           workload_output_columns(workload, problem), &bytes, why);
    if (status != DUEL_OK)
        return status;
    expectation->result = malloc(bytes + 1);
    expectation->magnitude = malloc(bytes + 1);
    if (!expectation->result || !expectation->magnitude) {
        expectation_free(expectation);
        return duel_fail(why, DUEL_ENOMEM, "an answer that is not verified shows no rate",
                         "give a smaller size or close other programs", "2 x %zu bytes for the expected result", bytes);
    }
    workload->reference(problem, operand, before, expectation->result, expectation->magnitude);
    return DUEL_OK;
}

void expectation_free(struct duel_expectation *expectation)
{
    free(expectation->result);
    free(expectation->magnitude);
    probes_free(expectation->probes);
    memset(expectation, 0, sizeof *expectation);
}

bool trial_wrong(struct duel_trial *trial, int64_t row, int64_t column, const char *reason, ...)
{
    va_list args;
    va_start(args, reason);
    vsnprintf(trial->verdict->reason, sizeof trial->verdict->reason, reason, args);
    va_end(args);
    trial->verdict->right = false;
    trial->verdict->worst_row = row;
    trial->verdict->worst_column = column;
    return false;
}

/* Random signs leave a sum of K products at about 1 / sqrt(K) of the sum of their sizes. Where products cancel more
 * than that the output is smaller, while their roundings are as large as ever: no right answer may fail for it. */
void trial_errors(struct duel_trial *trial, double errors, double values, double magnitudes)
{
    const double terms = fmax((double)trial->expectation->workload->terms(trial->problem), 1);
    trial->verdict->relative_frobenius = errors <= 0 ? 0 : values > 0 ? sqrt(errors / values) : NAN;
    trial->relative = errors <= 0 ? 0 : sqrt(errors / fmax(values, magnitudes / terms));
}

/* No single element is beyond its bound, but all together may be less precise than the row's label promises: a kernel
 * that quietly rounds its inputs, or sums in a narrower type. */
void trial_fingerprint(struct duel_trial *trial)
{
    struct duel_verdict *verdict = trial->verdict;
    const struct duel_types *types = &trial->problem->types;
    const double relative = trial->relative, limit = trial->bounds.fingerprint;
    const char *words = bounds_fingerprint_words(relative, trial->spread, types->in);
    verdict->bound_ratio = fmax(verdict->bound_ratio, relative / limit);
    if (relative <= limit)
        return;
    trial_wrong(trial, verdict->worst_row, verdict->worst_column,
                "relative error %.2g over the whole output, where %s inputs and %s sums stay below %.2g%s%s", relative,
                dtype_name(types->in), dtype_name(types->acc), limit, words ? ": " : "", words ? words : "");
}

enum duel_status verify_output(const struct duel_expectation *expectation, const struct duel_problem *problem,
                               const struct duel_matrix *output, uint64_t seed, struct duel_verdict *verdict,
                               struct duel_why *why)
{
    (void)why;
    const struct duel_workload *workload = expectation->workload;
    const int64_t terms = workload->terms(problem);
    struct duel_trial trial = {
        .expectation = expectation,
        .problem = problem,
        .output = output,
        .before = problem->beta == 0 ? NULL : &expectation->before[workload_output(workload)],
        .bounds = bounds_make(problem, terms, output->columns, expectation->any_data),
        .exact = (expectation->exact || problem->types.acc == DUEL_INT32) &&
                 bounds_exact(problem, terms, problem->types.acc),
        .seed = seed,
        .verdict = verdict,
    };
    *verdict = (struct duel_verdict){.right = true,
                                     .tier = !expectation->result ? DUEL_TIER_FREIVALDS
                                             : trial.exact        ? DUEL_TIER_EXACT
                                                                  : DUEL_TIER_BOUND,
                                     .max_error = NAN,
                                     .rms_error = NAN,
                                     .relative_frobenius = NAN,
                                     .worst_row = -1,
                                     .worst_column = -1};
    if (!trial_scan(&trial))
        return DUEL_OK;
    if (expectation->result)
        trial_elements(&trial);
    else
        trial_freivalds(&trial);
    return DUEL_OK;
}
