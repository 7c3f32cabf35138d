/* kernel.c: a tile of C in registers. Compiled once for each instruction set and element type (scripts/build/isa.mk).
 *
 * Idea     A tile of MR x NR elements of C lives in vector registers during the whole sum. Each step of the sum loads
 *          one row of NR elements of B and one column of MR elements of A, and does MR * NR multiply-adds with them.
 * Mapping  NV vectors side by side hold a row of the tile. An element of A is copied to all lanes of a vector, which
 *          multiplies the NV vectors of B: MR * NV independent sums, enough to keep every multiply-add unit busy while
 *          each sum waits some four cycles for its own last step.
 * Traffic  (MR + NR) loads of elements for MR * NR multiply-adds: an 8 x 32 tile loads 0.16 elements for each, where
 *          the loops of cpu/gemm/blocked load two and store one. C is read and written once for all k steps.
 * Limits   MR * NV sums, NV vectors of B and one of A must fit in the registers: x86 has 16 of them, 32 with AVX-512,
 *          as Arm has. One more and the compiler spills sums to memory, in the innermost loop.
 *
 * Vectors are those of GCC and Clang (vector_size): + and * work on all lanes, and the same source becomes SSE2, AVX2,
 * AVX-512 or NEON. Nothing here is written for one processor.
 */
#include <string.h>

#include "cpu/gemm/micro/micro.h"

#ifndef MICRO_TABLE /* what the build sets: an example for tools that read this file alone */
#define MICRO_TABLE gemm_micro_generic_fp32
#define MICRO_ISA "generic"
#define MICRO_REAL float
#define MICRO_BYTES 16
#define MICRO_MR 4
#define MICRO_NV 2
#endif

typedef MICRO_REAL real;
enum { MR = MICRO_MR, NV = MICRO_NV, VL = MICRO_BYTES / sizeof(real), NR = NV * VL };

/* A vector, and the same at an address that only suits its elements. may_alias: it reads memory of type real. */
typedef real vector __attribute__((vector_size(MICRO_BYTES)));
typedef real unaligned __attribute__((vector_size(MICRO_BYTES), aligned(sizeof(real)), may_alias));

#define INLINE static inline __attribute__((always_inline))
/* Registers have no index: loops over them must vanish. 16 is more than any of them has. */
#define UNROLLED _Pragma("GCC unroll 16")

/* ---- the tile --------------------------------------------------------------------------------------------- */

/* A narrow tile keeps its sums in `edge` first, because a vector cannot be stored in part. */
static void store_edge(const struct gemm_tile *t, const real *edge)
{
    real *C = t->C;
    const real beta = (real)t->beta;
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t j = 0; j < t->cols; j++)
            /* cppcheck-suppress uninitvar ; store() filled it through a pointer to vectors */
            C[i * t->ldc + j] = t->beta == 0 ? edge[i * NR + j] : edge[i * NR + j] + beta * C[i * t->ldc + j];
}

INLINE void store(const struct gemm_tile *t, const int rows, const int nv, vector sum[MR][NV])
{
    const real alpha = (real)t->alpha, beta = (real)t->beta;
    real edge[MR * NR];
    const bool whole = t->cols == nv * VL;
    real *C = whole ? t->C : edge;
    const int64_t ldc = whole ? t->ldc : NR;
    UNROLLED for (int i = 0; i < rows; i++) UNROLLED for (int v = 0; v < nv; v++)
    {
        unaligned *to = (unaligned *)(C + i * ldc + v * VL);
        /* beta == 0 means "C is not read": it may hold NaN, and 0 * NaN would be NaN. */
        *to = !whole || t->beta == 0 ? alpha * sum[i][v] : alpha * sum[i][v] + beta * *to;
    }
    if (!whole)
        store_edge(t, edge);
}

/* C has no templates: with constants for the first three arguments, each call of an inlined function is a copy of it
 * whose loops over registers are unrolled and whose sums have registers of their own. */
