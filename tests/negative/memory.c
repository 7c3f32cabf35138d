/* memory.c: faults that write elsewhere, or not at all. The work itself is done by the right implementation. */
#include <stdlib.h>
#include <string.h>

#include "tests/negative/faults.h"

/* A loop that starts one too early. */
enum duel_status fault_writes_before_c(const struct duel_call *call)
{
    const enum duel_status status = fault_right(call);
    ((float *)call->operand[DUEL_C])[-1] = 0;
    return status;
}

/* A tile that reaches below the last row, and whose rows nobody masked. */
enum duel_status fault_writes_behind_c(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const enum duel_status status = fault_right(call);
    memset((float *)call->operand[DUEL_C] + p->m * p->ld[DUEL_C], 0, 8 * sizeof(float));
    return status;
}

/* row * ldc in an int wraps at 2^31 elements, which is 8 GiB of FP32; this one wraps at 2^12, with less memory. */
enum duel_status fault_wraps_its_index(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const size_t elements = (size_t)(p->m * p->ld[DUEL_C]);
    float *c = call->operand[DUEL_C], *right = malloc(elements * sizeof *right + 1);
    if (!right)
        return DUEL_ENOMEM;
    memcpy(right, c, elements * sizeof *right);
    struct duel_call aside = *call;
    aside.operand[DUEL_C] = right;
    const enum duel_status status = fault_right(&aside);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            c[(i * p->ld[DUEL_C] + j) % 4096] = right[i * p->ld[DUEL_C] + j];
    free(right);
    return status;
}

/* Two buffers take turns, and the result is copied from the one that was filled the time before. */
enum duel_status fault_gives_the_answer_before(const struct duel_call *call)
{
    static float last[16384];
    const struct duel_problem *p = call->problem;
    const size_t bytes = (size_t)(p->m * p->ld[DUEL_C]) * sizeof(float);
    const enum duel_status status = fault_right(call);
    float now[16384];
    if (p->types.in != DUEL_FP32 || bytes > sizeof now)
        return status;
    memcpy(now, call->operand[DUEL_C], bytes);
    if (last[0] != 0)
        memcpy(call->operand[DUEL_C], last, bytes);
    memcpy(last, now, bytes);
    return status;
}

/* A counter that overflows, a buffer that is used up, a cache that fills: the eleventh call and all later ones. */
enum duel_status fault_is_right_ten_times(const struct duel_call *call)
{
    static int calls;
    const enum duel_status status = fault_right(call);
    if (calls++ >= 10 && call->problem->m > 0 && call->problem->n > 0)
        *(float *)call->operand[DUEL_C] += 1;
    return status;
}
