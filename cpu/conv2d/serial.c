/* cpu/conv2d/serial: every output is the sum it stands for, one after the other on one thread.
 *
 * Idea     For each pixel of each output: multiply the k x k pixels around it, in each channel, with the filter's
 *          weights and add up.
 * Mapping  One thread, pixel by pixel, row by row.
 * Traffic  Two loads for each multiply-add. The k rows of X that are in use stay in the caches, so memory moves each
 *          pixel once each way: 8 bytes per pixel and channel in FP32.
 * Limits   A sum of nine terms is one chain of additions that wait for each other, without vector instructions. Next
 *          rungs: cpu/conv2d/direct keeps the loops and gives a vector of pixels to each instruction;
 *          cpu/conv2d/im2col makes a matrix product of it.
 */
#include "bench/duel.h"

enum { IN = 0, WEIGHTS = 1, OUT = 2 };

#define DEFINE_CONV(name, real)                                                                                       \
    static void name(const struct duel_problem *p, const real *X, const real *W, real *Y)                             \
    {                                                                                                                 \
        const int64_t ldx = p->ld[IN], ldw = p->ld[WEIGHTS], ldy = p->ld[OUT], k = p->k;                              \
        const int64_t plane = (p->m + k - 1) * ldx; /* from one channel of X to the next */                           \
        for (int64_t o = 0; o < p->count; o++)                                                                        \
            for (int64_t i = 0; i < p->m; i++)                                                                        \
                for (int64_t j = 0; j < p->n; j++) {                                                                  \
                    real sum = 0;                                                                                     \
                    for (int64_t c = 0; c < p->count; c++)                                                            \
                        for (int64_t u = 0; u < k; u++)                                                               \
                            for (int64_t v = 0; v < k; v++)                                                           \
                                sum +=                                                                                \
                                    W[((o * p->count + c) * k + u) * ldw + v] * X[c * plane + (i + u) * ldx + j + v]; \
                    Y[(o * p->m + i) * ldy + j] = sum;                                                                \
                }                                                                                                     \
    }

DEFINE_CONV(conv_fp32, float)
DEFINE_CONV(conv_fp64, double)

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        conv_fp64(call->problem, call->operand[IN], call->operand[WEIGHTS], call->operand[OUT]);
    else
        conv_fp32(call->problem, call->operand[IN], call->operand[WEIGHTS], call->operand[OUT]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_conv2d_serial) = {
    .name = "cpu/conv2d/serial",
    .doc = "Six nested loops: for each pixel of each output, the sum over channels and filter places. "
           "The rows in use stay in the cache, so memory is not the trouble. "
           "Each sum is short and has to be added in order, so the vector units stay idle.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