INLINE void tile(const int rows, const int nv, const bool in_place, const struct gemm_tile *t)
{
    const real *A = t->A, *B = t->B;
    const int64_t a_row = in_place ? t->a_row : 1, a_col = in_place ? 1 : MR, b_row = t->b_row;
    vector sum[MR][NV] = {0};
    /* The tile of C will be wanted in k steps: time enough to fetch it from memory. */
    UNROLLED for (int i = 0; i < rows; i++) UNROLLED for (int v = 0; v < nv; v++)
        __builtin_prefetch((real *)t->C + i * t->ldc + v * VL, 1);
    _Pragma("GCC unroll 4") for (int64_t l = 0; l < t->k; l++)
    {
        vector b[NV];
        UNROLLED for (int v = 0; v < nv; v++) b[v] = *(const unaligned *)(B + l * b_row + v * VL);
        UNROLLED for (int i = 0; i < rows; i++)
        {
            const real a = A[i * a_row + l * a_col];
            UNROLLED for (int v = 0; v < nv; v++) sum[i][v] += a * b[v];
        }
    }
    store(t, rows, nv, sum);
}

#define TILE(rows, nv, in_place)                                           \
    static void tile_##rows##_##nv##_##in_place(const struct gemm_tile *t) \
    {                                                                      \
        tile(rows, nv, in_place, t);                                       \
    }
#define TILE_NAME(rows, nv, in_place) tile_##rows##_##nv##_##in_place,
#if MICRO_MR == 8
#define EACH_ROW(X, nv, in_place) \
    X(1, nv, in_place)            \
    X(2, nv, in_place)            \
    X(3, nv, in_place) X(4, nv, in_place) X(5, nv, in_place) X(6, nv, in_place) X(7, nv, in_place) X(8, nv, in_place)
#else
#define EACH_ROW(X, nv, in_place) X(1, nv, in_place) X(2, nv, in_place) X(3, nv, in_place) X(4, nv, in_place)
#endif
#define BOTH(X, nv) EACH_ROW(X, nv, 0) EACH_ROW(X, nv, 1)
BOTH(TILE, 1)
BOTH(TILE, 2)
#if MICRO_NV == 3
BOTH(TILE, 3)
#endif

static void run_tile(const struct gemm_tile *t)
{
    static void (*const table[])(const struct gemm_tile *t) = {
        BOTH(TILE_NAME, 1) BOTH(TILE_NAME, 2)
#if MICRO_NV == 3
            BOTH(TILE_NAME, 3)
#endif
    };
    const int nv = (t->cols + VL - 1) / VL, in_place = t->a_row > 0;
    table[((nv - 1) * 2 + in_place) * MR + t->rows - 1](t);
}

/* ---- packing ---------------------------------------------------------------------------------------------- */

/* Rows of A become columns of a strip: blocks of 4 x 4 are turned in registers, four loads and four stores for 16
 * elements. */
typedef real quad __attribute__((vector_size(4 * sizeof(real))));
typedef real unaligned_quad __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));

