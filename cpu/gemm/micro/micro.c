/* micro.c: which micro-kernel runs here. */
#include "cpu/gemm/micro/micro.h"

#include "cpu/isa.h"

#define DECLARE(isa) extern const struct gemm_micro gemm_micro_##isa##_fp32, gemm_micro_##isa##_fp64;
#define ENTRY(isa) {&gemm_micro_##isa##_fp32, &gemm_micro_##isa##_fp64},
CPU_ISA_EACH(DECLARE)
static const struct gemm_micro *const micro_table[][2] = {CPU_ISA_EACH(ENTRY)};

const struct gemm_micro *gemm_micro(enum duel_dtype in, struct duel_why *why)
{
    const int place = cpu_isa_place(why);
    return place < 0 ? NULL : micro_table[place][in == DUEL_FP64];
}

enum duel_status gemm_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                               struct duel_why *why)
{
    (void)device;
    return gemm_micro(problem->types.in, why) ? DUEL_OK : DUEL_SKIP;
}

const char *gemm_library(void)
{
    const struct gemm_micro *micro = gemm_micro(DUEL_FP32, NULL);
    return micro ? micro->text : "";
}
