/* micro.c: which kernel of the convolution runs here, and where its strips lie. */
#include "cpu/conv2d/micro/micro.h"

#include "cpu/isa.h"

enum { IN = 0, WEIGHTS = 1, OUT = 2 };

/* Bytes of output from which its old contents are not worth reading: more than a core's share of most caches. */
#define PAST_FROM 8e6

#define DECLARE(isa) extern const struct conv2d_micro conv2d_micro_##isa##_fp32, conv2d_micro_##isa##_fp64;
#define ENTRY(isa) {&conv2d_micro_##isa##_fp32, &conv2d_micro_##isa##_fp64},
CPU_ISA_EACH(DECLARE)
static const struct conv2d_micro *const micro_table[][2] = {CPU_ISA_EACH(ENTRY)};

const struct conv2d_micro *conv2d_micro(enum duel_dtype in, struct duel_why *why)
{
    const int place = cpu_isa_place(why);
    return place < 0 ? NULL : micro_table[place][in == DUEL_FP64];
}

int64_t conv2d_strips(const struct duel_call *call)
{
    const struct conv2d_micro *micro = call->state;
    return (call->problem->m + micro->rows - 1) / micro->rows;
}

void conv2d_run_strip(const struct duel_call *call, int64_t output, int64_t number)
{
    const struct duel_problem *p = call->problem;
    const struct conv2d_micro *micro = call->state;
    const int64_t row = number * micro->rows, left = p->m - row, ldx = p->ld[IN], ldw = p->ld[WEIGHTS];
    const struct conv2d_strip strip = {
        .rows = left < micro->rows ? left : micro->rows,
        .n = p->n,
        .k = p->k,
        .channels = p->count,
        .X = (const char *)call->operand[IN] + row * ldx * (int64_t)micro->size,
        .ldx = ldx,
        .plane = (p->m + p->k - 1) * ldx,
        .W = (const char *)call->operand[WEIGHTS] + output * p->count * p->k * ldw * (int64_t)micro->size,
        .ldw = ldw,
        .Y = (char *)call->operand[OUT] + (output * p->m + row) * p->ld[OUT] * (int64_t)micro->size,
        .ldy = p->ld[OUT],
        .past = (double)(p->count * p->m) * (double)p->ld[OUT] * (double)micro->size >= PAST_FROM,
    };
    micro->strip(&strip);
}

enum duel_status conv2d_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    return conv2d_micro(problem->types.in, why) ? DUEL_OK : DUEL_SKIP;
}

const char *conv2d_library(void)
{
    const struct conv2d_micro *micro = conv2d_micro(DUEL_FP32, NULL);
    return micro ? micro->text : "";
}

enum duel_status conv2d_open(struct duel_call *call)
{
    call->state = (void *)conv2d_micro(call->problem->types.in, call->why);
    return call->state ? DUEL_OK : DUEL_SKIP;
}
