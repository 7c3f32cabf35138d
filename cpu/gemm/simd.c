/* cpu/gemm/simd: the tiles of cpu/gemm/blocked, computed in registers by a micro-kernel.
 *
 * Idea     In the rung below C still travels between L1 and the registers for every multiply-add. Take a tile of C so
 *          small that it stays in vector registers during the sum: cpu/gemm/micro/kernel.c is that loop, and worth
 *          reading first.
 * Mapping  One thread. The loops of cpu/gemm/blocked choose a piece of B that fits in L2; inside it one tile of mr x nr
 *          elements after the other goes through the micro-kernel.
 * Traffic  (mr + nr) loads for mr * nr multiply-adds: for 8 x 32 that is 12 times fewer than in the rung below, which
 *          loads two elements and stores one for each. C is touched once for BK terms of the sum.
 * Limits   A tile reads rows of B that stand ldb apart: each row begins in another cache line and often another page,
 *          and when ldb is a power of two all of them fall into a few sets of the cache.
 *          Next rung: cpu/gemm/packed copies A and B into the order of their use.
 */
#include "bench/duel.h"
#include "cpu/gemm/micro/micro.h"

/* Budget, for FP32 (FP64 doubles it): a piece of B is BK * BN * 4 = 128 KiB, at home in L2. */
enum { BN = 256, BK = 128, WIDEST = 32 };

/* The tiles of C that one strip of B makes, down all rows. B: rows that stand b_row elements apart. */
static void tiles(const struct duel_call *call, int64_t j, int64_t cols, int64_t l, int64_t k, const void *B,
                  int64_t b_row)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_micro *micro = call->state;
    const int64_t lda = p->ld[DUEL_A], ldc = p->ld[DUEL_C];
    for (int64_t i = 0; i < p->m; i += micro->mr) {
        const struct gemm_tile tile = {.rows = (int)gemm_smaller(micro->mr, p->m - i),
                                       .cols = (int)cols,
                                       .k = k,
                                       .A = gemm_at(micro, call->operand[DUEL_A], i * lda + l),
                                       .a_row = lda,
                                       .B = B,
                                       .b_row = b_row,
                                       .C = gemm_at(micro, call->operand[DUEL_C], i * ldc + j),
                                       .ldc = ldc,
                                       .alpha = p->alpha,
                                       .beta = l == 0 ? p->beta : 1}; /* later pieces of the sum are added */
        micro->tile(&tile);
    }
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_micro *micro = call->state;
    const int64_t ldb = p->ld[DUEL_B];
    const int64_t wide = BN / micro->nr * micro->nr;           /* whole strips */
    _Alignas(64) char edge[BK * WIDEST * (int)sizeof(double)]; /* room for BK x nr elements of either type */
    for (int64_t j0 = 0; j0 < p->n; j0 += wide)
        for (int64_t l = 0; l == 0 || l < p->k; l += BK) { /* k == 0 takes one turn too: C is still scaled */
            const int64_t k = gemm_smaller(BK, p->k - l), j1 = gemm_smaller(j0 + wide, p->n);
            for (int64_t j = j0; j < j1; j += micro->nr) {
                const int64_t cols = gemm_smaller(micro->nr, j1 - j);
                const void *B = gemm_at(micro, call->operand[DUEL_B], l * ldb + j);
                /* Vectors would read past the end of a narrow strip, of the last row even past the matrix: a copy with
                 * zeros behind it stands in for the right edge. */
                if (cols < micro->nr)
                    micro->pack_b(k, cols, B, ldb, edge);
                tiles(call, j, cols, l, k, cols < micro->nr ? edge : B, cols < micro->nr ? micro->nr : ldb);
            }
        }
    return DUEL_OK;
}

static enum duel_status open(struct duel_call *call)
{
    call->state = (void *)gemm_micro(call->problem->types.in, call->why);
    return call->state ? DUEL_OK : DUEL_SKIP;
}

DUEL_IMPL(cpu_gemm_simd) = {
    .name = "cpu/gemm/simd",
    .builds_on = "cpu/gemm/blocked",
    .doc = "The blocked loops around a micro-kernel that keeps a small tile of C in vector registers. "
           "Every element that is loaded takes part in many multiply-adds, so loads no longer set the pace. "
           "The micro-kernel is compiled for each vector instruction set, and the best one of this processor is used. "
           "On a GPU the same idea is a tile of C for each thread.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = gemm_supports,
    .library = gemm_library,
    .open = open,
    .run = run,
};
