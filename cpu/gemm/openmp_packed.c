/* cpu/gemm/openmp_packed: the packed rung on all cores.
 * Needs: openmp
 *
 * Idea     One team for the whole product. All threads pack a panel of B together; then each takes one block of A after
 *          the other, packs it for itself and multiplies it with the panel that they share.
 * Mapping  A thread that gets free takes the next block, so a core that other work slows down does not hold up the
 * rest. Two panels take turns: whoever finds no more blocks packs ahead for the next piece of the sum, and the one
 *          barrier behind each packing is enough. Where A is read in place nothing is shared, and strips of C are the
 *          tasks. Where C has too few strips the sum over k is split, and its parts are added in the end.
 * Traffic  As in the rung below for each core. The panel lies in L3 once for all of them.
 * Limits   Starting and joining a team takes microseconds: small products run on one thread. Beyond that L3 and memory,
 *          which do not grow with the cores.
 *          Beside it: cpu/gemm/openblas.
 */
#include "bench/duel.h"
#include "cpu/gemm/micro/micro.h"
#include "cpu/team.h"

enum { PACKED_STRIPS = 4 }; /* of B, packed by one thread at a time: wide enough to read whole pieces of rows */

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

/* So few multiply-adds take less time than it takes to wake a second thread. */
#define ALONE (48.0 * 48 * 48)

/* A in place: tasks are strips of C, cut into pieces of rows when there are few strips. */
static void run_strips(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    const int64_t nr = plan->micro->nr, rows = plan->strip_rows;
#pragma omp parallel for collapse(2) schedule(dynamic) \
    num_threads(plan->threads) if ((double)p->m * (double)p->n * (double)p->k > ALONE)
    for (int64_t j = 0; j < p->n; j += nr)
        for (int64_t i = 0; i < p->m; i += rows) {
            const struct part x = {
                .i = i, .rows = gemm_smaller(rows, p->m - i), .j = j, .cols = gemm_smaller(nr, p->n - j)};
            run_strip(call, x, plan->B + (size_t)omp_get_thread_num() * plan->b_bytes);
        }
}

/* A small C and a long sum: each part of the sum goes into a C of its own. beta is left to the addition of the parts,
 * which one thread does: they are small. */
static void run_parts(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    const int64_t steps = (p->k + plan->parts - 1) / plan->parts;
#pragma omp parallel for schedule(dynamic) num_threads(plan->threads)
    for (int part = 0; part < plan->parts; part++) {
        const int64_t from = part * steps;
        struct duel_problem piece = *p;
        struct duel_call own = *call;
        piece.k = gemm_smaller(steps, p->k - from);
        piece.ld[DUEL_C] = p->n;
        piece.beta = 0;
        own.problem = &piece;
        own.operand[DUEL_A] = gemm_at(plan->micro, call->operand[DUEL_A], from);
        own.operand[DUEL_B] = gemm_at(plan->micro, call->operand[DUEL_B], from * p->ld[DUEL_B]);
        own.operand[DUEL_C] = plan->C + (size_t)part * plan->c_bytes;
        struct part x = {.rows = p->m};
        for (x.j = 0; x.j < p->n; x.j += plan->micro->nr) {
            x.cols = gemm_smaller(plan->micro->nr, p->n - x.j);
            run_strip(&own, x, plan->B + (size_t)omp_get_thread_num() * plan->b_bytes);
        }
    }
    plan->micro->sum(p->m, p->n, plan->parts, plan->C, (int64_t)(plan->c_bytes / plan->micro->size),
                     call->operand[DUEL_C], p->ld[DUEL_C], p->beta);
}

/* One panel of B and one piece of the sum, called by every thread of the team. */
static void run_panel(const struct duel_call *call, const struct part *x, char *panel)
{
    const struct gemm_plan *plan = call->state;
    const int64_t nr = plan->micro->nr;
#pragma omp for schedule(dynamic)
    for (int64_t j = 0; j < x->cols; j += PACKED_STRIPS * nr) {
        struct part strips = *x;
        strips.j = x->j + j;
        strips.cols = gemm_smaller(PACKED_STRIPS * nr, x->cols - j);
        pack_panel(call, &strips, gemm_at(plan->micro, panel, j * x->k));
    } /* the barrier here: the panel is whole, and everybody has left the blocks of the panel before */
#pragma omp for schedule(dynamic) nowait
    for (int64_t i = 0; i < call->problem->m; i += plan->mc) {
        struct part block = *x;
        block.i = i;
        block.rows = gemm_smaller(plan->mc, call->problem->m - i);
        run_block(call, block, plan->A + (size_t)omp_get_thread_num() * plan->a_bytes, panel);
    } /* none here: the next panel is packed into the other buffer */
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_plan *plan = call->state;
    if (plan->parts > 1) {
        run_parts(call);
        return DUEL_OK;
    }
    if (plan->a_in_place) {
        run_strips(call);
        return DUEL_OK;
    }
#pragma omp parallel num_threads(plan->threads)
    {
        struct part x = {0};
        int turn = 0;
        for (x.j = 0; x.j < p->n; x.j += plan->nc) {
            x.cols = gemm_smaller(plan->nc, p->n - x.j);
            for (x.l = 0; x.l == 0 || x.l < p->k; x.l += plan->kc, turn = 1 - turn) {
                x.k = gemm_smaller(plan->kc, p->k - x.l);
                run_panel(call, &x, plan->B + (size_t)turn * plan->b_bytes);
            }
        }
    }
    return DUEL_OK;
}

DUEL_IMPL(cpu_gemm_openmp_packed) = {
    .name = "cpu/gemm/openmp_packed",
    .builds_on = "cpu/gemm/packed",
    .doc =
        "The packed rung on all cores. "
        "The threads pack B together and share it; each packs its own blocks of A and takes the next one as soon as it "
        "is free. "
        "A product whose result is small but whose sum is long is split along the sum. "
        "It is the fastest row here that is written in plain C, and a fair opponent of a GPU.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = gemm_supports,
    .threads = cpu_team,
    .library = gemm_library,
    .open = gemm_open,
    .run = run,
    .close = gemm_close,
};
