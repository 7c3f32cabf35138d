/* gpu/conv2d/cudnn: NVIDIA's own library for neural networks: cudnnConvolutionForward.
 * Needs: cudnn.h
 *
 * Idea     The library has many algorithms: the matrix product of im2col with a matrix that is never written out,
 *          direct loops, Fourier transforms, Winograd's. It is asked for the fastest of those that add up the products
 *          as they stand; the others calculate something else, with larger rounding errors, in fewer multiplications.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  Near to each pixel once each way.
 * Limits   It is made for layers with many channels; for one channel its kernels are too large. TF32 is off. Filters
 *          must stand without gaps.
 */
#include "gpu/device/cudnn.cuh"

enum { IN = 0, WEIGHTS = 1, OUT = 2, MOST_ALGORITHMS = 8 };
constexpr size_t WORKSPACE = static_cast<size_t>(256) << 20;

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    const double rows = static_cast<double>(p->count) * static_cast<double>(p->m + p->k - 1);
    const double x = static_cast<double>(p->ld[IN]), y = static_cast<double>(p->ld[OUT]);
    if (p->ld[WEIGHTS] != p->k)
        return duel_fail(why, DUEL_SKIP, "cuDNN knows no gaps between the rows of a filter",
                         "give filters a leading dimension of k",
                         "filters of %lld columns with a leading dimension of %lld", static_cast<long long>(p->k),
                         static_cast<long long>(p->ld[WEIGHTS]));
    return duel_cudnn_supports(p->m == 0 || p->n == 0 ? 0 : rows * (x > y ? x : y), why);
}

static size_t workspace(const struct duel_problem *)
{
    return WORKSPACE;
}

/* `rows` x `columns` pixels in each channel, rows `ld` apart. */
static enum duel_status describe(const struct duel_call *call, cudnnTensorDescriptor_t tensor, int64_t rows,
                                 int64_t columns, int64_t ld)
{
    const struct duel_cudnn *cudnn = static_cast<const struct duel_cudnn *>(call->state);
    const struct duel_problem *p = call->problem;
    CUDNN_TRY(call->why, cudnn,
              cudnn->set_tensor(tensor, duel_cudnn_type(p), 1, static_cast<int>(p->count), static_cast<int>(rows),
                                static_cast<int>(columns), static_cast<int>(p->count * rows * ld),
                                static_cast<int>(rows * ld), static_cast<int>(ld), 1));
    return DUEL_OK;
}

/* Does it add up the products of the definition? */
static bool by_definition(cudnnConvolutionFwdAlgo_t algorithm)
{
    return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ||
           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
}

/* The library orders them by the time that it expects. */
static enum duel_status choose(const struct duel_call *call, struct duel_cudnn *cudnn)
{
    cudnnConvolutionFwdAlgoPerf_t found[MOST_ALGORITHMS];
    int came = 0;
    CUDNN_TRY(call->why, cudnn,
              cudnn->algorithms(cudnn->handle, cudnn->x, cudnn->filter, cudnn->convolution, cudnn->y, MOST_ALGORITHMS,
                                &came, found));
    for (int i = 0; i < came; i++)
        if (found[i].status == CUDNN_STATUS_SUCCESS && by_definition(found[i].algo) && found[i].memory <= WORKSPACE) {
            cudnn->algorithm = found[i].algo;
            return DUEL_OK;
        }
    return duel_fail(call->why, DUEL_SKIP, "it would have to calculate something else", "give other sizes",
                     "cuDNN offers %d algorithms for this size, none by the definition within 256 MiB", came);
}

static enum duel_status set_up(struct duel_call *call, struct duel_cudnn *cudnn)
{
    const struct duel_problem *p = call->problem;
    const int k = static_cast<int>(p->k), count = static_cast<int>(p->count);
    CUDNN_TRY(call->why, cudnn,
              cudnn->set_filter(cudnn->filter, duel_cudnn_type(p), CUDNN_TENSOR_NCHW, count, count, k, k));
    CUDNN_TRY(
        call->why, cudnn,
        cudnn->set_convolution(cudnn->convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, duel_cudnn_type(p)));
    CUDNN_TRY(call->why, cudnn, cudnn->set_math(cudnn->convolution, CUDNN_FMA_MATH));
    return choose(call, cudnn);
}

/* Halfway open is not open. */
static enum duel_status open(struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    enum duel_status status = duel_cudnn_open(call);
    struct duel_cudnn *cudnn = static_cast<struct duel_cudnn *>(call->state);
    if (status == DUEL_OK)
        status = describe(call, cudnn->x, p->m + p->k - 1, p->n + p->k - 1, p->ld[IN]);
    if (status == DUEL_OK)
        status = describe(call, cudnn->y, p->m, p->n, p->ld[OUT]);
    if (status == DUEL_OK)
        status = set_up(call, cudnn);
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
              cudnn->convolve(cudnn->handle, wide ? static_cast<const void *>(&one) : &one_f, cudnn->x,
                              call->operand[IN], cudnn->filter, call->operand[WEIGHTS], cudnn->convolution,
                              cudnn->algorithm, call->workspace, WORKSPACE,
                              wide ? static_cast<const void *>(&zero) : &zero_f, cudnn->y, call->operand[OUT]));
    return DUEL_OK;
}

DUEL_IMPL(gpu_conv2d_cudnn) = {
    .name = "gpu/conv2d/cudnn",
    .builds_on = "gpu/conv2d/constant",
    .doc =
        "NVIDIA's library for neural networks, and the mark for the hand-written rungs. "
        "It picks one of several algorithms by the shape; here only those that add up the products of the definition "
        "may be picked, because others round more. "
        "It shines with many channels, for which it was made.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = workspace,
    .library = duel_cudnn_library,
    .open = open,
    .run = run,
    .close = duel_cudnn_close,
};
