/* kernel.c: a few rows of a convolution in registers. Compiled once for each instruction set and element type
 * (scripts/build/isa.mk).
 *
 * Idea     Neighbouring pixels of a row have the same weights: a vector of them is one multiply-add per weight, with
 *          the weight in all lanes. And neighbouring rows share pixels: of ROWS rows computed together, each row of X
 *          that is loaded takes part in up to k of them.
 * Mapping  A tile is ROWS rows and one vector wide: ROWS independent sums, and for 3 x 3 all nine weights, fit in
 *          registers. It moves along the strip. The last vector of a row is moved back so that it ends with the row: a
 *          few pixels are calculated twice and come out the same.
 * Traffic  3 x 3 on four rows: 18 loads of vectors for 36 multiply-adds. The six rows in use come from L1 and L2.
 * Limits   With one channel memory: 18 operations for each pixel in and out, 2.25 per byte in FP32. Larger filters
 *          load their weights anew for each tile.
 */
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "cpu/conv2d/micro/micro.h"

#ifndef MICRO_TABLE /* what the build sets: an example for tools that read this file alone */
#define MICRO_TABLE conv2d_micro_generic_fp32
#define MICRO_ISA "generic"
#define MICRO_REAL float
#define MICRO_BYTES 16
#define MICRO_MR 4
#endif

typedef MICRO_REAL real;
enum { VL = MICRO_BYTES / sizeof(real), ROWS = MICRO_MR, USUAL = 3 };

/* A vector, and the same at an address that only suits its elements. may_alias: it reads memory of type real. */
typedef real vector __attribute__((vector_size(MICRO_BYTES)));
typedef real unaligned __attribute__((vector_size(MICRO_BYTES), aligned(sizeof(real)), may_alias));

#define INLINE static inline __attribute__((always_inline))
/* Registers have no index: loops over them must vanish. 16 is more than any of them has. */
#define UNROLLED _Pragma("GCC unroll 16")

INLINE vector load(const real *from)
{
    return *(const unaligned *)from;
}

/* Past the caches: who overwrites a whole line need not read it first. `to` is a multiple of a vector. */
INLINE void write_past(real *to, vector value)
{
#if defined __AVX512F__ && MICRO_BYTES == 64
    _mm512_stream_si512((__m512i *)to, (__m512i)value);
#elif defined __AVX__ && MICRO_BYTES == 32
    _mm256_stream_si256((__m256i *)to, (__m256i)value);
#elif defined __SSE2__ && MICRO_BYTES == 16
    _mm_stream_si128((__m128i *)to, (__m128i)value);
#else
    *(vector *)to = value; /* cores of other makes notice by themselves that whole lines are written */
#endif
}

/* What other cores read after this must have been written. */
INLINE void write_past_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/* 3 x 3: each vector of X is loaded once and serves up to three rows of the tile. */
INLINE void add_usual(const int rows, const real *x, int64_t ldx, const real *w, int64_t ldw, vector sum[ROWS])
{
    vector weight[USUAL][USUAL];
    UNROLLED for (int u = 0; u < USUAL; u++) UNROLLED for (int v = 0; v < USUAL; v++) weight[u][v] =
        w[u * ldw + v] - (vector){0};
    UNROLLED for (int t = 0; t < rows + USUAL - 1; t++) UNROLLED for (int v = 0; v < USUAL; v++)
    {
        const vector pixels = load(x + t * ldx + v);
        UNROLLED for (int u = 0; u < USUAL; u++) if (t - u >= 0 && t - u < rows) sum[t - u] += weight[u][v] * pixels;
    }
}

/* Any k: one weight after the other. */
INLINE void add_any(const int rows, int64_t k, const real *x, int64_t ldx, const real *w, int64_t ldw, vector sum[ROWS])
{
    for (int64_t u = 0; u < k; u++)
        for (int64_t v = 0; v < k; v++) {
            const real weight = w[u * ldw + v];
            UNROLLED for (int r = 0; r < rows; r++) sum[r] += weight * load(x + (r + u) * ldx + v);
        }
}

/* C has no templates: with constants for the first two arguments, each call of an inlined function is a copy of it
 * whose loops over registers are unrolled. */
INLINE void tile(const int rows, const bool usual, const struct conv2d_strip *s, int64_t j, bool past)
{
    const real *X = s->X, *W = s->W;
    real *Y = s->Y;
    vector sum[ROWS] = {0};
    for (int64_t c = 0; c < s->channels; c++) {
        const real *x = X + c * s->plane + j, *w = W + c * s->k * s->ldw;
        if (usual)
            add_usual(rows, x, s->ldx, w, s->ldw, sum);
        else
            add_any(rows, s->k, x, s->ldx, w, s->ldw, sum);
    }
    UNROLLED for (int r = 0; r < rows; r++)
    {
        if (past)
            write_past(Y + r * s->ldy + j, sum[r]);
        else
            *(unaligned *)(Y + r * s->ldy + j) = sum[r];
    }
}

/* Images narrower than a vector, pixel by pixel. */
static void narrow(const struct conv2d_strip *s)
{
    const real *X = s->X, *W = s->W;
    real *Y = s->Y;
    for (int64_t r = 0; r < s->rows; r++)
        for (int64_t j = 0; j < s->n; j++) {
            real sum = 0;
            for (int64_t c = 0; c < s->channels; c++)
                for (int64_t u = 0; u < s->k; u++)
                    for (int64_t v = 0; v < s->k; v++)
                        sum += W[(c * s->k + u) * s->ldw + v] * X[c * s->plane + (r + u) * s->ldx + j + v];
            Y[r * s->ldy + j] = sum;
        }
}

INLINE void along(const int rows, const bool usual, const struct conv2d_strip *s)
{
    /* Every row has to begin at a multiple of a vector. */
    const bool past = s->past && ((uintptr_t)s->Y | (uintptr_t)s->ldy * sizeof(real)) % MICRO_BYTES == 0;
    int64_t j = 0;
    for (; j + VL <= s->n; j += VL)
        tile(rows, usual, s, j, past);
    if (j < s->n)
        tile(rows, usual, s, s->n - VL, false);
    if (past)
        write_past_end();
}

#define ALONG(rows, usual)                                           \
    static void along_##rows##_##usual(const struct conv2d_strip *s) \
    {                                                                \
        along(rows, usual, s);                                       \
    }
#define ALONG_NAME(rows, usual) along_##rows##_##usual,
#if MICRO_MR == 8
#define EACH_ROW(X, usual) \
    X(1, usual) X(2, usual) X(3, usual) X(4, usual) X(5, usual) X(6, usual) X(7, usual) X(8, usual)
#else
#define EACH_ROW(X, usual) X(1, usual) X(2, usual) X(3, usual) X(4, usual)
#endif
EACH_ROW(ALONG, 0)
EACH_ROW(ALONG, 1)

static void strip(const struct conv2d_strip *s)
{
    static void (*const table[])(const struct conv2d_strip *) = {EACH_ROW(ALONG_NAME, 0) EACH_ROW(ALONG_NAME, 1)};
    if (s->n < VL)
        narrow(s);
    else
        table[(s->k == USUAL) * ROWS + s->rows - 1](s);
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
extern const struct conv2d_micro MICRO_TABLE; /* declared before it is defined, so that it has external linkage */
const struct conv2d_micro MICRO_TABLE = {
    .text = MICRO_ISA " kernel, " TEXT(MICRO_MR) " rows x 1 vector",
    .rows = ROWS,
    .size = sizeof(real),
    .strip = strip,
};
