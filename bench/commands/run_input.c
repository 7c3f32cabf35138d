#include "bench/commands/run_input.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/npy.h"

static double host_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Unless asked otherwise FP64 files are multiplied in FP64; everything else in FP32, and in FP16 where a GPU has it. */
static void default_precision(const struct duel_input *input, struct duel_options *options)
{
    if (options->precision_count > 0)
        return;
    if (input->a.type == DUEL_FP64 || input->b.type == DUEL_FP64) {
        options->precision[options->precision_count++] = DUEL_FP64;
        return;
    }
    options->precision[options->precision_count++] = DUEL_FP32;
    options->precision[options->precision_count++] = DUEL_FP16;
}

/* The same file, under whatever names. */
static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    return a && b && stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Known before the work is done: the answer would have nowhere to go, or would replace something else. */
static enum duel_status check_output(const struct duel_options *options, struct duel_why *why)
{
    const char *path = options->output;
    char dir[4096];
    if (!path)
        return DUEL_OK;
    size_t length = strlen(path);
    if (length < 4 || strcmp(path + length - 4, ".npy") != 0)
        return duel_fail(why, DUEL_EINVAL, "the answer is a NumPy file, and no other file should be replaced by one",
                         "give a name that ends in .npy", "--output %.200s", path);
    for (int i = 0; i < 2; i++)
        if (same_file(path, options->input[i]))
            return duel_fail(why, DUEL_EINVAL, "the answer would replace the matrix that it is made from",
                             "give --output another name", "--output %.200s is also an --input", path);
    const char *slash = strrchr(path, '/');
    snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (access(dir, W_OK) == 0)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "the answer could not be kept, so nothing is measured",
                     "make the directory, or give another one", "--output %.200s: %s", path, strerror(errno));
}

enum duel_status input_plan(struct duel_input *input, struct duel_options *options, struct duel_why *why)
{
    memset(input, 0, sizeof *input);
    input->read_s = input->write_s = NAN;
    if (!options->input[0]) {
        if (options->output)
            return duel_fail(why, DUEL_EINVAL, "generated matrices have no answer worth keeping",
                             "give --input A.npy B.npy too", "--output %s without --input", options->output);
        return DUEL_OK;
    }
    if (!options->input[1])
        return duel_fail(why, DUEL_EINVAL, "a product needs two matrices", "give --input A.npy B.npy",
                         "--input %s alone", options->input[0]);
    enum duel_status target = check_output(options, why);
    if (target != DUEL_OK)
        return target;
    if (options->shape_count > 0)
        return duel_fail(why, DUEL_EINVAL, "the files decide the size",
                         "leave out --n and --shape, or leave out --input", "--input together with --n or --shape");
    enum duel_status status = npy_peek(options->input[0], &input->a, why);
    if (status == DUEL_OK)
        status = npy_peek(options->input[1], &input->b, why);
    if (status != DUEL_OK)
        return status;
    if (input->a.columns != input->b.rows)
        return duel_fail(why, DUEL_EINVAL, "A B needs as many columns in A as rows in B",
                         "swap the files or transpose one of them", "%s is %lld x %lld and %s is %lld x %lld",
                         options->input[0], (long long)input->a.rows, (long long)input->a.columns, options->input[1],
                         (long long)input->b.rows, (long long)input->b.columns);
    for (int i = 0; i < 2; i++) {
        const struct duel_matrix *matrix = i == 0 ? &input->a : &input->b;
        size_t bytes;
        status = matrix_bytes(matrix->type, matrix->rows, matrix->columns, &bytes, why);
        if (status != DUEL_OK)
            return status;
        options->held_bytes += bytes;
    }
    input->given = true;
    input->output_path = options->output;
    options->shape[options->shape_count++] =
        (struct duel_shape){input->a.rows, input->b.columns, input->a.columns, 1, 3};
    default_precision(input, options);
    return DUEL_OK;
}

/* One number that is not finite makes a row and a column of the answer meaningless; it is told, not "verified". */
static enum duel_status check_finite(const struct duel_matrix *matrix, const char *name, struct duel_why *why)
{
    size_t count = (size_t)matrix->rows * (size_t)matrix->columns;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(dtype_load(matrix->type, matrix->data, i)))
            return duel_fail(why, DUEL_EINVAL, "a product with NaN or infinity cannot be verified",
                             "replace it, for example with numpy.nan_to_num", "%s holds %g at row %zu, column %zu",
                             name, dtype_load(matrix->type, matrix->data, i), i / (size_t)matrix->columns,
                             i % (size_t)matrix->columns);
    return DUEL_OK;
}

enum duel_status input_read(struct duel_input *input, const struct duel_options *options, struct duel_why *why)
{
    double start = host_now();
    enum duel_status status = npy_read(options->input[0], &input->a, why);
    if (status == DUEL_OK)
        status = npy_read(options->input[1], &input->b, why);
    input->read_s = host_now() - start;
    if (status == DUEL_OK)
        status = check_finite(&input->a, options->input[0], why);
    return status == DUEL_OK ? check_finite(&input->b, options->input[1], why) : status;
}

void input_answer(struct duel_input *input, const struct duel_case *item, const struct duel_matrix *output)
{
    if (!input->output_path || input->written)
        return;
    input->written = true;
    input->written_by = item;
    snprintf(input->writer, sizeof input->writer, "%s on %s, %s", item->name, item->place->id,
             dtype_name(item->problem.types.in));
    double start = host_now();
    input->write_status = npy_write(input->output_path, output, &input->write_why);
    input->write_s = host_now() - start;
}

void input_free(struct duel_input *input)
{
    free(input->a.data);
    free(input->b.data);
    memset(input, 0, sizeof *input);
}
