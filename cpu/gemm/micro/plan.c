/* plan.c: how much of A and B to keep in which cache, whether to copy them at all, and the memory for the copies. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/device.h"
#include "cpu/gemm/micro/micro.h"

/* Memory of two huge pages or more is asked for as such: a strip then needs one entry of the TLB instead of dozens. */
#define LEAST_BYTES ((size_t)4 << 20)
#define LINE ((size_t)64)
enum {
    PANEL_COLUMNS = 4096, /* a panel of B, in L3: wider saves copies of A, but memory too counts */
    COLUMN_STEPS = 4096,  /* a long piece for dot products, whose ends cost more than their steps */
    FEW_ROWS = 64,        /* of a task: fewer would not pay for packing a strip of B */
    PART_STEPS = 256,     /* least length of one part of a sum */
};

/* The size of a cache as the C library tells it, or that of most processors where it does not. */
static int64_t cache_bytes(int name, int64_t usual)
{
    const long bytes = sysconf(name);
    return bytes > 0 ? bytes : usual;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t pieces(int64_t extent, int64_t most)
{
    return (extent + most - 1) / most;
}

/* Equal pieces of at most `most`, rounded up to whole multiples of `unit`: 1100 by 512 is three pieces of 367, not two
 * of 512 and a short one that costs as much to start. */
static int64_t even(int64_t extent, int64_t most, int64_t unit)
{
    const int64_t count = pieces(extent, larger(most, unit));
    return count > 0 ? pieces(pieces(extent, count), unit) * unit : unit;
}

/* The optimum is flat; these shares of L2 did well where it has 1 MiB, and are a guess elsewhere. A strip of B is used
 * by all strips of a block of A, one after the other: strip and block together take less than half of L2, and C, which
 * passes by, has the rest. */
static void set_blocks(struct gemm_plan *plan, const struct duel_problem *p)
{
    const struct gemm_micro *micro = plan->micro;
    const int64_t size = (int64_t)micro->size, l1 = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10),
                  l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 512 << 10);
    plan->kc = even(p->k, p->n <= GEMM_NARROW ? COLUMN_STEPS : l2 / 16 / (micro->nr * size), 1);
    plan->mc = even(p->m, l2 * 3 / 8 / (plan->kc * size), micro->mr);
    plan->nc = even(p->n, PANEL_COLUMNS, micro->nr);
    /* An element of A is copied for n / nr uses: too few, or A stays in L2 anyway. */
    plan->a_in_place = p->n <= 2 * micro->nr || (p->n <= 512 && p->m * plan->kc * size <= l2);
    /* B stays in L1 anyway. */
    plan->b_in_place = p->k * p->ld[DUEL_B] * size <= l1 / 2;
    plan->parts = 1;
    plan->strip_rows = p->m;
    const int64_t strips = pieces(p->n, micro->nr), wanted = 2 * plan->threads;
    if (plan->threads > 1 && strips < wanted)
        plan->strip_rows = even(p->m, larger(FEW_ROWS, pieces(p->m, pieces(wanted, strips))), micro->mr);
    if (plan->a_in_place && strips * pieces(p->m, plan->strip_rows) < plan->threads && p->k >= 2 * PART_STEPS)
        plan->parts = (int)pieces(p->k, pieces(p->k, gemm_smaller(plan->threads, p->k / PART_STEPS)));
    /* Threads take blocks as they get free: four for each leave none of them idle for long. */
    if (plan->threads > 1)
        plan->mc = even(p->m, gemm_smaller(plan->mc, pieces(p->m, 4 * plan->threads)), micro->mr);
}

static size_t lines(int64_t elements, size_t size)
{
    return ((size_t)elements * size + LINE - 1) / LINE * LINE;
}

enum duel_status gemm_open(struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct gemm_micro *micro = gemm_micro(p->types.in, call->why);
    if (!micro)
        return DUEL_SKIP;
    struct gemm_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return duel_fail(call->why, DUEL_ENOMEM, "nothing can be packed", "close other programs",
                         "%zu bytes are not free", sizeof *plan);
    plan->micro = micro;
    plan->threads = call->threads > 0 ? call->threads : 1;
    set_blocks(plan, p);
    plan->a_bytes = plan->a_in_place ? 0 : lines(plan->mc * plan->kc, micro->size);
    plan->b_bytes = lines(plan->kc * (plan->a_in_place ? micro->nr : plan->nc), micro->size);
    plan->c_bytes = plan->parts > 1 ? lines(p->m * p->n, micro->size) : 0;
    const size_t threads = (size_t)plan->threads, panels = plan->a_in_place ? threads : 2;
    const size_t bytes = threads * plan->a_bytes + panels * plan->b_bytes + (size_t)plan->parts * plan->c_bytes;
    const enum duel_status status = cpu_reserve(bytes > LEAST_BYTES ? bytes : LEAST_BYTES, &plan->memory, call->why);
    if (status != DUEL_OK) {
        free(plan);
        return status;
    }
    plan->A = plan->memory;
    plan->B = plan->A + threads * plan->a_bytes;
    plan->C = plan->B + panels * plan->b_bytes;
    call->state = plan;
    return DUEL_OK;
}

void gemm_close(void *state)
{
    struct gemm_plan *plan = state;
    free(plan->memory);
    free(plan);
}
