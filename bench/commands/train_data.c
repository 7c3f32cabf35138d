#include "bench/commands/train_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/npy.h"
#include "bench/stats/random.h"

/* A fifth of the samples is kept for the question whether anything was learnt that holds for others too. */
enum { TEST_SHARE = 5, LEAST_SAMPLES = 10, MOST_CLASSES = 1000 };

static double at(const struct duel_matrix *file, int64_t row, int64_t column)
{
    return dtype_load(file->type, file->data, (size_t)(row * file->ld + column));
}

static enum duel_status check_label(const struct train_data *data, const char *path, int64_t row, double label,
                                    struct duel_why *why)
{
    if (label >= 0 && label < MOST_CLASSES && label == floor(label))
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "the last column is the class that a sample belongs to",
                     "number the classes 0, 1, 2, ... and put them behind the inputs",
                     "%s has the label %g in row %lld, column %lld", path, label, (long long)row,
                     (long long)data->inputs);
}

/* One pass over all numbers: finite, labels whole; finds the largest input and the number of classes. */
static enum duel_status look_through(struct train_data *data, const struct duel_matrix *file, const char *path,
                                     struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (int64_t row = 0; row < file->rows && status == DUEL_OK; row++) {
        const double label = at(file, row, data->inputs);
        for (int64_t column = 0; column <= data->inputs; column++)
            if (!isfinite(at(file, row, column)))
                return duel_fail(why, DUEL_EINVAL, "a network that sees it answers nothing but NaN from then on",
                                 "replace it, for example with numpy.nan_to_num, or leave out its row",
                                 "%s holds %g in row %lld, column %lld", path, at(file, row, column), (long long)row,
                                 (long long)column);
        for (int64_t column = 0; column < data->inputs; column++)
            data->largest = fmax(data->largest, fabs(at(file, row, column)));
        status = check_label(data, path, row, label, why);
        if (status == DUEL_OK && (int64_t)label >= data->classes)
            data->classes = (int64_t)label + 1;
    }
    if (status == DUEL_OK && data->classes < 2)
        return duel_fail(why, DUEL_EINVAL, "with one class every answer is right", "give samples of several classes",
                         "%s has the label 0 in every row", path);
    return status;
}

static enum duel_status check_shape(const struct duel_matrix *file, const char *path, struct duel_why *why)
{
    if (file->rows >= LEAST_SAMPLES && file->columns >= 2)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "each row is a sample: its inputs, and its class in the last column",
                     "scripts/make-digits makes such a file", "%s is %lld x %lld, less than %d x 2", path,
                     (long long)file->rows, (long long)file->columns, LEAST_SAMPLES);
}

/* Into FP64, scaled to -1 .. 1, in a random order: files are often sorted by class, and a network that sees one class
 * for a long time forgets the others. */
static bool shuffle(struct train_data *data, const struct duel_matrix *file, uint64_t seed)
{
    const int64_t k = data->inputs;
    const double scale = data->largest > 0 ? 1 / data->largest : 1;
    double *x = malloc((size_t)(data->count * k) * sizeof *x), *t = malloc((size_t)data->count * sizeof *t);
    int64_t *order = malloc((size_t)data->count * sizeof *order);
    data->samples = (struct duel_matrix){DUEL_FP64, data->count, k, k, x};
    data->labels = (struct duel_matrix){DUEL_FP64, data->count, 1, 1, t};
    for (int64_t i = 0; x && t && order && i < data->count; i++) { /* Fisher and Yates, from the inside out */
        const int64_t other = (int64_t)random_below(&seed, (size_t)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (int64_t i = 0; x && t && order && i < data->count; i++) {
        for (int64_t q = 0; q < k; q++)
            x[i * k + q] = scale * at(file, order[i], q);
        t[i] = at(file, order[i], k);
    }
    free(order);
    return x && t && order;
}

enum duel_status train_data_read(struct train_data *data, const char *path, uint64_t seed, struct duel_why *why)
{
    struct duel_matrix file;
    memset(data, 0, sizeof *data);
    enum duel_status status = npy_read(path, &file, why);
    if (status != DUEL_OK)
        return status;
    data->count = file.rows;
    data->inputs = file.columns - 1;
    data->learn = file.rows - file.rows / TEST_SHARE;
    status = check_shape(&file, path, why);
    if (status == DUEL_OK)
        status = look_through(data, &file, path, why);
    if (status == DUEL_OK && !shuffle(data, &file, seed))
        status = duel_fail(why, DUEL_ENOMEM, "nothing is learnt", "close other programs",
                           "out of memory for %lld samples", (long long)data->count);
    free(file.data);
    return status;
}

void train_data_free(struct train_data *data)
{
    free(data->samples.data);
    free(data->labels.data);
    memset(data, 0, sizeof *data);
}
