/* micro.c: which kernel of softmax runs here. */
#include "cpu/softmax/micro/micro.h"

#include "cpu/isa.h"

#define DECLARE(isa) extern const struct softmax_micro softmax_micro_##isa##_fp32, softmax_micro_##isa##_fp64;
#define ENTRY(isa) {&softmax_micro_##isa##_fp32, &softmax_micro_##isa##_fp64},
CPU_ISA_EACH(DECLARE)
static const struct softmax_micro *const micro_table[][2] = {CPU_ISA_EACH(ENTRY)};

const struct softmax_micro *softmax_micro(enum duel_dtype in, struct duel_why *why)
{
    const int place = cpu_isa_place(why);
    return place < 0 ? NULL : micro_table[place][in == DUEL_FP64];
}

enum duel_status softmax_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                  struct duel_why *why)
{
    (void)device;
    return softmax_micro(problem->types.in, why) ? DUEL_OK : DUEL_SKIP;
}

const char *softmax_library(void)
{
    const struct softmax_micro *micro = softmax_micro(DUEL_FP32, NULL);
    return micro ? micro->text : "";
}

enum duel_status softmax_open(struct duel_call *call)
{
    call->state = (void *)softmax_micro(call->problem->types.in, call->why);
    return call->state ? DUEL_OK : DUEL_SKIP;
}