INLINE void turn(const real *A, int64_t lda, real *strip)
{
    const quad a = *(const unaligned_quad *)A, b = *(const unaligned_quad *)(A + lda),
               c = *(const unaligned_quad *)(A + 2 * lda), d = *(const unaligned_quad *)(A + 3 * lda);
    const quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(unaligned_quad *)strip = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *(unaligned_quad *)(strip + MR) = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *(unaligned_quad *)(strip + 2 * MR) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *(unaligned_quad *)(strip + 3 * MR) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

static void pack_a(int64_t rows, int64_t k, const void *from, int64_t lda, void *strips)
{
    const real *A = from; /* rows x k */
    real *strip = strips; /* rows rounded up to MR, x k */
    for (int64_t i0 = 0; i0 < rows; i0 += MR, strip += MR * k)
        for (int64_t i = i0; i < gemm_smaller(i0 + MR, rows); i += 4) {
            const int64_t high = gemm_smaller(4, rows - i);
            int64_t l = 0;
            if (high == 4)
                for (; l + 4 <= k; l += 4)
                    turn(A + i * lda + l, lda, strip + l * MR + (i - i0));
            for (; l < k; l++)
                for (int64_t r = 0; r < high; r++)
                    strip[l * MR + (i - i0) + r] = A[(i + r) * lda + l];
        }
}

static void pack_b(int64_t k, int64_t cols, const void *from, int64_t ldb, void *strips)
{
    const real *B = from; /* k x cols */
    real *strip = strips; /* k x cols rounded up to NR */
    int64_t j = 0;
    for (; j + NR <= cols; j += NR)
        for (int64_t l = 0; l < k; l++, strip += NR)
            UNROLLED for (int v = 0; v < NV; v++)
            {
                *(unaligned *)(strip + v * VL) = *(const unaligned *)(B + l * ldb + j + v * VL);
                __builtin_prefetch(B + l * ldb + j + NR + v * VL, 0, 2);
            }
    for (int64_t l = 0; j < cols && l < k; l++, strip += NR) {
        UNROLLED for (int v = 0; v < NV; v++) * (unaligned *)(strip + v * VL) = (vector){0};
        memcpy(strip, B + l * ldb + j, (size_t)(cols - j) * sizeof(real));
    }
}

static void pack_column(int64_t k, const void *from, int64_t ldb, void *to)
{
    const real *B = from; /* k x 1 */
    real *column = to;    /* k */
    for (int64_t l = 0; l < k; l++)
        column[l] = B[l * ldb];
}

/* ---- one column, and sums of parts ------------------------------------------------------------------------ */

/* The sum of all lanes, halves first: as many additions at once as there are left. */
INLINE real lanes(vector sum)
{
    UNROLLED for (int half = VL / 2; half > 0; half /= 2) UNROLLED for (int lane = 0; lane < half; lane++) sum[lane] +=
        sum[lane + half];
    return sum[0];
}

/* Dot products of `rows` rows of A with x at once: each vector of x is loaded once for all of them. */
INLINE void dot(const int rows, int64_t k, const real *A, int64_t lda, const real *x, real *to)
{
    vector sum[4] = {0};
    int64_t l = 0;
    for (; l + VL <= k; l += VL) {
        const vector b = *(const unaligned *)(x + l);
        UNROLLED for (int i = 0; i < rows; i++) sum[i] += *(const unaligned *)(A + i * lda + l) * b;
    }
    UNROLLED for (int i = 0; i < rows; i++)
    {
        to[i] = lanes(sum[i]);
        for (int64_t rest = l; rest < k; rest++)
            to[i] += A[i * lda + rest] * x[rest];
    }
}

static void dots(int64_t rows, int64_t k, const void *from, int64_t lda, const void *x, void *to, int64_t ldy,
                 double alpha, double beta)
{
    const real *A = from; /* rows x k */
    real *y = to;         /* rows x 1 */
    for (int64_t i = 0; i < rows; i += 4) {
        real sum[4];
        const int64_t high = gemm_smaller(4, rows - i);
        if (high == 4)
            dot(4, k, A + i * lda, lda, x, sum);
        else
            for (int64_t r = 0; r < high; r++)
                dot(1, k, A + (i + r) * lda, lda, x, sum + r);
        for (int64_t r = 0; r < high; r++) {
            real *at = y + (i + r) * ldy;
            *at = beta == 0 ? (real)alpha * sum[r] : (real)alpha * sum[r] + (real)beta * *at;
        }
    }
}

static void sum_parts(int64_t rows, int64_t cols, int parts, const void *from, int64_t stride, void *to, int64_t ldc,
                      double beta)
{
    const real *part = from; /* rows x cols each, without gaps */
    real *C = to;            /* rows x cols */
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            real sum = beta == 0 ? 0 : (real)beta * C[i * ldc + j];
            for (int x = 0; x < parts; x++)
                sum += part[x * stride + i * cols + j];
            C[i * ldc + j] = sum;
        }
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
extern const struct gemm_micro MICRO_TABLE; /* declared before it is defined, so that it has external linkage */
const struct gemm_micro MICRO_TABLE = {
    .mr = MR,
    .nr = NR,
    .lanes = VL,
    .size = sizeof(real),
    .text = MICRO_ISA " micro-kernel, tile of " TEXT(MICRO_MR) " rows x " TEXT(MICRO_NV) " vectors",
    .tile = run_tile,
    .pack_a = pack_a,
    .pack_b = pack_b,
    .pack_column = pack_column,
    .dots = dots,
    .sum = sum_parts,
};
