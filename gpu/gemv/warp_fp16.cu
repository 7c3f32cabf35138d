/* gpu/gemv/warp_fp16: warp_per_row, with the matrix in FP16; x, the sums and y stay in FP32.
 *
 * Idea     Memory is the limit, so fewer bytes are more speed. The weights of a network need no more than 11 bits; the
 *          sums do, and they cost nothing because they never leave the registers.
 * Mapping  As in warp_per_row. A lane reads four neighbours of A with 8 bytes and of x with 16, and has two such reads
 *          of each under way. Where rows do not begin at multiples of 8 bytes, and at their ends, it reads one by one.
 * Traffic  Half of warp_per_row for A: 2 bytes per multiply-add. x is in the caches.
 * Limits   Memory still. 8 or 4 bits for each weight are the next steps, which networks take too.
 *
 * Counted  global requests = m * k / 64 + m, global sectors = m * k / 16 + m * k / 8 + m
 * PTX      ld.global.(nc.)?v[24].[bu] ld.global.(nc.)?v4.[bf]32
 * SASS     LDG.E.64 LDG.E.128
 */
#include "gpu/vector.cuh"

constexpr int WARPS = 8; /* rows of a block */
constexpr int THREADS = WARPS * 32;
constexpr int WIDE = DUEL_WIDE; /* elements in one read */
constexpr int EACH = 2;         /* reads of a lane in one round */
constexpr int STEP = WIDE * 32; /* elements that a warp reads at once */
static_assert(WIDE == 4, "four halves are 8 bytes, four floats 16");

enum { A = 0, X = 1, Y = 2 };

/* The half of 32 bits that begins at bit `from`. */
static __device__ inline float half_at(unsigned int bits, int from)
{
    return __half2float(__ushort_as_half(static_cast<unsigned short>(bits >> from)));
}

static __device__ inline void copy_halves(float (&to)[WIDE], const __half *from)
{
    const uint2 bits = *reinterpret_cast<const uint2 *>(from);
    to[0] = half_at(bits.x, 0);
    to[1] = half_at(bits.x, 16);
    to[2] = half_at(bits.y, 0);
    to[3] = half_at(bits.y, 16);
}

/* The sum over the warp, in lane 0: each step adds the upper half of what is left to the lower one. */
static __device__ inline float warp_sum(float mine)
{
    for (int half = 16; half > 0; half /= 2)
        mine += __shfl_down_sync(0xffffffffU, mine, half);
    return mine;
}

/* index * lda is computed in 64 bits: in int it overflows from 46 341 rows of as many elements. */
static __global__ void __launch_bounds__(THREADS)
    gemv_fp16(int64_t m, int64_t k, float alpha, const __half *a, int64_t lda, /* A: m x k, row-major */
              const float *x, int64_t incx, float beta,                        /* x: k elements */
              float *y, int64_t incy)                                          /* y: m elements */
{
    const int lane = threadIdx.x % 32;
    const int64_t row = duel_block_x() * WARPS + threadIdx.x / 32;
    if (row >= m) /* the last warps of the last block, as a whole: a shuffle needs every lane */
        return;
    const __half *mine = a + row * lda;
    float sum[EACH] = {};
    int64_t j = 0; /* the first element of the row that the warp has not read */
    if (incx == 1 && duel_aligned(x) && reinterpret_cast<uintptr_t>(mine) % sizeof(uint2) == 0)
        for (; j + EACH * STEP <= k; j += EACH * STEP) {
            DUEL_UNROLL
            for (int e = 0; e < EACH; e++) {
                float weights[WIDE], values[WIDE];
                copy_halves(weights, mine + j + e * STEP + lane * WIDE);
                duel_copy4(values, x + j + e * STEP + lane * WIDE);
                DUEL_UNROLL
                for (int i = 0; i < WIDE; i++)
                    sum[e] += weights[i] * values[i];
            }
        }
    for (j += lane; j < k; j += 32)
        sum[0] += __half2float(mine[j]) * x[j * incx];
    const float all = warp_sum(sum[0] + sum[1]);
    if (lane == 0) /* beta == 0 must not read y */
        duel_update(&y[row * incy], alpha, all, beta);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(gemv_fp16, dim3(duel_blocks(p->m, WARPS)), dim3(THREADS), 0, call->queue, p->m, p->k,
                static_cast<float>(p->alpha), static_cast<const __half *>(call->operand[A]), p->ld[A],
                static_cast<const float *>(call->operand[X]), p->ld[X], static_cast<float>(p->beta),
                static_cast<float *>(call->operand[Y]), p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    const duel_bytes m = static_cast<duel_bytes>(p->m), k = static_cast<duel_bytes>(p->k);
    const duel_bytes size = duel_element_bytes(p->types.out);
    return m * k * duel_element_bytes(p->types.in) + (k * size <= cache_bytes ? 1 : m) * k * size +
           (p->beta == 0 ? 1 : 2) * m * size;
}

DUEL_IMPL(gpu_gemv_warp_fp16) = {
    .name = "gpu/gemv/warp_fp16",
    .builds_on = "gpu/gemv/warp_per_row",
    .doc = "The matrix is stored in FP16 and widened to FP32 in the registers; the vector, the sums and the result are "
           "FP32. "
           "Half the bytes take half the time, because memory is all that this work waits for. "
           "The weights keep 11 significant bits, which is enough for a trained network and not for every other use. "
           "One word of a language model is about as many of these products as it has layers, so its speed is the "
           "bandwidth of the memory divided by the size of the model.",
    .types = {{DUEL_FP16, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read once with 2 bytes for each element, and x for each row unless the cache holds it.",
    .run = run,
};
