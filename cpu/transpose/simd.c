/* cpu/transpose/simd: squares transposed in vector registers, and rows of B written past the caches.
 * Needs: openmp
 *
 * Idea     Eight vectors hold 8 x 8 elements, and three rounds of exchanges between pairs of them transpose the square.
 *          And who overwrites a whole cache line need not read it first: streaming stores write past the caches.
 * Mapping  A tile of 64 x 64 is transposed square by square into a buffer of 16 KiB, whose rows then go to B at once:
 *          four full lines each. Tiles are shared out to the threads. The lines of the next tile are asked for while
 *          this one is done, because rows that lie far apart are nothing that a prefetcher foresees.
 * Traffic  8 bytes per element in FP32: A is read once, and B is written once without being read.
 * Limits   Memory, and the pages: each tile touches 64 of A and 64 of B. Small results are wanted in the caches, so
 * they are written with ordinary stores, and so are those whose rows do not begin at a vector.
 */
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "bench/duel.h"
#include "cpu/team.h"

enum { A = 0, B = 1 };

enum {
    WIDE = 32,             /* bytes of a vector: one of AVX, two of SSE2 or NEON */
    BUFFER = 16 << 10,     /* bytes of a tile: half of an L1 cache */
    STREAM_FROM = 4 << 20, /* bytes of B that no L2 cache holds */
    LINE = 64,
    TEAM_FROM = 16384 /* elements from which a team pays for itself */
};
#define INLINE static inline __attribute__((always_inline))
/* Registers have no index: loops over them must vanish. */
#define UNROLLED _Pragma("GCC unroll 16")
#define SHARED_OUT _Pragma("omp for collapse(2) schedule(static) nowait")
#define TEAM _Pragma("omp parallel if (p->m * p->n >= TEAM_FROM)")

#define VECTOR(real) real __attribute__((vector_size(WIDE), aligned(sizeof(real)), may_alias))
typedef VECTOR(float) floats;
typedef VECTOR(double) doubles;

/* Elements of two vectors by number: those of the second follow those of the first. */
#ifdef __clang__
#define MIX(mask, x, y, ...) __builtin_shufflevector((x), (y), __VA_ARGS__)
#else
typedef int32_t floats_mask __attribute__((vector_size(WIDE)));
typedef int64_t doubles_mask __attribute__((vector_size(WIDE)));
#define MIX(mask, x, y, ...) __builtin_shuffle((x), (y), (mask){__VA_ARGS__})
#endif

