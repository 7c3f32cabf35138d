/* gpu/softmax/cudnn: NVIDIA's own library for neural networks: cudnnSoftmaxForward.
 * Needs: cudnn.h
 *
 * Idea     What the vendor's engineers reach is the mark for every rung. Here the "accurate" algorithm, which takes
 *          the largest number off first; the "fast" one does not and overflows.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  8 bytes per element in FP32 is the least; a profiler shows how near it comes.
 * Limits   Memory bandwidth. It knows tensors, not rows: a matrix goes in as m images of n channels and one pixel.
 */
#include "gpu/device/cudnn.cuh"

enum { IN = 0, OUT = 1 };

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    const double m = static_cast<double>(p->m), x = static_cast<double>(p->ld[IN]), y = static_cast<double>(p->ld[OUT]);
    return duel_cudnn_supports(p->n == 0 ? 0 : m * (x > y ? x : y), why);
}

/* Rows lie `ld` apart, the numbers of a row side by side. */
static enum duel_status describe(const struct duel_call *call, cudnnTensorDescriptor_t tensor, int64_t ld)
{
    const struct duel_cudnn *cudnn = static_cast<const struct duel_cudnn *>(call->state);
    const struct duel_problem *p = call->problem;
    CUDNN_TRY(call->why, cudnn,
              cudnn->set_tensor(tensor, duel_cudnn_type(p), static_cast<int>(p->m), static_cast<int>(p->n), 1, 1,
                                static_cast<int>(ld), 1, 1, 1));
    return DUEL_OK;
}

/* Halfway open is not open. */
static enum duel_status open(struct duel_call *call)
{
    enum duel_status status = duel_cudnn_open(call);
    struct duel_cudnn *cudnn = static_cast<struct duel_cudnn *>(call->state);
    if (status == DUEL_OK)
        status = describe(call, cudnn->x, call->problem->ld[IN]);
    if (status == DUEL_OK)
        status = describe(call, cudnn->y, call->problem->ld[OUT]);
    if (status != DUEL_OK) {
        duel_cudnn_close(cudnn);
        call->state = NULL;
    }
    return status;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cudnn *cudnn = static_cast<const struct duel_cudnn *>(call->state);
    const double one = 1, zero = 0; /* the library takes double for FP64 and float for all else */
    const float one_f = 1, zero_f = 0;
    const bool wide = call->problem->types.in == DUEL_FP64;
    CUDNN_TRY(call->why, cudnn,
              cudnn->softmax(cudnn->handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE,
                             wide ? static_cast<const void *>(&one) : &one_f, cudnn->x, call->operand[IN],
                             wide ? static_cast<const void *>(&zero) : &zero_f, cudnn->y, call->operand[OUT]));
    return DUEL_OK;
}

DUEL_IMPL(gpu_softmax_cudnn) = {
    .name = "gpu/softmax/cudnn",
    .builds_on = "gpu/softmax/registers",
    .doc = "NVIDIA's library for neural networks, and the mark for the hand-written rungs. "
           "Its accurate algorithm takes the largest number off before exp(), as they do. "
           "The library is opened when this row is first run, because it is large.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .library = duel_cudnn_library,
    .open = open,
    .run = run,
    .close = duel_cudnn_close,
};
