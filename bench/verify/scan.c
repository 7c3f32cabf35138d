/* scan.c: the first look at an output: is there a number everywhere it must be, and nothing where nothing may be?
 *
 * Before the call the padding is NaN, and with beta == 0 the output too, byte 0xFF everywhere. NaN that is left tells
 * where nobody wrote; a number in the padding tells that somebody wrote outside C. In whole numbers those bytes are -1.
 */
#include <math.h>
#include <string.h>

#include "bench/verify/trial.h"

/* What is not finite: how much of it, and the smallest rectangle that holds it all. */
struct hole {
    int64_t count, top, bottom, left, right;
    double first; /* at (top, first_column) */
    int64_t first_column;
    bool untouched; /* every one still has the bytes from before the call */
};

static bool all_ones(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0xFF)
            return false;
    return true;
}

static bool untouched(const struct duel_matrix *output, int64_t row, int64_t column)
{
    const size_t size = dtype_size(output->type);
    return all_ones((const unsigned char *)output->data + (size_t)(row * output->ld + column) * size, size);
}

static void add_to_hole(struct hole *hole, const struct duel_matrix *output, int64_t row, int64_t column, double value)
{
    if (hole->count == 0)
        *hole = (struct hole){0, row, row, column, column, value, column, true};
    hole->count++;
    hole->bottom = row;
    hole->left = column < hole->left ? column : hole->left;
    hole->right = column > hole->right ? column : hole->right;
    hole->untouched = hole->untouched && untouched(output, row, column);
}

uint64_t trial_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3;
    return hash;
}

/* Not every hole is the implementation's fault. *right becomes the right value, where it is known. */
static const char *innocent_cause(const struct duel_trial *trial, const struct hole *hole, double *right)
{
    double stored = 0;
    if (!trial->expectation->result)
        return NULL;
    *right = trial->expectation->result[hole->top * trial->output->columns + hole->first_column];
    if (!isfinite(*right))
        return "the input holds NaN or infinity";
    dtype_store(trial->output->type, &stored, 0, *right);
    return isfinite(dtype_load(trial->output->type, &stored, 0)) ? NULL : "overflow: its type cannot hold that";
}

/* "row 63" or "rows 60 to 63". */
struct span {
    char text[64];
};

static struct span span(const char *what, int64_t first, int64_t last)
{
    struct span span;
    if (first == last)
        snprintf(span.text, sizeof span.text, "%s %lld", what, (long long)first);
    else
        snprintf(span.text, sizeof span.text, "%ss %lld to %lld", what, (long long)first, (long long)last);
    return span;
}

/* Nobody wrote there. True when the rest of the output was written, so that these rows or columns were forgotten. */
static bool forgotten(const struct duel_trial *trial, const struct hole *hole)
{
    const int64_t rows = hole->bottom - hole->top + 1, columns = hole->right - hole->left + 1;
    return hole->untouched && trial->problem->beta == 0 && hole->count == rows * columns;
}

static bool report_forgotten(struct duel_trial *trial, const struct hole *hole)
{
    const struct duel_matrix *output = trial->output;
    const struct span rows = span("row", hole->top, hole->bottom), columns = span("column", hole->left, hole->right);
    const bool whole_rows = hole->left == 0 && hole->right == output->columns - 1;
    const bool whole_columns = hole->top == 0 && hole->bottom == output->rows - 1;
    const bool edge = hole->bottom == output->rows - 1 || hole->right == output->columns - 1;
    if (whole_rows && whole_columns) {
        trial_blame(trial, CAUSE_BETA, CAUSE_PLACE);
        return trial_wrong(trial, hole->top, hole->left,
                           "all of the output is still NaN: nothing was written, or the old C was read although beta "
                           "is 0");
    }
    trial_blame(trial, edge ? CAUSE_EDGE : CAUSE_PLACE, edge ? CAUSE_PLACE : CAUSE_EDGE);
    return trial_wrong(trial, hole->top, hole->left, "%s%s%s of %lld x %lld never written: still NaN at (%lld, %lld)",
                       whole_columns ? "" : rows.text, whole_rows || whole_columns ? "" : ", ",
                       whole_rows ? "" : columns.text, (long long)output->rows, (long long)output->columns,
                       (long long)hole->top, (long long)hole->left);
}

/* Input rows longer than their operand: what lies between is NaN and must not be read. */
static bool inputs_padded(const struct duel_trial *trial)
{
    const struct duel_workload *workload = trial->expectation->workload;
    bool padded = false;
    for (int i = 0; i < workload->operands; i++) {
        int64_t rows, columns;
        workload->extent(trial->problem, i, &rows, &columns);
        padded = padded || (workload->role[i] == DUEL_IN && trial->problem->ld[i] > columns);
    }
    return padded;
}

