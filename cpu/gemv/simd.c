/* cpu/gemv/simd: four rows at a time, added in vectors.
 * Needs: openmp
 *
 * Idea     A vector of x is loaded once for four rows of A, and each row has two sums of its own: eight chains of
 *          additions side by side. Four rows are also four streams from memory, which keep more of the prefetchers busy
 *          than one does.
 * Mapping  Each thread has one piece of the rows.
 * Traffic  5 loads for 4 multiply-adds, and A moves once. x stays in L1, or in L2 when it is longer than some thousand.
 * Limits   Memory, once A is larger than the caches. An x with gaps is first copied without them. Fewer than four rows
 *          per core leave what four streams gain.
 */
#include "bench/duel.h"
#include "cpu/team.h"
#include "cpu/vector.h"

enum { A = 0, X = 1, Y = 2 };

enum {
    ROWS = 4,
    DEEP = 2,         /* sums of a row */
    TEAM_FROM = 16384 /* elements of A from which a team pays for itself */
};
/* Registers have no index: loops over them must vanish. */
#define UNROLLED _Pragma("GCC unroll 16")
#define TEAM _Pragma("omp parallel if (p->m * p->k >= TEAM_FROM)")

/* `rows` dot products side by side: a constant in each call, so that the loops over it vanish. */
#define DEFINE_DOTS(name, real)                                                                               \
    static inline __attribute__((always_inline)) void name(const int rows, const struct duel_problem *p,      \
                                                           const real *a, const real *x, real *y)             \
    {                                                                                                         \
        enum { VL = CPU_VECTOR_BYTES / sizeof(real) };                                                        \
        typedef CPU_VECTOR(real) vector;                                                                      \
        const int64_t lda = p->ld[A], incy = p->ld[Y];                                                        \
        const real alpha = (real)p->alpha, beta = (real)p->beta;                                              \
        vector sum[ROWS][DEEP] = {{{0}}};                                                                     \
        int64_t j = 0;                                                                                        \
        for (; j + DEEP * VL <= p->k; j += DEEP * VL)                                                         \
            UNROLLED for (int d = 0; d < DEEP; d++)                                                           \
            {                                                                                                 \
                const vector shared = *(const vector *)(x + j + d * VL);                                      \
                UNROLLED for (int r = 0; r < rows; r++) sum[r][d] +=                                          \
                    *(const vector *)(a + r * lda + j + d * VL) * shared;                                     \
            }                                                                                                 \
        UNROLLED for (int r = 0; r < rows; r++)                                                               \
        {                                                                                                     \
            real part[VL], total;                                                                             \
            *(vector *)part = sum[r][0] + sum[r][1];                                                          \
            UNROLLED for (int half = VL / 2; half > 0; half /= 2) /* a tree: few additions wait for others */ \
                for (int lane = 0; lane < half; lane++) part[lane] += part[lane + half];                      \
            total = part[0];                                                                                  \
            for (int64_t rest = j; rest < p->k; rest++)                                                       \
                total += a[r * lda + rest] * x[rest];                                                         \
            /* beta == 0 means "y is not read": it may hold NaN, and 0 * NaN would be NaN. */                 \
            y[r * incy] = beta == 0 ? alpha * total : alpha * total + beta * y[r * incy];                     \
        }                                                                                                     \
    }

#define DEFINE_GEMV(name, real)                                                                                 \
    DEFINE_DOTS(name##_dots, real)                                                                              \
    static void name(const struct duel_call *call)                                                              \
    {                                                                                                           \
        const struct duel_problem *p = call->problem;                                                           \
        const real *a = call->operand[A], *x = call->operand[X];                                                \
        real *y = call->operand[Y], *dense = call->workspace;                                                   \
        for (int64_t j = 0; dense && j < p->k; j++)                                                             \
            dense[j] = x[j * p->ld[X]];                                                                         \
        x = dense ? dense : x;                                                                                  \
        TEAM                                                                                                    \
        {                                                                                                       \
            const int64_t piece = (p->m / omp_get_num_threads() / ROWS + 1) * ROWS;                             \
            const int64_t from = omp_get_thread_num() * piece, end = from + piece < p->m ? from + piece : p->m; \
            int64_t i = from;                                                                                   \
            for (; i + ROWS <= end; i += ROWS)                                                                  \
                name##_dots(ROWS, p, a + i * p->ld[A], x, y + i * p->ld[Y]);                                    \
            for (; i < end; i++)                                                                                \
                name##_dots(1, p, a + i * p->ld[A], x, y + i * p->ld[Y]);                                       \
        }                                                                                                       \
    }

DEFINE_GEMV(gemv_fp32, float)  /* A is m x k, x has k elements, y has m */
DEFINE_GEMV(gemv_fp64, double) /* the same, with half as many in a vector */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        gemv_fp64(call);
    else
        gemv_fp32(call);
    return DUEL_OK;
}

/* For an x without gaps. */
static size_t workspace(const struct duel_problem *p)
{
    return p->ld[X] == 1 ? 0 : (size_t)p->k * (p->types.in == DUEL_FP64 ? sizeof(double) : sizeof(float));
}

DUEL_IMPL(cpu_gemv_simd) = {
    .name = "cpu/gemv/simd",
    .builds_on = "cpu/gemv/openmp",
    .doc = "Each core multiplies four rows at a time, with two vectors of sums for each. "
           "x is loaded once for the four rows, no addition waits for another, and four streams from memory keep it "
           "busier than one. "
           "From here on only fewer bytes would help: that is why language models store their weights in 16, 8 or 4 "
           "bits.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .threads = cpu_team,
    .run = run,
};
