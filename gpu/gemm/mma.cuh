/* mma.cuh: the kernel of mma_fp16, mma_bf16 and mma_tf32; what differs between them is one small struct each. */
#ifndef DUEL_GEMM_MMA_CUH
#define DUEL_GEMM_MMA_CUH

#include "gpu/gemm/mma_tiles.cuh"

/* alpha sum + beta c for two neighbours in a row of C, of which `left` exist. */
static __device__ inline void update2(float *c, float alpha, float first, float second, float beta, int64_t left)
{
    /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
    if (left >= 2 && reinterpret_cast<uintptr_t>(c) % sizeof(float2) == 0) {
        float2 *both = reinterpret_cast<float2 *>(c);
        const float2 old = beta == 0.0f ? make_float2(0.0f, 0.0f) : *both;
        *both = make_float2(alpha * first + beta * old.x, alpha * second + beta * old.y);
        return;
    }
    if (left > 0)
        c[0] = beta == 0.0f ? alpha * first : alpha * first + beta * c[0];
    if (left > 1)
        c[1] = beta == 0.0f ? alpha * second : alpha * second + beta * c[1];
}

/* `Input` names the type T that an element is moved as, and the instruction that multiplies such elements. All matrices
 * are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename Input, typename T = typename Input::T>
static __global__ void __launch_bounds__(THREADS, 2)
    mma(int64_t m, int64_t n, int64_t k, float alpha, const T *A, int64_t lda, /* A: m x k */
        const T *B, int64_t ldb, float beta,                                   /* B: k x n */
        float *C, int64_t ldc)                                                 /* C: m x n */
{
    constexpr int BK = BK_BYTES / sizeof(T);
    alignas(128) __shared__ T As[STAGES][BM][BK]; /* rows of this block x part of k, three times */
    alignas(128) __shared__ T Bs[STAGES][BK][BN]; /* part of k x columns of this block, three times */
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN; /* inside the block's tile */
    const int64_t block_row = duel_block_y() * BM, block_column = duel_block_x() * BN;
    const bool inside = block_row + BM <= m && block_column + BN <= n &&
                        ((lda | ldb) * static_cast<int64_t>(sizeof(T)) % CHUNK == 0) &&
                        (reinterpret_cast<uintptr_t>(A) | reinterpret_cast<uintptr_t>(B)) % CHUNK == 0;
    float sum[FM][FN][4] = {};
    int fill = 0; /* the buffer that is filled in this turn; the next one, the oldest, is computed with */
    /* Every thread of the block stays in this loop: all fetch, all arrive at the barriers, and mma.sync needs whole
     * warps. Copies for a step start STAGES - 1 turns before it is computed. */
    for (int64_t next = 0; next < k + (STAGES - 1) * BK; next += BK) {
        ptx_wait<STAGES - 2>(); /* what this thread copied for the oldest buffer has arrived */
        __syncthreads();        /* so has everybody's, and nobody reads the buffer that is filled next */
        if (next < k) {
            const bool plain = inside && next + BK <= k;
            fetch(As[fill], A + block_row * lda + next, lda, m - block_row, k - next, plain);
            fetch(Bs[fill], B + next * ldb + block_column, ldb, k - next, n - block_column, plain);
        }
        ptx_commit(); /* also without copies: a turn is a group, or the wait above would count wrong */
        fill = fill + 1 == STAGES ? 0 : fill + 1;
        if (next < (STAGES - 1) * BK)
            continue; /* nothing has arrived yet */
        DUEL_UNROLL
        for (int step = 0; step < BK_BYTES / (2 * CHUNK); step++) {
            uint32_t a[FM][4], b[FN][2];
            load_a(a, As[fill], warp_row, step, lane);
            load_b(b, Bs[fill], warp_column, step, lane);
            DUEL_UNROLL
            for (int i = 0; i < FM; i++) {
                DUEL_UNROLL
                for (int j = 0; j < FN; j++)
                    Input::multiply(sum[i][j], a[i], b[j]);
            }
        }
    }
    DUEL_UNROLL
    for (int i = 0; i < 2 * FM; i++) { /* the upper and the lower half of each piece */
        const int64_t row = block_row + warp_row + i * (PM / 2) + lane / 4;
        DUEL_UNROLL
        for (int j = 0; j < FN; j++) {
            const int64_t column = block_column + warp_column + j * PN + lane % 4 * 2;
            /* Nothing is left of rows past m, and little or nothing along the last column. */
            update2(&C[row * ldc + column], alpha, sum[i / 2][j][i % 2 * 2], sum[i / 2][j][i % 2 * 2 + 1], beta,
                    row < m ? n - column : 0);
        }
    }
}

template <typename Input> static enum duel_status launch(const struct duel_call *call)
{
    typedef typename Input::T T;
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(mma<Input>, duel_grid(p->n, BN, p->m, BM), dim3(THREADS), 0, call->queue, p->m, p->n, p->k,
                static_cast<float>(p->alpha), static_cast<const T *>(call->operand[DUEL_A]), p->ld[DUEL_A],
                static_cast<const T *>(call->operand[DUEL_B]), p->ld[DUEL_B], static_cast<float>(p->beta),
                static_cast<float *>(call->operand[DUEL_C]), p->ld[DUEL_C]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    return duel_tile_traffic(p, cache_bytes, BM, BN);
}

/* Not timed: only looks whether this GPU runs code with these instructions. */
template <typename Input> static enum duel_status open(struct duel_call *call)
{
    return duel_ampere_code(mma<Input>, call->why);
}

#endif
