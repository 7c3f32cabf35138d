#include "bench/commands/run_input.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/commands/run_picture.h"
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
    if (input->file[0].type == DUEL_FP64 || input->file[1].type == DUEL_FP64) {
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
    const bool picture = picture_named(options->input[0]);
    const size_t length = strlen(path);
    if (picture && !picture_named(path))
        return duel_fail(why, DUEL_EINVAL, "the answer is a picture, and no other file should be replaced by one",
                         "give a name that ends in .png", "--output %.200s", path);
    if (!picture && (length < 4 || strcmp(path + length - 4, ".npy") != 0))
        return duel_fail(why, DUEL_EINVAL, "the answer is a NumPy file, and no other file should be replaced by one",
                         "give a name that ends in .npy", "--output %.200s", path);
    for (int i = 0; i < 2; i++)
        if (same_file(path, options->input[i]))
            return duel_fail(why, DUEL_EINVAL, "the answer would replace the file that it is made from",
                             "give --output another name", "--output %.200s is also an --input", path);
    const char *slash = strrchr(path, '/');
    snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (access(dir, W_OK) == 0)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "the answer could not be kept, so nothing is measured",
                     "make the directory, or give another one", "--output %.200s: %s", path, strerror(errno));
}

static int files_of(const struct duel_options *options)
{
    return options->input[1] ? 2 : 1;
}

/* The one workload that the patterns select; without any gemm, or for a picture conv2d. */
static enum duel_status input_workload(struct duel_input *input, const struct duel_options *options,
                                       struct duel_why *why)
{
    const bool picture = picture_named(options->input[0]);
    const struct duel_workload *filters = workload_find("conv2d", strlen("conv2d"));
    input->workload = options->pattern_count > 0 ? NULL : picture ? filters : workload_find("gemm", strlen("gemm"));
    for (int i = 0; i < options->pattern_count; i++) {
        const char *pattern = options->pattern[i];
        const struct duel_workload *named = workload_find(pattern, strlen(pattern));
        named = named ? named : workload_of(pattern);
        if (!named || (input->workload && named != input->workload))
            return duel_fail(why, DUEL_EINVAL, "the files are operands of one workload",
                             "name it, or implementations of it", "--input with the pattern %.100s", pattern);
        input->workload = named;
    }
    if (picture ? input->workload == filters : input->workload->take != NULL)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "it would be measured with other numbers than these",
                     strstr(input->workload->name, "mlp") ? "`duel train --input` learns from a data set"
                                                          : "leave out --input",
                     "%s takes no --input%s", input->workload->name, picture ? " of a picture, as conv2d does" : "");
}

/* As one would type it after --shape. */
static struct duel_shape shape_of(const struct duel_workload *workload, struct duel_problem *problem)
{
    int64_t typed[4] = {1, 1, 1, 1};
    int given = 0;
    for (const char *letter = workload->extents; *letter; letter++)
        typed[given++] = *workload_extent(problem, *letter);
    return (struct duel_shape){typed[0], typed[1], typed[2], typed[3], given};
}

/* Matrices from NumPy's files. */
static enum duel_status plan_matrices(struct duel_input *input, struct duel_options *options, struct duel_why *why)
{
    struct duel_problem problem = {.m = 1, .n = 1, .k = 1, .count = 1};
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < files_of(options) && status == DUEL_OK; i++)
        status = npy_peek(options->input[i], &input->file[i], why);
    if (status == DUEL_OK)
        status = input->workload->take(input->file, options->input, files_of(options), &problem, why);
    for (int i = 0; i < files_of(options) && status == DUEL_OK; i++) {
        const struct duel_matrix *matrix = &input->file[i];
        size_t bytes = 0;
        status = matrix_bytes(matrix->type, matrix->rows, matrix->columns, &bytes, why);
        options->held_bytes += bytes;
    }
    if (status == DUEL_OK)
        options->shape[options->shape_count++] = shape_of(input->workload, &problem);
    return status;
}

