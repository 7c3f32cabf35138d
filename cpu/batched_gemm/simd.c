/* cpu/batched_gemm/simd: the register tiles of cpu/gemm/simd, for each small matrix in place.
 * Needs: openmp
 *
 * Idea     cpu/gemm/micro/kernel.c keeps a tile of C in vector registers for the whole sum. A library packs A and B
 *          for it first; a small matrix lies in the L1 cache anyway, so only a narrow right edge is copied here, and
 *          nothing else stands between the call and the arithmetic.
 * Mapping  A stretch of the batch for each thread. Within a matrix, one tile of C after the other.
 * Traffic  Memory moves each matrix once. A tile of 4 x 24 loads 0.3 elements for each multiply-add, from L1.
 * Limits   What is smaller than a tile leaves lanes empty: at 8 x 8 most of them. Matrices beyond L1 want the packing
 *          of cpu/gemm/packed. Beside it: cpu/batched_gemm/openblas.
 */
#include <omp.h>

#include "bench/duel.h"
#include "cpu/gemm/micro/micro.h"

/* Terms of the sum at once: the copy of an edge, BK * WIDEST * 8 bytes, takes no more than an L1 cache. */
enum { BK = 128, WIDEST = 32 };
/* Multiplications from which a team pays for itself. */
#define TEAM_FROM 100000.0

/* The tiles of C that one strip of B makes, down the rows of one matrix. B: rows that stand b_row elements apart. */
static void strip(const struct duel_call *call, int64_t b, int64_t j, int64_t cols, int64_t l, int64_t k, const void *B,
                  int64_t b_row)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_micro *micro = call->state;
    const int64_t lda = p->ld[DUEL_A], ldc = p->ld[DUEL_C];
    struct gemm_tile tile = {.cols = (int)cols,
                             .k = k,
                             .a_row = lda,
                             .B = B,
                             .b_row = b_row,
                             .ldc = ldc,
                             .alpha = p->alpha,
                             .beta = l == 0 ? p->beta : 1}; /* later pieces of the sum are added */
    for (int64_t i = 0; i < p->m; i += micro->mr) {
        tile.rows = (int)gemm_smaller(micro->mr, p->m - i);
        tile.A = gemm_at(micro, call->operand[DUEL_A], (b * p->m + i) * lda + l);
        tile.C = gemm_at(micro, call->operand[DUEL_C], (b * p->m + i) * ldc + j);
        micro->tile(&tile);
    }
}

static void multiply(const struct duel_call *call, int64_t b)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_micro *micro = call->state;
    const int64_t ldb = p->ld[DUEL_B];
    _Alignas(64) char edge[BK * WIDEST * (int)sizeof(double)]; /* room for BK x nr elements of either type */
    for (int64_t j = 0; j < p->n; j += micro->nr)
        for (int64_t l = 0; l == 0 || l < p->k; l += BK) { /* k == 0 takes one turn too: C is still scaled */
            const int64_t cols = gemm_smaller(micro->nr, p->n - j), k = gemm_smaller(BK, p->k - l);
            const void *B = gemm_at(micro, call->operand[DUEL_B], (b * p->k + l) * ldb + j);
            /* Vectors would read past the end of an uneven strip: a copy with zeros behind it stands in for it. */
            const bool even = cols % micro->lanes == 0;
            if (!even)
                micro->pack_b(k, cols, B, ldb, edge);
            strip(call, b, j, cols, l, k, even ? B : edge, even ? ldb : micro->nr);
        }
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const double products = (double)p->count * (double)p->m * (double)p->n * (double)p->k;
#pragma omp parallel for schedule(static) if (products >= TEAM_FROM)
    for (int64_t b = 0; b < p->count; b++)
        multiply(call, b);
    return DUEL_OK;
}

static enum duel_status open(struct duel_call *call)
{
    call->state = (void *)gemm_micro(call->problem->types.in, call->why);
    return call->state ? DUEL_OK : DUEL_SKIP;
}

/* Sets the size of the team and asks a team how many came: a limit such as OMP_THREAD_LIMIT shows here. */
static int threads(int wanted)
{
    int came = 1;
    omp_set_num_threads(wanted);
#pragma omp parallel
#pragma omp single
    came = omp_get_num_threads();
    return came;
}

DUEL_IMPL(cpu_batched_gemm_simd) = {
    .name = "cpu/batched_gemm/simd",
    .builds_on = "cpu/batched_gemm/openmp",
    .doc = "Each small matrix goes through the micro-kernel that keeps a tile of C in vector registers. "
           "Nothing is packed but a narrow right edge: the matrices lie in the innermost cache anyway. "
           "With so little work per matrix, what a library does before it begins is what decides.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = gemm_supports,
    .threads = threads,
    .library = gemm_library,
    .open = open,
    .run = run,
};
