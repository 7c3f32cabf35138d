/* gpu/axpy/vectorised: naive, with four elements for each thread and 16 bytes in each access.
 *
 * Idea     The bytes cannot become fewer, but the instructions that move them can: a thread moves four neighbouring
 *          floats with one. It then has 16 bytes of each vector under way instead of 4.
 * Mapping  Thread i has elements 4 i to 4 i + 3. The last ones, and vectors with increments or odd addresses, are done
 *          one by one.
 * Traffic  12 bytes per element in FP32, as below: 16 sectors for the 512 bytes of each request.
 * Limits   Memory. Next rung: grid_stride, whose threads live longer.
 *
 * Counted  global requests = 3 * m / 128, global sectors = 3 * m / 8
 * PTX      ld.global.(nc.)?v4 st.global.v4
 * SASS     LDG.E.128 STG.E.128
 */
#include "gpu/vector.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind; every GPU can hold several such blocks */
constexpr int WIDE = DUEL_WIDE;

enum { X = 0, Y = 1 };

static __global__ void __launch_bounds__(THREADS)
    axpy(int64_t m, float alpha, const float *x, int64_t incx, float *y, int64_t incy)
{
    const int64_t start = (duel_block_x() * THREADS + threadIdx.x) * WIDE;
    if (incx == 1 && incy == 1 && start + WIDE <= m && duel_aligned(x + start) && duel_aligned(y + start)) {
        float four[WIDE], sum[WIDE];
        duel_copy4(four, x + start);
        duel_copy4(sum, y + start);
        DUEL_UNROLL
        for (int i = 0; i < WIDE; i++)
            sum[i] += alpha * four[i];
        duel_put4(y + start, sum);
        return;
    }
    for (int64_t i = start; i < start + WIDE && i < m; i++)
        y[i * incy] += alpha * x[i * incx];
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(axpy, dim3(duel_blocks(p->m, THREADS * WIDE)), dim3(THREADS), 0, call->queue, p->m,
                static_cast<float>(p->alpha), static_cast<const float *>(call->operand[X]), p->ld[X],
                static_cast<float *>(call->operand[Y]), p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

DUEL_IMPL(gpu_axpy_vectorised) = {
    .name = "gpu/axpy/vectorised",
    .builds_on = "gpu/axpy/naive",
    .doc =
        "Each thread does four neighbouring elements and moves them with one instruction. "
        "The bytes are the same, but they take a quarter of the instructions, and each thread has four times as many "
        "of them under way. "
        "On most GPUs that is worth a few percent, because the naive kernel already comes close to what memory can do.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}},
    .run = run,
};