/* A picture to filter. */
static enum duel_status plan_picture(struct duel_input *input, struct duel_options *options, struct duel_why *why)
{
    enum duel_status status = picture_peek(options->input[0], &input->picture, why);
    if (status != DUEL_OK)
        return status;
    input->filter = (enum duel_image_filter)options->filter;
    input->file[0].type = input->file[1].type = DUEL_FP32;
    options->shape[options->shape_count++] = picture_shape(&input->picture, input->filter);
    options->held_bytes += picture_bytes(&input->picture, input->filter);
    if (options->pattern_count == 0)
        options->pattern[options->pattern_count++] = input->workload->name;
    return DUEL_OK;
}

enum duel_status input_plan(struct duel_input *input, struct duel_options *options, struct duel_why *why)
{
    const char *first = options->input[0];
    memset(input, 0, sizeof *input);
    input->read_s = input->write_s = NAN;
    if (options_given(options, "--filter") && (!first || !picture_named(first)))
        return duel_fail(why, DUEL_EINVAL, "there is no picture to filter", "give --input photo.png too",
                         "--filter without a picture");
    if (!first && !options->output)
        return DUEL_OK;
    if (!first)
        return duel_fail(why, DUEL_EINVAL, "generated matrices have no answer worth keeping",
                         "give --input A.npy B.npy too", "--output %s without --input", options->output);
    enum duel_status status = check_output(options, why);
    if (status == DUEL_OK && options->shape_count > 0)
        status = duel_fail(why, DUEL_EINVAL, "the files decide the size",
                           "leave out --n and --shape, or leave out --input", "--input together with --n or --shape");
    if (status == DUEL_OK)
        status = input_workload(input, options, why);
    if (status == DUEL_OK)
        status = (picture_named(first) ? plan_picture : plan_matrices)(input, options, why);
    if (status != DUEL_OK)
        return status;
    input->given = true;
    input->output_path = options->output;
    default_precision(input, options);
    return DUEL_OK;
}

/* One number that is not finite makes a row and a column of the answer meaningless; it is told, not "verified". */
static enum duel_status check_finite(const struct duel_matrix *matrix, const char *name, struct duel_why *why)
{
    size_t count = (size_t)matrix->rows * (size_t)matrix->columns;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(dtype_load(matrix->type, matrix->data, i)))
            return duel_fail(why, DUEL_EINVAL, "an answer from NaN or infinity cannot be verified",
                             "replace it, for example with numpy.nan_to_num", "%s holds %g at row %zu, column %zu",
                             name, dtype_load(matrix->type, matrix->data, i), i / (size_t)matrix->columns,
                             i % (size_t)matrix->columns);
    return DUEL_OK;
}

enum duel_status input_read(struct duel_input *input, const struct duel_options *options, struct duel_why *why)
{
    double start = host_now();
    enum duel_status status = DUEL_OK;
    if (input->picture.width > 0) {
        status = picture_read(options->input[0], &input->picture, why);
        input->read_s = host_now() - start;
        return status == DUEL_OK
                   ? picture_operands(&input->picture, input->filter, &input->file[0], &input->file[1], why)
                   : status;
    }
    for (int i = 0; i < files_of(options) && status == DUEL_OK; i++)
        status = npy_read(options->input[i], &input->file[i], why);
    input->read_s = host_now() - start;
    for (int i = 0; i < files_of(options) && status == DUEL_OK; i++)
        status = check_finite(&input->file[i], options->input[i], why);
    if (status == DUEL_OK && input->workload->check)
        status = input->workload->check(input->file, options->input, why);
    return status;
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
    if (input->picture.sample) {
        picture_take(&input->picture, input->filter, output);
        input->write_status = picture_write(input->output_path, &input->picture, &input->write_why);
    } else {
        input->write_status = npy_write(input->output_path, output, &input->write_why);
    }
    input->write_s = host_now() - start;
}

void input_free(struct duel_input *input)
{
    free(input->file[0].data);
    free(input->file[1].data);
    free(input->picture.sample);
    memset(input, 0, sizeof *input);
}