/* Some inputs have no result, and then the first NaN says so. Where the reference found one all the same, it must be
 * so uncertain that rounding may have taken it away. */
static bool is_refusal(struct duel_trial *trial, const struct hole *hole)
{
    const struct duel_workload *workload = trial->expectation->workload;
    const int64_t row = hole->top, column = hole->first_column, index = row * trial->output->columns + column;
    char text[sizeof trial->verdict->reason];
    if (!workload->refused || !isnan(hole->first) || hole->untouched ||
        !workload->refused(trial->problem, row, column, text, sizeof text))
        return false;
    if (trial->expectation->result) {
        const double right = trial->expectation->result[index];
        const double bound = bounds_element(&trial->bounds, trial->expectation->magnitude[index], right);
        for (int64_t i = 0; i < index; i++)
            if (isnan(trial->expectation->result[i]))
                return false;
        if (right > bound)
            return false;
    }
    trial->verdict->refused = true;
    return !trial_wrong(trial, row, column, "%s", text);
}

/* The answer is wrong: say where the numbers are missing, and why when that is certain. */
static bool report_hole(struct duel_trial *trial, const struct hole *hole)
{
    const struct duel_matrix *output = trial->output;
    const long long row = hole->top, column = hole->first_column, all = output->rows * output->columns;
    double right_value = NAN;
    const char *innocent = innocent_cause(trial, hole, &right_value);

    trial->verdict->bound_ratio = INFINITY;
    if (is_refusal(trial, hole))
        return false;
    if (innocent)
        return trial_wrong(trial, row, column, "the right value at (%lld, %lld) is %g: %s", row, column, right_value,
                           innocent);
    if (forgotten(trial, hole))
        return report_forgotten(trial, hole);
    if (hole->untouched && trial->problem->beta == 0 && hole->count < all)
        trial_blame(trial, CAUSE_PLACE, CAUSE_BETA);
    else if (inputs_padded(trial))
        trial_blame(trial, CAUSE_BEYOND, CAUSE_STALE);
    else
        trial_blame(trial, CAUSE_STALE, trial->problem->beta == 0 ? CAUSE_BETA : CAUSE_BEYOND);
    return trial_wrong(trial, row, column, "%s at (%lld, %lld), not finite in %lld of %lld elements%s",
                       isnan(hole->first) ? "NaN"
                       : hole->first < 0  ? "-infinity"
                                          : "infinity",
                       row, column, (long long)hole->count, all,
                       isnan(hole->first) && inputs_padded(trial) ? "; the inputs' padding is NaN: is it read as data?"
                                                                  : "");
}

/* Padding was NaN in every operand; a number there was written past the end of a row. */
static bool padding_clean(struct duel_trial *trial, int64_t row)
{
    const struct duel_matrix *output = trial->output;
    for (int64_t column = output->columns; column < output->ld; column++) {
        double value;
        trial_load(output, row, column, 1, &value);
        if (isnan(value) || untouched(output, row, column))
            continue;
        trial->verdict->bound_ratio = INFINITY;
        trial_blame(trial, CAUSE_OUTSIDE, CAUSE_PLACE);
        return trial_wrong(trial, row, column,
                           "wrote outside C: the padding at (%lld, %lld) is now %g; rows have %lld columns and a "
                           "leading dimension of %lld",
                           (long long)row, (long long)column, value, (long long)output->columns, (long long)output->ld);
    }
    return true;
}

bool trial_scan(struct duel_trial *trial)
{
    const struct duel_matrix *output = trial->output;
    const size_t size = dtype_size(output->type);
    struct hole hole = {0};
    double strip[TRIAL_STRIP];
    bool clean = true;
    uint64_t hash = TRIAL_HASH_START;
    for (int64_t row = 0; row < output->rows; row++) {
        hash = trial_hash(hash, (const char *)output->data + (size_t)(row * output->ld) * size,
                          (size_t)output->columns * size);
        for (int64_t start = 0; start < output->columns; start += TRIAL_STRIP) {
            const int64_t count = trial_strip(start, output->columns);
            trial_load(output, row, start, count, strip);
            for (int64_t j = 0; j < count; j++)
                if (!isfinite(strip[j]))
                    add_to_hole(&hole, output, row, start + j, strip[j]);
        }
        clean = clean && padding_clean(trial, row);
    }
    trial->verdict->hash = hash;
    if (!clean)
        return false;
    return hole.count == 0 || report_hole(trial, &hole);
}
