/* cpu/gemm/openmp: the tiles of cpu/gemm/blocked, shared out to all cores.
 * Needs: openmp
 *
 * Idea     Tiles of C do not depend on each other: any core may compute any tile, in any order, without locks.
 * Mapping  One tile after the other goes to whichever thread is free. The sum over l stays inside one thread, so the
 *          result does not depend on the number of threads, not even in its last bit.
 * Traffic  As in the rung below for each core. L1 and L2 belong to a core, so their bandwidth grows with the cores; L3
 *          and memory are shared, so theirs does not.
 * Limits   Starting and joining a team takes microseconds: below a few hundred rows a second core brings little. With
 *          fewer tiles than cores, some cores have nothing to do.
 *          The other way up: cpu/gemm/simd, packed and openmp_packed get out of the same cores what libraries do.
 */
#include "bench/duel.h"
#include "cpu/team.h"

/* Budgets, for FP32 (FP64 doubles them): a piece of B is BK * BN * 4 = 64 KiB, at home in an L2 cache of 256 KiB or
 * more; the row of C in the inner loop is BN * 4 = 1 KiB, which leaves L1 to the rows of B that pass by. */
enum { BM = 64, BN = 256, BK = 64 };

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The tile of C whose first element is (i0, j0). Tiles at the lower and right edges end where the matrix ends: that is
 * all that `smaller` does. C has no templates: the macro writes the loops once for float and once for double, `real` is
 * the element type. restrict promises that C overlaps neither A nor B; else no vector could be loaded ahead. */
#define DEFINE_TILE(name, real)                                                                                \
    static void name(const struct duel_problem *p, const real *A, const real *B, real *restrict C, int64_t i0, \
                     int64_t j0)                                                                               \
    {                                                                                                          \
        const int64_t lda = p->ld[DUEL_A], ldb = p->ld[DUEL_B], ldc = p->ld[DUEL_C];                           \
        const int64_t i1 = smaller(i0 + BM, p->m), j1 = smaller(j0 + BN, p->n);                                \
        const real alpha = (real)p->alpha, beta = (real)p->beta;                                               \
        /* beta == 0 means "C is not read": it may hold NaN, and 0 * NaN would be NaN. */                      \
        for (int64_t i = i0; i < i1; i++)                                                                      \
            for (int64_t j = j0; j < j1; j++)                                                                  \
                C[i * ldc + j] = beta == 0 ? 0 : beta * C[i * ldc + j];                                        \
        for (int64_t l0 = 0; l0 < p->k; l0 += BK) {                                                            \
            const int64_t l1 = smaller(l0 + BK, p->k);                                                         \
            for (int64_t i = i0; i < i1; i++)                                                                  \
                for (int64_t l = l0; l < l1; l++) {                                                            \
                    const real a = alpha * A[i * lda + l];                                                     \
                    for (int64_t j = j0; j < j1; j++)                                                          \
                        C[i * ldc + j] += a * B[l * ldb + j];                                                  \
                }                                                                                              \
        }                                                                                                      \
    }

DEFINE_TILE(tile_fp32, float)  /* A is m x k, B is k x n, C is m x n, all row-major */
DEFINE_TILE(tile_fp64, double) /* the same loops: half as many elements in a vector */

static void tile(const struct duel_call *call, int64_t i0, int64_t j0)
{
    if (call->problem->types.in == DUEL_FP64)
        tile_fp64(call->problem, call->operand[DUEL_A], call->operand[DUEL_B], call->operand[DUEL_C], i0, j0);
    else
        tile_fp32(call->problem, call->operand[DUEL_A], call->operand[DUEL_B], call->operand[DUEL_C], i0, j0);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    /* One queue of all tiles; a fast core, or one that nobody else uses, takes more of them. */
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int64_t i0 = 0; i0 < p->m; i0 += BM)
        for (int64_t j0 = 0; j0 < p->n; j0 += BN)
            tile(call, i0, j0);
    return DUEL_OK;
}

/* A piece of B serves all rows of a tile only where the cache holds it, and so does the tile of C for all its pieces.
 */
static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    const double m = (double)p->m, c = m * (double)p->n * duel_element_bytes(p->types.out);
    const double b = (double)p->k * (double)p->n * duel_element_bytes(p->types.in);
    const double piece = BK * BN * duel_element_bytes(p->types.in), tile = BM * BN * duel_element_bytes(p->types.out);
    const int64_t tiles = (p->m + BM - 1) / BM, pieces = (p->k + BK - 1) / BK;
    double again = piece > cache_bytes && b > cache_bytes ? (m - (double)tiles) * b : 0;
    again += tile > cache_bytes && pieces > 1 ? 2 * (double)(pieces - 1) * c : 0;
    return duel_tile_traffic(p, cache_bytes, BM, BN) + again;
}

DUEL_IMPL(cpu_gemm_openmp) = {
    .name = "cpu/gemm/openmp",
    .builds_on = "cpu/gemm/blocked",
    .doc = "The tiles of cpu/gemm/blocked on all cores. "
           "One line of OpenMP puts the tiles in a queue from which every core takes the next one. "
           "No two cores write to the same tile, so nothing has to be locked. "
           "Twice the cores is at best twice the speed: L3 and memory are shared, and a team needs some microseconds "
           "to start.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "As blocked, with the caches of all threads taken as one: B anew for each 64 rows of C "
                     "unless they hold all of it.",
    .threads = cpu_team,
    .run = run,
};
