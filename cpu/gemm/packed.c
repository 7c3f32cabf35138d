/* cpu/gemm/packed: the register tiles of cpu/gemm/simd, fed from copies that lie in the order of their use.
 *
 * Idea     Copy ("pack") a block of A and a panel of B so that the micro-kernel reads both from front to back. The
 *          copies are used hundreds of times while they stay in the caches; rows far apart, full TLBs and cache sets
 *          that all rows of a power of two fall into are paid for once.
 * Mapping  Five loops around the micro-kernel, after Goto and van de Geijn (ACM TOMS 34:3, 2008): panels of B in L3,
 *          pieces of the sum, blocks of A in L2, strips of B in L1, tiles of C in registers. One thread.
 * Traffic  Memory sees B once, A n / NC times and C twice for each of k / KC pieces. The copies cost m k + k n loads
 *          and stores against m n k multiply-adds: nothing, unless an extent is small. So a small A, or one that few
 *          columns use, is read in place; B too, when it fits in L1 or a single row of tiles uses it.
 * Limits   The multiply-add units are busy almost always, so more needs more cores.
 *          Next rung: cpu/gemm/openmp_packed. Beside it: cpu/gemm/openblas, the same idea tuned in assembly.
 */
#include "bench/duel.h"
#include "cpu/gemm/micro/micro.h"

/* A rectangle of C and a piece of the sum: rows from i, columns from j, terms from l. */
struct part {
    int64_t i, rows, j, cols, l, k;
};

/* A few columns left over at the right edge, or all of them when B is a vector: dot products with rows of A in place.
 * `column` has room for k elements. */
static void columns(const struct duel_call *call, const struct part *x, void *column)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    const struct gemm_micro *micro = plan->micro;
    for (int64_t j = x->j; j < x->j + x->cols; j++) {
        micro->pack_column(x->k, gemm_at(micro, call->operand[DUEL_B], x->l * p->ld[DUEL_B] + j), p->ld[DUEL_B],
                           column);
        micro->dots(x->rows, x->k, gemm_at(micro, call->operand[DUEL_A], x->i * p->ld[DUEL_A] + x->l), p->ld[DUEL_A],
                    column, gemm_at(micro, call->operand[DUEL_C], x->i * p->ld[DUEL_C] + j), p->ld[DUEL_C], p->alpha,
                    x->l == 0 ? p->beta : 1);
    }
}

/* The tiles below each other that one strip of B makes. packed_A: strips of A, or NULL to read its rows in place. */
static void tiles(const struct duel_call *call, const struct part *x, const void *packed_A, const void *B,
                  int64_t b_row)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    const struct gemm_micro *micro = plan->micro;
    struct gemm_tile tile = {.cols = (int)x->cols,
                             .k = x->k,
                             .a_row = packed_A ? 0 : p->ld[DUEL_A],
                             .B = B,
                             .b_row = b_row,
                             .ldc = p->ld[DUEL_C],
                             .alpha = p->alpha,
                             .beta = x->l == 0 ? p->beta : 1}; /* later pieces of the sum are added */
    for (int64_t i = 0; i < x->rows; i += micro->mr) {
        tile.rows = (int)gemm_smaller(micro->mr, x->rows - i);
        tile.A = packed_A ? gemm_at(micro, packed_A, i * x->k)
                          : gemm_at(micro, call->operand[DUEL_A], (x->i + i) * p->ld[DUEL_A] + x->l);
        tile.C = gemm_at(micro, call->operand[DUEL_C], (x->i + i) * p->ld[DUEL_C] + x->j);
        micro->tile(&tile);
    }
}

/* A in place: a strip of C, the whole sum. `strip` has room for kc x nr elements. */
static void run_strip(const struct duel_call *call, struct part x, void *strip)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    const struct gemm_micro *micro = plan->micro;
    /* k == 0 takes one turn too: C is still scaled. */
    for (x.l = 0; x.l == 0 || x.l < p->k; x.l += plan->kc) {
        x.k = gemm_smaller(plan->kc, p->k - x.l);
        const void *B = gemm_at(micro, call->operand[DUEL_B], x.l * p->ld[DUEL_B] + x.j);
        if (x.cols <= GEMM_NARROW) {
            columns(call, &x, strip);
        } else if (plan->b_in_place && x.cols == micro->nr) {
            tiles(call, &x, NULL, B, p->ld[DUEL_B]);
        } else {
            micro->pack_b(x.k, x.cols, B, p->ld[DUEL_B], strip);
            tiles(call, &x, NULL, strip, micro->nr);
        }
    }
}

/* A block of A against a panel of B whose strips are packed already. */
static void run_block(const struct duel_call *call, struct part x, void *block, const void *panel)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    const struct gemm_micro *micro = plan->micro;
    const int64_t j0 = x.j, j1 = x.j + x.cols;
    micro->pack_a(x.rows, x.k, gemm_at(micro, call->operand[DUEL_A], x.i * p->ld[DUEL_A] + x.l), p->ld[DUEL_A], block);
    for (x.j = j0; x.j < j1; x.j += micro->nr) {
        x.cols = gemm_smaller(micro->nr, j1 - x.j);
        tiles(call, &x, block, gemm_at(micro, panel, (x.j - j0) * x.k), micro->nr);
    }
}

static void pack_panel(const struct duel_call *call, const struct part *x, void *panel)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_micro *micro = ((const struct gemm_plan *)call->state)->micro;
    micro->pack_b(x->k, x->cols, gemm_at(micro, call->operand[DUEL_B], x->l * p->ld[DUEL_B] + x->j), p->ld[DUEL_B],
                  panel);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    struct part x = {0};
    if (plan->a_in_place) {
        x.rows = p->m;
        for (x.j = 0; x.j < p->n; x.j += plan->micro->nr) {
            x.cols = gemm_smaller(plan->micro->nr, p->n - x.j);
            run_strip(call, x, plan->B);
        }
        return DUEL_OK;
    }
    for (x.j = 0; x.j < p->n; x.j += plan->nc) {
        x.cols = gemm_smaller(plan->nc, p->n - x.j);
        for (x.l = 0; x.l == 0 || x.l < p->k; x.l += plan->kc) {
            x.k = gemm_smaller(plan->kc, p->k - x.l);
            pack_panel(call, &x, plan->B);
            for (x.i = 0; x.i < p->m; x.i += plan->mc) {
                x.rows = gemm_smaller(plan->mc, p->m - x.i);
                run_block(call, x, plan->A, plan->B);
            }
        }
    }
    return DUEL_OK;
}

DUEL_IMPL(cpu_gemm_packed) = {
    .name = "cpu/gemm/packed",
    .builds_on = "cpu/gemm/simd",
    .doc =
        "The tiles of cpu/gemm/simd, reading from packed copies of A and B. "
        "Each copy lies in the order in which the innermost loop wants it, in pages of 2 MiB, and is used hundreds of "
        "times before it leaves its cache. "
        "Nothing waits for memory any more, so one core runs close to the most multiply-adds that it can do. "
        "This is how every fast library works.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = gemm_supports,
    .library = gemm_library,
    .open = gemm_open,
    .run = run,
    .close = gemm_close,
};
