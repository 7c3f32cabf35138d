/* freivalds.c: the tier for large outputs (Freivalds, Probabilistic machines can use less running time, IFIP 1977).
 *
 * Instead of all of C, random sums of its columns are compared: r = C x - (alpha A (B x) + beta C0 x) with signs x, in
 * O(n^2) and FP64. On whole numbers r must be exactly 0, and each x finds a wrong row with probability 1/2 or more:
 * eight of them miss it once in 256 times at most, far less when several rows are wrong.
 *
 * With rounding r is small instead. A single row is held to its bound; and because the expectation of |r|^2 is the
 * squared Frobenius norm of the error, all rows and signs together estimate the relative error of the whole output.
 * That estimate is much the sharper eye: its limit is the fingerprint of the label's precision.
 *
 * Tall outputs go through in bands of rows, so that the sums of all probes take some megabytes and not as much as C. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/verify/trial.h"

enum { PROBES = 8, BAND = 1 << 15 };

/* Of each probe: its signs, and for the rows of a band minus the expected row sums and their magnitudes. */
struct duel_probes {
    int64_t first;                /* row of the band that is filled in; -1: none is */
    uint64_t seed;                /* of the signs, once a band is filled in */
    int64_t rows, columns;        /* of a band */
    signed char *x;               /* PROBES x columns */
    double *residual, *magnitude; /* PROBES x rows */
    double *sum;                  /* PROBES x rows, of the output under test */
};

struct sums {
    double worst_ratio, worst_residual, largest, residual_squares, value_squares, magnitude_squares;
    int64_t worst_row, wrong_rows;
};

/* An output whose rows need all of its operands cannot be cut. */
static int64_t band_rows(const struct duel_workload *workload, const struct duel_problem *problem)
{
    const int64_t rows = workload_output_rows(workload, problem);
    return workload->split_by_rows != 0 && rows > BAND ? BAND : rows;
}

uint64_t probes_bytes(const struct duel_workload *workload, const struct duel_problem *problem)
{
    return PROBES * ((uint64_t)workload_output_columns(workload, problem) +
                     3 * sizeof(double) * (uint64_t)band_rows(workload, problem));
}

enum duel_status probes_make(struct duel_probes **probes, const struct duel_workload *workload,
                             const struct duel_problem *problem, struct duel_why *why)
{
    const int64_t rows = band_rows(workload, problem), columns = workload_output_columns(workload, problem);
    struct duel_probes *made = *probes = calloc(1, sizeof *made);
    if (made) {
        *made = (struct duel_probes){.first = -1, .rows = rows, .columns = columns};
        made->x = calloc((size_t)columns, PROBES * sizeof *made->x);
        made->residual = calloc((size_t)rows, PROBES * sizeof *made->residual);
        made->magnitude = calloc((size_t)rows, PROBES * sizeof *made->magnitude);
        made->sum = calloc((size_t)rows, PROBES * sizeof *made->sum);
        if (made->x && made->residual && made->magnitude && made->sum)
            return DUEL_OK;
    }
    probes_free(made);
    *probes = NULL;
    return duel_fail(why, DUEL_ENOMEM, "an answer that is not verified shows no rate", "close other programs",
                     "out of memory for the row sums of %lld x %lld elements", (long long)rows, (long long)columns);
}

void probes_free(struct duel_probes *probes)
{
    if (!probes)
        return;
    free(probes->x);
    free(probes->residual);
    free(probes->magnitude);
    free(probes->sum);
    free(probes);
}

/* Signs come from the same generator as operands, as if they were rows of one more operand that nobody has. */
static void make_signs(struct duel_probes *probes, uint64_t seed)
{
    for (int probe = 0; probe < PROBES; probe++)
        for (int64_t j = 0; j < probes->columns; j++)
            probes->x[probe * probes->columns + j] =
                matrix_value(DUEL_UNIFORM, seed, DUEL_MAX_OPERANDS, probe, j) < 0 ? -1 : 1;
    probes->seed = seed;
}

/* `count` rows of a matrix from `first` on. */
static struct duel_matrix rows_of(const struct duel_matrix *matrix, int64_t first, int64_t count)
{
    struct duel_matrix part = *matrix;
    part.rows = count;
    if (part.data)
        part.data = (char *)part.data + (size_t)(first * part.ld) * dtype_size(part.type);
    return part;
}

/* What the sums of the rows first, first + 1, ... should be. A band is kept until another one is asked for, so that
 * all implementations of an output of one band share the work. Or, where that depends on the output, its residuals. */
static void fill(struct duel_probes *probes, const struct duel_trial *trial, int64_t first, int64_t count)
{
    const struct duel_expectation *expectation = trial->expectation;
    const struct duel_workload *workload = expectation->workload;
    struct duel_problem problem = expectation->problem;
    struct duel_matrix operand[DUEL_MAX_OPERANDS], before[DUEL_MAX_OPERANDS] = {{0}};
    if (probes->first < 0 || probes->seed != trial->seed)
        make_signs(probes, trial->seed);
    else if (probes->first == first && !workload->probe_output)
        return;
    problem.m = count;
    for (int i = 0; i < workload->operands; i++) {
        const bool banded = workload->split_by_rows >> i & 1;
        operand[i] = banded ? rows_of(&expectation->operand[i], first, count) : expectation->operand[i];
        if (workload->role[i] != DUEL_OUT)
            continue;
        operand[i] = *trial->output;
        if (!workload->probe_output)
            operand[i].data = NULL;
        if (problem.beta != 0)
            before[i] = banded ? rows_of(&expectation->before[i], first, count) : expectation->before[i];
    }
    for (int probe = 0; probe < PROBES; probe++)
        workload->probe(&problem, operand, before, probes->x + probe * probes->columns,
                        probes->residual + probe * probes->rows, probes->magnitude + probe * probes->rows);
    probes->first = first;
}

