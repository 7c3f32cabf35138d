/* cpu/conv2d/im2col: the convolution as a matrix product, which a library does.
 * Needs: openblas
 *
 * Idea     Write the pixels that each output pixel needs into a column of a matrix: count k k rows, one column for
 *          each pixel. The filters are a matrix already, one row for each output. Their product is the convolution,
 *          and nobody has to write a fast kernel for it.
 * Mapping  A few rows of the image at a time, so that the matrix stays in the cache: copy, then one call of the
 *          library, on its threads.
 * Traffic  Each pixel is copied k k times, within the cache. The product reads the matrix once for all outputs: with
 *          many channels the copies are cheap beside it, with one channel they are nearly all there is.
 * Limits   The copies, up to some ten channels. Beside it: cpu/conv2d/direct, which copies nothing.
 */
#include <cblas.h>
#include <limits.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/duel.h"

enum { IN = 0, WEIGHTS = 1, OUT = 2 };

/* Elements of the matrix that are made at once: 512 KiB in FP32, an L2 cache. */
enum { PIECE = 1 << 17 };

/* Rows of the matrix: the products of each output. */
static int64_t height(const struct duel_problem *p)
{
    return p->count * p->k * p->k;
}

/* Rows of the image that go into one product. Where rows of Y do not follow each other without a gap, no two of them
 * are one row of a matrix. */
static int64_t rows_at_once(const struct duel_problem *p)
{
    const int64_t columns = PIECE / height(p), rows = p->n > 0 ? columns / p->n : 1;
    return p->ld[OUT] != p->n || rows < 1 ? 1 : rows < p->m ? rows : p->m;
}

static size_t element_bytes(const struct duel_problem *p)
{
    return p->types.in == DUEL_FP64 ? sizeof(double) : sizeof(float);
}

/* The filters without gaps, and the matrix. */
static size_t workspace(const struct duel_problem *p)
{
    return (size_t)(p->count * height(p) + height(p) * rows_at_once(p) * p->n) * element_bytes(p);
}

/* The library counts in int. Larger problems are another row's work, not a wrong answer. */
static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const double limit = INT_MAX, filter = (double)p->count * (double)p->k * (double)p->k;
    const double most[] = {filter, (double)p->count * filter, (double)p->m * (double)p->ld[OUT], (double)p->n * filter};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++)
        if (most[i] > limit)
            return duel_fail(why, DUEL_SKIP, "this OpenBLAS counts rows and columns in 32 bits",
                             "use cpu/conv2d/openmp for this size", "a leading dimension or matrix of %.0f elements",
                             most[i]);
    return DUEL_OK;
}

/* Rows of filters, as they stand, become rows of a matrix without gaps. */
static void copy_filters(const struct duel_call *call, char *to)
{
    const struct duel_problem *p = call->problem;
    const size_t size = element_bytes(p), row = (size_t)p->k * size;
    const char *W = call->operand[WEIGHTS];
    for (int64_t i = 0; i < p->count * p->count * p->k; i++)
        memcpy(to + (size_t)i * row, W + (size_t)(i * p->ld[WEIGHTS]) * size, row);
}

/* Row (c, u, v) of the matrix: the image of channel c, u rows further down and v pixels further right. */
static void copy_pixels(const struct duel_call *call, int64_t first, int64_t rows, char *to)
{
    const struct duel_problem *p = call->problem;
    const int64_t k = p->k, plane = p->m + k - 1;
    const size_t size = element_bytes(p), bytes = (size_t)p->n * size;
    const char *X = call->operand[IN];
    for (int64_t c = 0; c < p->count; c++)
        for (int64_t u = 0; u < k; u++)
            for (int64_t v = 0; v < k; v++)
                for (int64_t i = first; i < first + rows; i++, to += bytes)
                    memcpy(to, X + (size_t)((c * plane + i + u) * p->ld[IN] + v) * size, bytes);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t most = rows_at_once(p);
    const int outputs = (int)p->count, terms = (int)height(p), ldy = (int)(p->m * p->ld[OUT]);
    char *filters = call->workspace, *matrix = filters + (size_t)(p->count * height(p)) * element_bytes(p);
    if (p->m == 0 || p->n == 0)
        return DUEL_OK;
    copy_filters(call, filters);
    for (int64_t i = 0; i < p->m; i += most) {
        const int64_t rows = p->m - i < most ? p->m - i : most;
        const int pixels = (int)(rows * p->n);
        void *Y = (char *)call->operand[OUT] + (size_t)(i * p->ld[OUT]) * element_bytes(p);
        copy_pixels(call, i, rows, matrix);
        if (p->types.in == DUEL_FP64)
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, outputs, pixels, terms, 1, (double *)filters, terms,
                        (double *)matrix, pixels, 0, Y, ldy);
        else
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, outputs, pixels, terms, 1, (float *)filters, terms,
                        (float *)matrix, pixels, 0, Y, ldy);
    }
    return DUEL_OK;
}

/* As cpu/gemm/openblas: the OpenMP build waits without end for threads that the run-time library does not grant. */
static int threads(int wanted)
{
#ifdef _OPENMP
    omp_set_dynamic(0);
    if (wanted > omp_get_thread_limit())
        wanted = omp_get_thread_limit();
#endif
    openblas_set_num_threads(wanted);
    return openblas_get_num_threads();
}

static const char *library(void)
{
    static char text[128]; /* the same on every call */
    snprintf(text, sizeof text, "%s, %s kernels", openblas_get_config(), openblas_get_corename());
    return text;
}

DUEL_IMPL(cpu_conv2d_im2col) = {
    .name = "cpu/conv2d/im2col",
    .builds_on = "cpu/conv2d/serial",
    .doc = "Copies the pixels that each sum needs into a column of a matrix, and lets a library multiply it with the "
           "filters. "
           "Every pixel is copied nine times for a 3 x 3 filter; with many channels the product is so much more work "
           "that this does not matter, with one channel the copies are most of it. "
           "Frameworks began this way, because a fast matrix product was there already.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = workspace,
    .threads = threads,
    .library = library,
    .run = run,
};
