/* micro.c: which micro-kernel runs here. */
#include "cpu/gemm/micro/micro.h"

#include <string.h>

#include "cpu/isa.h"

#define DECLARE(isa) extern const struct gemm_micro gemm_micro_##isa##_fp32, gemm_micro_##isa##_fp64
#define ENTRY(isa)                                         \
    {                                                      \
        &gemm_micro_##isa##_fp32, &gemm_micro_##isa##_fp64 \
    }
#if defined __x86_64__
DECLARE(avx512);
DECLARE(avx2);
DECLARE(sse2);
static const struct gemm_micro *const micro_table[][2] = {ENTRY(avx512), ENTRY(avx2), ENTRY(sse2)};
#elif defined __aarch64__
DECLARE(neon);
static const struct gemm_micro *const micro_table[][2] = {ENTRY(neon)};
#else
DECLARE(generic);
static const struct gemm_micro *const micro_table[][2] = {ENTRY(generic)};
#endif

const struct gemm_micro *gemm_micro(enum duel_dtype in, struct duel_why *why)
{
    const struct cpu_isa *isa = cpu_isa_chosen(why);
    for (size_t i = 0; isa && i < sizeof micro_table / sizeof micro_table[0]; i++)
        if (strcmp(micro_table[i][0]->isa, isa->name) == 0)
            return micro_table[i][in == DUEL_FP64];
    return NULL;
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
