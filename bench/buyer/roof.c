#include "bench/buyer/roof.h"

#include <math.h>

#include "bench/matrix/dtype.h"

double card_rate(const struct duel_card *card, enum duel_dtype in, bool tensor)
{
    const bool old = card->capability > 0 && card->capability < 80; /* no TF32, no BF16 */
    switch (in) {
    case DUEL_FP64:
        return card->fp64_tflops;
    case DUEL_TF32:
        return tensor ? card->tf32_tflops : card->fp32_tflops;
    case DUEL_FP16:
        return tensor ? card->fp16_tflops : card->fp32_tflops;
    case DUEL_BF16:
        return old ? NAN : tensor ? card->fp16_tflops : card->fp32_tflops;
    case DUEL_FP8:
        return tensor ? card->fp8_tflops : NAN;
    case DUEL_INT8: /* the table has no rate of it */
        return NAN;
    default:
        return card->fp32_tflops;
    }
}

static double operand_bytes(const struct duel_workload *workload, const struct duel_problem *problem, int operand)
{
    int64_t rows, columns;
    workload->extent(problem, operand, &rows, &columns);
    return (double)rows * (double)columns * (double)dtype_size(workload_type(workload, problem, operand));
}

/* An output that is read too (beta, axpy) must get there first. */
static void count_copies(const struct duel_workload *workload, const struct duel_problem *problem,
                         struct duel_card_roof *roof)
{
    for (int i = 0; i < workload->operands; i++) {
        const double bytes = operand_bytes(workload, problem, i);
        const bool out = workload->role[i] == DUEL_OUT;
        roof->in_bytes += out && problem->beta == 0 ? 0 : bytes;
        roof->out_bytes += out ? bytes : 0;
    }
}

void card_roof(const struct duel_card *card, const struct duel_workload *workload, struct duel_problem *problem,
               struct duel_card_roof *roof)
{
    *roof = (struct duel_card_roof){.limit = NULL};
    const enum duel_dtype in = problem->types.in;
    problem->types.acc = problem->types.out = in == DUEL_FP64 ? DUEL_FP64 : in == DUEL_INT8 ? DUEL_INT32 : DUEL_FP32;
    workload_normalise(workload, problem);
    workload_tight(workload, problem);
    roof->flops = workload->flops(problem);
    roof->bytes = workload->bytes(problem);
    count_copies(workload, problem, roof);
    roof->arithmetic_s = roof->flops / (card_rate(card, in, workload->sums && !workload->memory_bound) * 1e12);
    roof->memory_s = roof->bytes / (card->bandwidth_gb_s * 1e9);
    roof->h2d_s = roof->in_bytes / (card->host_link_gb_s * 1e9);
    roof->d2h_s = roof->out_bytes / (card->host_link_gb_s * 1e9);
    roof->kernel_s = NAN;
    if (isnan(roof->arithmetic_s) || isnan(roof->memory_s))
        return;
    roof->limit = roof->arithmetic_s > roof->memory_s ? "arithmetic" : "memory";
    roof->kernel_s = fmax(roof->arithmetic_s, roof->memory_s);
}
