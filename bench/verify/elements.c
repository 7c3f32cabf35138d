/* elements.c: the exact and the bounded tier: every element against the expected one. */
#include <math.h>

#include "bench/verify/trial.h"

/* An output of fewer elements has no dependable relative error: a few of them may be small by cancellation. */
#define FINGERPRINT_ELEMENTS 256

struct tally {
    double worst_ratio, worst_value, worst_expected, max_error, error_squares, value_squares, magnitude_squares;
    int64_t worst_row, worst_column, wrong, overflowed;
};

/* What an exact result looks like in the output's type. */
static double rounded(enum duel_dtype type, double value)
{
    double stored = 0;
    dtype_store(type, &stored, 0, value);
    return dtype_load(type, &stored, 0);
}

/* The comparisons are written so that NaN counts as wrong. */
static void compare(const struct duel_trial *trial, struct tally *tally, int64_t row, int64_t column, double value)
{
    const int64_t index = row * trial->output->columns + column;
    const double full = trial->expectation->result[index], magnitude = trial->expectation->magnitude[index];
    const double expected = trial->exact ? rounded(trial->output->type, full) : full;
    const double error = fabs(value - expected);
    const double bound = trial->exact ? 0 : bounds_element(&trial->bounds, magnitude, expected);
    const double ratio = error <= 0 ? 0 : bound > 0 ? error / bound : INFINITY;
    tally->wrong += !(error <= bound);
    if (!(ratio <= tally->worst_ratio)) {
        tally->worst_ratio = isnan(ratio) ? INFINITY : ratio;
        tally->worst_row = row;
        tally->worst_column = column;
        tally->worst_value = value;
        tally->worst_expected = expected;
    }
    tally->max_error = fmax(tally->max_error, error);
    tally->error_squares += error * error;
    tally->value_squares += expected * expected;
    tally->magnitude_squares += magnitude * magnitude;
}

static struct tally tally_all(const struct duel_trial *trial)
{
    const struct duel_matrix *output = trial->output;
    struct tally tally = {.worst_row = -1, .worst_column = -1};
    double strip[TRIAL_STRIP];
    for (int64_t row = 0; row < output->rows; row++)
        for (int64_t start = 0; start < output->columns; start += TRIAL_STRIP) {
            const int64_t count = trial_strip(start, output->columns);
            trial_load(output, row, start, count, strip);
            for (int64_t j = 0; j < count; j++)
                compare(trial, &tally, row, start + j, strip[j]);
        }
    return tally;
}

static void report_elements(struct duel_trial *trial, const struct tally *tally)
{
    const struct duel_matrix *output = trial->output;
    const long long all = output->rows * output->columns, row = tally->worst_row, column = tally->worst_column;
    const char *cause = trial_diagnose(trial);
    if (!cause && !trial->exact)
        cause = bounds_fingerprint_words(trial->relative, trial->spread, trial->problem->types.in);
    if (!isfinite(tally->worst_expected))
        trial_wrong(trial, row, column, "the right value at (%lld, %lld) is %g: the input holds NaN or infinity", row,
                    column, tally->worst_expected);
    else if (cause)
        trial_wrong(trial, row, column, "%s; %lld of %lld elements are wrong, (%lld, %lld) is %.9g, not %.9g", cause,
                    (long long)tally->wrong, all, row, column, tally->worst_value, tally->worst_expected);
    else if (trial->exact)
        trial_wrong(trial, row, column,
                    "%lld of %lld elements are wrong on whole numbers, (%lld, %lld) is %.9g, not %.9g",
                    (long long)tally->wrong, all, row, column, tally->worst_value, tally->worst_expected);
    else
        trial_wrong(
            trial, row, column, "%lld of %lld elements are wrong, (%lld, %lld) is %.9g, not %.9g: %.3g times the bound",
            (long long)tally->wrong, all, row, column, tally->worst_value, tally->worst_expected, tally->worst_ratio);
}

void trial_elements(struct duel_trial *trial)
{
    struct duel_verdict *verdict = trial->verdict;
    const struct tally tally = tally_all(trial);
    const double elements = (double)trial->output->rows * (double)trial->output->columns;
    verdict->bound_ratio = tally.worst_ratio;
    verdict->max_error = tally.max_error;
    verdict->rms_error = sqrt(tally.error_squares / elements);
    trial_errors(trial, tally.error_squares, tally.value_squares, tally.magnitude_squares);
    trial->spread = tally.max_error / verdict->rms_error;
    verdict->worst_row = tally.worst_row;
    verdict->worst_column = tally.worst_column;
    if (tally.wrong > 0) {
        report_elements(trial, &tally);
        trial_suspect(trial);
    } else if (!trial->exact && trial->expectation->workload->sums && elements >= FINGERPRINT_ELEMENTS) {
        trial_fingerprint(trial);
    }
}
