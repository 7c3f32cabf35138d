/* run_picture.c: which filters there are, and how a picture becomes planes of numbers and back.
 *
 * The convolution has no edges of its own ("valid" padding): around the picture its outermost pixels are repeated, so
 * that a filter sees no frame where the picture ends. Each colour is filtered by itself. Sobel's filter asks how grey
 * changes to the right and downwards: two outputs of one grey plane, and the length of both together is the edge. */
#include "bench/commands/run_picture.h"

#include <math.h>

#include "bench/matrix/dtype.h"

enum { MOST_K = 5, MOST_PLANES = 3 };
#define WHITE 65535.0

static const struct filter {
    int k;
    double weight[MOST_K * MOST_K], scale; /* k x k weights, all divided by `scale` */
} filter_table[] = {
    [DUEL_FILTER_SOBEL] = {3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 4}, /* to the right; turned over: downwards */
    [DUEL_FILTER_BLUR] = {5,
                          {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1},
                          256}, /* binomial: nearly Gauss's bell */
    [DUEL_FILTER_SHARPEN] = {3, {0, -1, 0, -1, 5, -1, 0, -1, 0}, 1},
};

static int colours(const struct duel_picture *picture)
{
    return picture->channels >= 3 ? 3 : 1;
}

/* Planes of X and of Y: Sobel's second one is empty in X, and the other direction in Y. */
static int planes(const struct duel_picture *picture, enum duel_image_filter filter)
{
    return filter == DUEL_FILTER_SOBEL ? 2 : colours(picture);
}

struct duel_shape picture_shape(const struct duel_picture *picture, enum duel_image_filter filter)
{
    return (struct duel_shape){.m = picture->height,
                               .n = picture->width,
                               .k = filter_table[filter].k,
                               .count = planes(picture, filter),
                               .given = 4};
}

uint64_t picture_bytes(const struct duel_picture *picture, enum duel_image_filter filter)
{
    const struct duel_shape shape = picture_shape(picture, filter);
    return (uint64_t)(shape.count * (shape.m + shape.k) * (shape.n + shape.k)) * sizeof(float) +
           (uint64_t)(picture->height * picture->width * picture->channels) * sizeof *picture->sample;
}

/* ---- in --------------------------------------------------------------------------------------------------- */

static int64_t inside(int64_t place, int64_t extent)
{
    return place < 0 ? 0 : place < extent ? place : extent - 1;
}

/* Brightness as the eye sees it (ITU-R BT.709), or one colour. */
static double brightness(const struct duel_picture *picture, const uint16_t *pixel, int plane, bool grey)
{
    static const double share[] = {0.2126, 0.7152, 0.0722};
    if (!grey || colours(picture) == 1)
        return pixel[plane] / WHITE;
    return (share[0] * pixel[0] + share[1] * pixel[1] + share[2] * pixel[2]) / WHITE;
}

static void fill_plane(const struct duel_picture *picture, int k, int plane, bool grey, float *to)
{
    const int64_t rows = picture->height + k - 1, columns = picture->width + k - 1, rim = (k - 1) / 2;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const int64_t at = inside(i - rim, picture->height) * picture->width + inside(j - rim, picture->width);
            to[i * columns + j] = (float)brightness(picture, picture->sample + at * picture->channels, plane, grey);
        }
}

/* Output o sees channel c through the filter at (o, c): its own through the filter, the others through zeros; of Sobel
 * both see the first. */
static void fill_filters(const struct filter *filter, int count, bool sobel, float *w)
{
    const int k = filter->k;
    for (int o = 0; o < count; o++)
        for (int c = 0; c < count; c++)
            for (int u = 0; u < k; u++)
                for (int v = 0; v < k; v++, w++) {
                    const double weight = filter->weight[sobel && o == 1 ? v * k + u : u * k + v] / filter->scale;
                    *w = (float)(sobel ? (c == 0 ? weight : 0) : (c == o ? weight : 0));
                }
}

enum duel_status picture_operands(const struct duel_picture *picture, enum duel_image_filter filter,
                                  struct duel_matrix *x, struct duel_matrix *w, struct duel_why *why)
{
    const struct duel_shape shape = picture_shape(picture, filter);
    const bool sobel = filter == DUEL_FILTER_SOBEL;
    const int64_t rows = shape.m + shape.k - 1, columns = shape.n + shape.k - 1, weights = shape.count * shape.count;
    *x = (struct duel_matrix){DUEL_FP32, shape.count * rows, columns, columns, NULL};
    *w = (struct duel_matrix){DUEL_FP32, weights * shape.k, shape.k, shape.k, NULL};
    x->data = calloc((size_t)(x->rows * columns), sizeof(float));
    w->data = calloc((size_t)(w->rows * w->columns), sizeof(float));
    if (!x->data || !w->data)
        return duel_fail(why, DUEL_ENOMEM, "the picture cannot be filtered", "close other programs",
                         "out of memory for %lld planes", (long long)shape.count);
    for (int plane = 0; plane < (sobel ? 1 : (int)shape.count); plane++)
        fill_plane(picture, (int)shape.k, plane, sobel, (float *)x->data + plane * rows * columns);
    fill_filters(&filter_table[filter], (int)shape.count, sobel, w->data);
    return DUEL_OK;
}

/* ---- out -------------------------------------------------------------------------------------------------- */

static uint16_t sample_of(double value)
{
    return value <= 0 ? 0 : value >= 1 ? (uint16_t)WHITE : (uint16_t)lrint(value * WHITE);
}

static double result(const struct duel_picture *picture, const struct duel_matrix *y, int plane, int64_t i, int64_t j)
{
    return dtype_load(y->type, y->data, (size_t)((plane * picture->height + i) * y->ld + j));
}

void picture_take(struct duel_picture *picture, enum duel_image_filter filter, const struct duel_matrix *y)
{
    const bool sobel = filter == DUEL_FILTER_SOBEL;
    const int count = planes(picture, filter);
    for (int64_t i = 0; i < picture->height; i++)
        for (int64_t j = 0; j < picture->width; j++) {
            uint16_t *pixel = picture->sample + (i * picture->width + j) * picture->channels;
            if (sobel)
                for (int c = 0; c < colours(picture); c++)
                    pixel[c] = sample_of(hypot(result(picture, y, 0, i, j), result(picture, y, 1, i, j)));
            else
                for (int c = 0; c < count; c++)
                    pixel[c] = sample_of(result(picture, y, c, i, j));
        }
}
