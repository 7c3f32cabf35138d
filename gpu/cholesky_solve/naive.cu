/* gpu/cholesky_solve/naive: one block of threads for each right-hand side, two meetings for each unknown.
 *
 * Idea     When an unknown is known, all threads take it out of the equations that are left. Then they meet, because
 *          the next unknown needs that; and they meet once more before it is divided by its pivot in its place.
 * Mapping  Downwards thread t has the rows t, t + 1024, ... below the unknown; upwards, where L^T has columns, the
 *          columns left of it. A small system has fewer threads. One block per right-hand side: with one of those the
 *          rest of the GPU is idle.
 * Traffic  Upwards a warp reads 32 neighbours of a row of L: 4 sectors in FP32. Downwards it reads a column, whose
 *          numbers lie a row apart: 32 sectors for the same 32 numbers.
 * Limits   4 m meetings in a row, and a single multiprocessor at work for each right-hand side. Next rung: blocked.
 */
#include "gpu/kernel.cuh"

enum { L = 0, B = 1, X = 2 };

constexpr int THREADS = 1024; /* as many as a block may have: only one block works on a right-hand side */

/* Threads without a row would only wait; where there are fewer than THREADS, each has one row. */
static unsigned int threads_for(int64_t m)
{
    return m < THREADS ? 32 * duel_blocks(m, 32) : THREADS;
}

/* L is m x m and lower triangular, B and X are m x n, all row-major; index * ld is computed in 64 bits: in int it
 * overflows from m = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    solve(int64_t m, const T *l, int64_t ldl, const T *b, int64_t ldb, T *x, int64_t ldx)
{
    const int64_t j = duel_block_x(); /* the right-hand side */
    for (int64_t i = threadIdx.x; i < m; i += THREADS)
        x[i * ldx + j] = b[i * ldb + j];
    for (int64_t i = 0; i < m; i++) {
        __syncthreads(); /* x(i) is complete but for its pivot */
        const T known = x[i * ldx + j] / l[i * ldl + i];
        __syncthreads(); /* all have read it before it changes */
        if (threadIdx.x == 0)
            x[i * ldx + j] = known;
        for (int64_t k = i + 1 + threadIdx.x; k < m; k += THREADS)
            x[k * ldx + j] -= l[k * ldl + i] * known;
    }
    for (int64_t i = m - 1; i >= 0; i--) {
        __syncthreads(); /* as above, from the other end */
        const T known = x[i * ldx + j] / l[i * ldl + i];
        __syncthreads();
        if (threadIdx.x == 0)
            x[i * ldx + j] = known;
        for (int64_t k = threadIdx.x; k < i; k += THREADS)
            x[k * ldx + j] -= l[i * ldl + k] * known;
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(solve<T>, dim3(duel_blocks(p->n, 1)), dim3(threads_for(p->m)), 0, call->queue, p->m,
                static_cast<const T *>(call->operand[L]), p->ld[L], static_cast<const T *>(call->operand[B]), p->ld[B],
                static_cast<T *>(call->operand[X]), p->ld[X]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_cholesky_solve_naive) = {
    .name = "gpu/cholesky_solve/naive",
    .doc = "One block of threads solves one right-hand side: each unknown is taken out of all equations that are left, "
           "by all threads at once. "
           "Between two unknowns the threads must meet, so nearly all of the time is waiting, and all but one "
           "multiprocessor is idle. "
           "It is the work that a GPU is worst at: short steps that depend on each other.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
