/* gpu/softmax/registers: the row stays in registers, so that memory sees it once each way.
 *
 * Idea     All passes after the first read what the block has read already. 256 threads have room for 8192 numbers in
 *          registers, 32 each: read the row once, in fours, do everything there, and write it once.
 * Mapping  Up to 1024 numbers a row belongs to one warp, eight rows to a block; up to 8192 it belongs to the block. A
 *          thread has four neighbours of every 128 (or 1024) numbers.
 * Traffic  8 bytes per element in FP32, each moved once by accesses of 16 bytes: less is not possible. Shared memory
 *          serves only blocks that share a row.
 * Limits   Memory bandwidth. Longer rows have no room: online is their rung. FP32 only: 16 bytes are four floats.
 *
 * Counted  global sectors = m * n / 4, shared requests = 0
 * PTX      ld.global.v4 st.global.v4
 * SASS     LDG.E.128 STG.E.128
 */
#include "gpu/vector.cuh"

constexpr int THREADS = 256, WARP = 32;
constexpr int WIDE = DUEL_WIDE;       /* floats per access */
constexpr int PIECES = 8;             /* accesses per thread: 32 registers hold its numbers */
constexpr unsigned ALL = 0xffffffffu; /* all lanes take part in each shuffle */
constexpr int64_t OF_A_WARP = WARP * WIDE * PIECES, OF_A_BLOCK = THREADS * WIDE * PIECES;

enum { IN = 0, OUT = 1 };

/* The sum of what the threads of a row bring, or the largest. With WARPS > 1 all threads of the block must come, and
 * `part` has a place for each warp; no other reduction may use the same. */
template <bool SUM, int WARPS> static __device__ float combine(float *part, float mine)
{
    DUEL_UNROLL
    for (int far = WARP / 2; far > 0; far /= 2) {
        const float other = __shfl_xor_sync(ALL, mine, far);
        mine = SUM ? mine + other : other > mine ? other : mine;
    }
    if (WARPS == 1)
        return mine;
    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = mine;
    __syncthreads(); /* nobody reads the parts before each warp has left its own */
    float all = part[0];
    for (int i = 1; i < WARPS; i++)
        all = SUM ? all + part[i] : part[i] > all ? part[i] : all;
    return all;
}

/* Both matrices are m x n, row-major; row * ld is computed in 64 bits. WARPS of a block share a row. */
template <int WARPS>
static __global__ void __launch_bounds__(THREADS)
    registers(int64_t m, int64_t n, const float *X, int64_t ldx, float *Y, int64_t ldy)
{
    constexpr int OF_A_ROW = WARPS * WARP, ROWS = THREADS / OF_A_ROW;
    __shared__ float largest_of[WARPS], sum_of[WARPS]; /* of each warp; two arrays, so that one barrier each will do */
    const int t = threadIdx.x % OF_A_ROW;
    const int64_t row = duel_block_x() * ROWS + threadIdx.x / OF_A_ROW;
    if (row >= m) /* whole warps leave, and only where a row has no other: nobody waits for them */
        return;
    const float *x = X + row * ldx;
    float value[PIECES][WIDE], largest = -INFINITY, sum = 0.0f;
    DUEL_UNROLL
    for (int piece = 0; piece < PIECES; piece++) {
        const int64_t column = (static_cast<int64_t>(piece) * OF_A_ROW + t) * WIDE;
        duel_fetch4(value[piece], x + column, n - column);
        DUEL_UNROLL
        for (int i = 0; i < WIDE; i++)
            if (column + i < n && value[piece][i] > largest)
                largest = value[piece][i];
    }
    largest = combine<false, WARPS>(largest_of, largest);
    DUEL_UNROLL
    for (int piece = 0; piece < PIECES; piece++) {
        const int64_t column = (static_cast<int64_t>(piece) * OF_A_ROW + t) * WIDE;
        DUEL_UNROLL
        for (int i = 0; i < WIDE; i++) {
            value[piece][i] = expf(value[piece][i] - largest);
            sum += column + i < n ? value[piece][i] : 0.0f; /* what stands past the end is no number of the row */
        }
    }
    const float share = 1.0f / combine<true, WARPS>(sum_of, sum);
    DUEL_UNROLL
    for (int piece = 0; piece < PIECES; piece++) {
        const int64_t column = (static_cast<int64_t>(piece) * OF_A_ROW + t) * WIDE;
        duel_update4(Y + row * ldy + column, share, value[piece], 0.0f, n - column);
    }
}

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    if (p->n <= OF_A_BLOCK)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "the registers of a block hold no longer row", "use gpu/softmax/online",
                     "rows of %lld numbers, more than %lld", static_cast<long long>(p->n),
                     static_cast<long long>(OF_A_BLOCK));
}

template <int WARPS> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    constexpr int ROWS = THREADS / (WARPS * WARP);
    DUEL_LAUNCH(registers<WARPS>, dim3(duel_blocks(p->m, ROWS)), dim3(THREADS), 0, call->queue, p->m, p->n,
                static_cast<const float *>(call->operand[IN]), p->ld[IN], static_cast<float *>(call->operand[OUT]),
                p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    return p->n <= OF_A_WARP ? launch<1>(call) : launch<THREADS / WARP>(call);
}

DUEL_IMPL(gpu_softmax_registers) = {
    .name = "gpu/softmax/registers",
    .builds_on = "gpu/softmax/online",
    .doc =
        "Each thread reads its part of the row once, keeps up to 32 numbers in registers, and does all passes there. "
        "Memory sees every number once each way, in accesses of 16 bytes: that is the least there can be. "
        "Short rows get a warp, longer ones a block of 256 threads, and rows of more than 8192 numbers have no room. "
        "Whoever fuses softmax with the step before it saves even that.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}},
    .supports = supports,
    .run = run,
};