/* C x for all probes, reading C once. Eight sums side by side: one alone would wait for its own addition each time. */
static void sum_row(const struct duel_probes *probes, int64_t start, int64_t count, const double *element, double *sum)
{
    enum { LANES = 8 };
    for (int probe = 0; probe < PROBES; probe++) {
        const signed char *x = probes->x + probe * probes->columns + start;
        double lane[LANES] = {0};
        int64_t j = 0;
        for (; j + LANES <= count; j += LANES)
            for (int l = 0; l < LANES; l++)
                lane[l] += element[j + l] * (double)x[j + l];
        for (; j < count; j++)
            lane[0] += element[j] * (double)x[j];
        for (int l = 0; l < LANES; l++)
            sum[probe * probes->rows] += lane[l];
    }
}

/* Returns the sum of the squares of these rows. */
static double sum_output(const struct duel_probes *probes, const struct duel_matrix *output, int64_t first,
                         int64_t count)
{
    double strip[TRIAL_STRIP], squares = 0;
    memset(probes->sum, 0, PROBES * (size_t)probes->rows * sizeof *probes->sum);
    for (int64_t row = 0; row < count; row++)
        for (int64_t start = 0; start < output->columns; start += TRIAL_STRIP) {
            const int64_t columns = trial_strip(start, output->columns);
            trial_load(output, first + row, start, columns, strip);
            sum_row(probes, start, columns, strip, probes->sum + row);
            for (int64_t j = 0; j < columns; j++)
                squares += strip[j] * strip[j];
        }
    return squares;
}

/* One row sum. */
static void compare(const struct duel_trial *trial, int64_t row, double residual, double magnitude, struct sums *sums)
{
    const double size = fabs(residual);
    const double bound = trial->exact ? 0 : bounds_row(&trial->bounds, magnitude, trial->output->columns);
    const double ratio = size <= 0 ? 0 : bound > 0 ? size / bound : INFINITY;
    sums->wrong_rows += !(size <= bound);
    sums->largest = fmax(sums->largest, size);
    sums->residual_squares += size * size;
    sums->magnitude_squares += magnitude * magnitude;
    if (!(ratio <= sums->worst_ratio)) {
        sums->worst_ratio = isnan(ratio) ? INFINITY : ratio;
        sums->worst_residual = residual;
        sums->worst_row = row;
    }
}

static void look_at_band(const struct duel_trial *trial, int64_t first, int64_t count, struct sums *sums)
{
    struct duel_probes *probes = trial->expectation->probes;
    fill(probes, trial, first, count);
    sums->value_squares += sum_output(probes, trial->output, first, count);
    for (int probe = 0; probe < PROBES; probe++)
        for (int64_t row = 0; row < count; row++) {
            const int64_t i = probe * probes->rows + row;
            const double sum = trial->expectation->workload->probe_output ? 0 : probes->sum[i];
            compare(trial, first + row, sum + probes->residual[i], probes->magnitude[i], sums);
        }
}

static void judge(struct duel_trial *trial, const struct sums *sums)
{
    struct duel_verdict *verdict = trial->verdict;
    const struct duel_matrix *output = trial->output;
    const double squares = sums->residual_squares / PROBES; /* estimates the squared error of all of C */
    const struct duel_workload *workload = trial->expectation->workload;
    verdict->bound_ratio = sums->worst_ratio;
    verdict->worst_row = sums->worst_row;
    if (!workload->probe_output) { /* else these are errors of something else */
        verdict->rms_error = sqrt(squares / ((double)output->rows * (double)output->columns));
        /* A row of magnitudes is known only by its sum: taken to be alike. */
        trial_errors(trial, squares, sums->value_squares, sums->magnitude_squares / PROBES / (double)output->columns);
    }
    trial->spread = sums->largest / sqrt(squares / (double)output->rows);
    const bool marked = workload->sums && trial->relative > trial->bounds.fingerprint &&
                        bounds_fingerprint_words(trial->relative, trial->spread, trial->problem->types.in);
    if (!trial->exact && workload->sums && (sums->wrong_rows == 0 || marked))
        trial_fingerprint(trial);
    else if (sums->wrong_rows > 0 && workload->probe_output)
        trial_wrong(trial, sums->worst_row, -1,
                    "row %lld: the output put back into %s misses by %.3g, which is beyond the bound; %lld of %lld row "
                    "sums are wrong",
                    (long long)sums->worst_row, workload->formula, sums->worst_residual, (long long)sums->wrong_rows,
                    (long long)output->rows * PROBES);
    else if (sums->wrong_rows > 0)
        trial_wrong(trial, sums->worst_row, -1,
                    "row %lld: C x and A (B x) differ by %.3g, %s; %lld of %lld row sums are wrong",
                    (long long)sums->worst_row, sums->worst_residual,
                    trial->exact ? "where whole numbers leave no rounding" : "which is beyond the bound",
                    (long long)sums->wrong_rows, (long long)output->rows * PROBES);
}

void trial_freivalds(struct duel_trial *trial)
{
    const struct duel_probes *probes = trial->expectation->probes;
    const int64_t rows = trial->output->rows;
    struct sums sums = {.worst_row = -1};
    /* The exact tier allows for one rounding to the output's type; a sum of rounded elements is not exact. */
    trial->exact = trial->exact && bounds_exact(trial->problem, trial->expectation->workload->terms(trial->problem),
                                                trial->output->type);
    trial->bounds.fingerprint += trial->bounds.probe;
    for (int64_t first = 0; first < rows; first += probes->rows)
        look_at_band(trial, first, rows - first < probes->rows ? rows - first : probes->rows, &sums);
    judge(trial, &sums);
}