/* 8 x 8 floats. First elements of neighbouring rows come together, then pairs, then halves. */
INLINE void square_fp32(const float *from, int64_t lda, float *to, int64_t ldt)
{
    floats row[8], pair[8], quad[8];
    UNROLLED for (int r = 0; r < 8; r++) row[r] = *(const floats *)(from + r * lda);
    UNROLLED for (int r = 0; r < 8; r += 2)
    {
        pair[r] = MIX(floats_mask, row[r], row[r + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pair[r + 1] = MIX(floats_mask, row[r], row[r + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    UNROLLED for (int r = 0; r < 8; r += 4) UNROLLED for (int c = 0; c < 2; c++)
    {
        quad[r + 2 * c] = MIX(floats_mask, pair[r + c], pair[r + c + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        quad[r + 2 * c + 1] = MIX(floats_mask, pair[r + c], pair[r + c + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    UNROLLED for (int c = 0; c < 4; c++)
    {
        *(floats *)(to + c * ldt) = MIX(floats_mask, quad[c], quad[c + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(floats *)(to + (c + 4) * ldt) = MIX(floats_mask, quad[c], quad[c + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* 4 x 4 doubles. */
INLINE void square_fp64(const double *from, int64_t lda, double *to, int64_t ldt)
{
    doubles row[4], pair[4];
    UNROLLED for (int r = 0; r < 4; r++) row[r] = *(const doubles *)(from + r * lda);
    UNROLLED for (int r = 0; r < 4; r += 2)
    {
        pair[r] = MIX(doubles_mask, row[r], row[r + 1], 0, 4, 2, 6);
        pair[r + 1] = MIX(doubles_mask, row[r], row[r + 1], 1, 5, 3, 7);
    }
    UNROLLED for (int c = 0; c < 2; c++)
    {
        *(doubles *)(to + c * ldt) = MIX(doubles_mask, pair[c], pair[c + 2], 0, 1, 4, 5);
        *(doubles *)(to + (c + 2) * ldt) = MIX(doubles_mask, pair[c], pair[c + 2], 2, 3, 6, 7);
    }
}

/* Whole lines from the buffer, past the caches. `to` is a multiple of WIDE. */
INLINE void write_past(void *to, const void *from, size_t bytes)
{
#if defined __AVX__
    for (size_t at = 0; at < bytes; at += sizeof(__m256i))
        _mm256_stream_si256((__m256i *)((char *)to + at), *(const __m256i *)((const char *)from + at));
#elif defined __SSE2__
    for (size_t at = 0; at < bytes; at += sizeof(__m128i))
        _mm_stream_si128((__m128i *)((char *)to + at), *(const __m128i *)((const char *)from + at));
#else
    memcpy(to, from, bytes); /* cores of other makes notice by themselves that whole lines are written */
#endif
}

/* What other cores read after this must have been written. */
INLINE void write_past_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

static inline int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* T x T elements are a tile, V x V a square. Tiles at the lower and right edges are moved one by one. */
#define DEFINE_TRANSPOSE(name, real, square, T)                                                                      \
    static void name##_tile(const struct duel_problem *p, const real *a, real *b, int64_t i0, int64_t j0, bool past) \
    {                                                                                                                \
        enum { V = WIDE / sizeof(real) };                                                                            \
        const int64_t lda = p->ld[A], ldb = p->ld[B];                                                                \
        _Alignas(LINE) real buffer[T * T];                                                                           \
        if (i0 + T > p->m || j0 + T > p->n) {                                                                        \
            for (int64_t j = j0; j < smaller(j0 + T, p->n); j++)                                                     \
                for (int64_t i = i0; i < smaller(i0 + T, p->m); i++)                                                 \
                    b[j * ldb + i] = a[i * lda + j];                                                                 \
            return;                                                                                                  \
        }                                                                                                            \
        for (int64_t i = 0; i < T; i += V)                                                                           \
            for (int64_t j = 0; j < T; j += V) {                                                                     \
                const real *from = a + (i0 + i) * lda + j0 + j;                                                      \
                UNROLLED for (int r = 0; r < V; r++) __builtin_prefetch(from + r * lda + T);                         \
                square(from, lda, buffer + j * T + i, T);                                                            \
            }                                                                                                        \
        for (int64_t j = 0; j < T; j++)                                                                              \
            if (past)                                                                                                \
                write_past(b + (j0 + j) * ldb + i0, buffer + j * T, T * sizeof(real));                               \
            else                                                                                                     \
                memcpy(b + (j0 + j) * ldb + i0, buffer + j * T, T * sizeof(real));                                   \
    }                                                                                                                \
    static void name(const struct duel_problem *p, const real *a, real *b)                                           \
    {                                                                                                                \
        const bool aligned = (uintptr_t)b % WIDE == 0 && p->ld[B] * (int64_t)sizeof(real) % WIDE == 0;               \
        const bool past = aligned && p->m * p->n * (int64_t)sizeof(real) >= STREAM_FROM;                             \
        TEAM                                                                                                         \
        {                                                                                                            \
            SHARED_OUT for (int64_t i0 = 0; i0 < p->m; i0 += T) for (int64_t j0 = 0; j0 < p->n; j0 += T)             \
                name##_tile(p, a, b, i0, j0, past);                                                                  \
            write_past_end();                                                                                        \
        }                                                                                                            \
    }

DEFINE_TRANSPOSE(transpose_fp32, float, square_fp32, 64)  /* A is m x n, B is n x m, both row-major */
DEFINE_TRANSPOSE(transpose_fp64, double, square_fp64, 32) /* rows of a tile have as many bytes */
_Static_assert(64 * 64 * sizeof(float) <= BUFFER && 32 * 32 * sizeof(double) <= BUFFER, "a tile is half of L1 at most");

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        transpose_fp64(call->problem, call->operand[A], call->operand[B]);
    else
        transpose_fp32(call->problem, call->operand[A], call->operand[B]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_transpose_simd) = {
    .name = "cpu/transpose/simd",
    .builds_on = "cpu/transpose/blocked",
    .doc = "Squares of 8 x 8 are transposed in vector registers, by exchanging elements between pairs of vectors. "
           "Tiles of 64 x 64 of them are collected in a buffer, so that B is written in whole cache lines. "
           "Large results are written past the caches: a line that is overwritten as a whole need not be read first, "
           "which saves a third of the traffic.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
