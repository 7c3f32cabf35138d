/* cpu/dot/simd: many sums in each thread, held in vector registers.
 * Needs: openmp
 *
 * Idea     An addition takes some four cycles, but two can begin in each. So eight sums go on side by side, and each of
 *          them is a vector: 64 partial sums of FP32 with AVX2. We choose the order here; the compiler must not.
 * Mapping  Each thread has one piece of the vectors and adds its own sums up, always in the same order.
 * Traffic  8 bytes per product in FP32. Four places of a vector ahead of each other would not help: two streams, x and
 *          y, already keep the prefetchers busy.
 * Limits   Memory, or for vectors that fit a cache the two loads per cycle of a core. An increment other than 1 leaves
 *          nothing to load as a vector: then the eight sums are single numbers.
 */
#include "bench/duel.h"
#include "cpu/team.h"
#include "cpu/vector.h"

enum { X = 0, Y = 1, R = 2 };

enum {
    SUMS = 8,
    GRAIN = 64,       /* pieces begin at multiples of it: no vector reaches into two cache lines */
    TEAM_FROM = 16384 /* products from which a team pays for itself */
};
/* Registers have no index: loops over them must vanish. */
#define UNROLLED _Pragma("GCC unroll 16")
#define TEAM _Pragma("omp parallel reduction(+ : total) if (k >= TEAM_FROM)")

/* The products of elements from `i` to before `end`. */
#define DEFINE_DENSE(name, real)                                                       \
    static real name(const real *x, const real *y, int64_t i, int64_t end)             \
    {                                                                                  \
        enum { VL = CPU_VECTOR_BYTES / sizeof(real) };                                 \
        typedef CPU_VECTOR(real) vector;                                               \
        vector sum[SUMS] = {{0}};                                                      \
        real total = 0;                                                                \
        for (; i + SUMS * VL <= end; i += SUMS * VL) {                                 \
            const vector *xs = (const vector *)(x + i), *ys = (const vector *)(y + i); \
            UNROLLED for (int s = 0; s < SUMS; s++) sum[s] += xs[s] * ys[s];           \
        }                                                                              \
        for (; i < end; i++)                                                           \
            total += x[i] * y[i];                                                      \
        UNROLLED for (int s = 0; s < SUMS / 2; s++) sum[s] += sum[s + SUMS / 2];       \
        sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);                                \
        for (int lane = 0; lane < VL; lane++)                                          \
            total += sum[0][lane];                                                     \
        return total;                                                                  \
    }

/* The same for elements that do not lie side by side. */
#define DEFINE_APART(name, real)                                                                       \
    static real name(const real *x, int64_t incx, const real *y, int64_t incy, int64_t i, int64_t end) \
    {                                                                                                  \
        real sum[SUMS] = {0}, total = 0;                                                               \
        for (; i + SUMS <= end; i += SUMS)                                                             \
            UNROLLED for (int s = 0; s < SUMS; s++) sum[s] += x[(i + s) * incx] * y[(i + s) * incy];   \
        for (; i < end; i++)                                                                           \
            total += x[i * incx] * y[i * incy];                                                        \
        for (int s = 0; s < SUMS; s++)                                                                 \
            total += sum[s];                                                                           \
        return total;                                                                                  \
    }

#define DEFINE_DOT(name, real)                                                                                      \
    DEFINE_DENSE(name##_dense, real)                                                                                \
    DEFINE_APART(name##_apart, real)                                                                                \
    static real name(const struct duel_call *call)                                                                  \
    {                                                                                                               \
        const int64_t k = call->problem->k, incx = call->problem->ld[X], incy = call->problem->ld[Y];               \
        const real *x = call->operand[X], *y = call->operand[Y];                                                    \
        real total = 0;                                                                                             \
        TEAM                                                                                                        \
        {                                                                                                           \
            const int64_t piece = (k / omp_get_num_threads() / GRAIN + 1) * GRAIN;                                  \
            const int64_t from = omp_get_thread_num() * piece, end = from + piece < k ? from + piece : k;           \
            total =                                                                                                 \
                incx == 1 && incy == 1 ? name##_dense(x, y, from, end) : name##_apart(x, incx, y, incy, from, end); \
        }                                                                                                           \
        return total;                                                                                               \
    }

DEFINE_DOT(dot_fp32, float)
DEFINE_DOT(dot_fp64, double)

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        *(double *)call->operand[R] = dot_fp64(call);
    else
        *(float *)call->operand[R] = dot_fp32(call);
    return DUEL_OK;
}

DUEL_IMPL(cpu_dot_simd) = {
    .name = "cpu/dot/simd",
    .builds_on = "cpu/dot/openmp",
    .doc = "Each core keeps eight sums going, and each of them is a vector of numbers, so that no addition waits for "
           "another. "
           "At the end the sums are added in pairs. "
           "Many short sums also round less than one long one, so the faster order is the more exact one as well.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
