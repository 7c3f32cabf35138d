/* gpu/cholesky_solve/blocked: 32 unknowns by one warp, and what they do to all others by the whole GPU.
 *
 * Idea     A triangle of 32 x 32 on the diagonal is solved by a warp in registers, without any barrier. Then its 32
 *          unknowns are taken out of all equations that are left, which is a product of a matrix and a vector.
 * Mapping  Two launches for each 32 unknowns each way. Diagonal: a warp for each right-hand side, a lane for each
 *          unknown. Rest: downwards a warp for each row, whose lanes multiply 32 neighbours and add up by shuffles;
 *          upwards a thread for each column, so a warp has 32 neighbours of each of 32 rows.
 * Traffic  Both ways a warp reads 32 neighbours of a row of L: 4 sectors in FP32, each number once for each right-hand
 *          side.
 * Limits   4 m / 32 launches in a row, each with little to do: the serial spine. Next rung: cublas, which takes larger
 *          blocks by inverting them.
 */
#include "gpu/kernel.cuh"

enum { L = 0, B = 1, X = 2 };

constexpr int NB = 32;       /* unknowns of a block: the lanes of a warp */
constexpr int THREADS = 256; /* 8 warps hide each other's latency */
constexpr int WARPS = THREADS / NB;
static_assert(NB == 32, "the unknowns of a block are exchanged by shuffles");

constexpr unsigned ALL = 0xffffffff;

/* L is m x m and lower triangular, B and X are m x n, all row-major; index * ld is computed in 64 bits: in int it
 * overflows from m = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) copy(int64_t m, int64_t n, const T *b, int64_t ldb, T *x, int64_t ldx)
{
    const int64_t i = duel_block_y(), j = duel_block_x() * THREADS + threadIdx.x;
    if (i < m && j < n) /* false beyond the last row and column */
        x[i * ldx + j] = b[i * ldb + j];
}

/* The triangle whose first element is (start, start), downwards, or upwards as L^T. */
template <typename T, bool UP>
static __global__ void __launch_bounds__(NB)
    diagonal(int64_t m, int64_t start, const T *l, int64_t ldl, T *x, int64_t ldx)
{
    const int lane = threadIdx.x;
    const int64_t i = start + lane;
    const int size = m - start < NB ? static_cast<int>(m - start) : NB;
    T *own = &x[i * ldx + duel_block_x()];
    T value = lane < size ? *own : T(0); /* lanes past the last row hold 0 and change nobody */
    for (int step = 0; step < size; step++) {
        const int k = UP ? size - 1 - step : step; /* the unknown whose turn it is */
        if (lane == k)
            value /= l[i * ldl + i];
        const T known = __shfl_sync(ALL, value, k);
        if (UP ? lane < k : lane > k && lane < size) /* those that still wait */
            value -= (UP ? l[(start + k) * ldl + i] : l[i * ldl + start + k]) * known;
    }
    if (lane < size)
        *own = value;
}

/* Takes the unknowns start .. start + 31 out of the rows below: a warp for each row. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    down(int64_t m, int64_t start, const T *l, int64_t ldl, T *x, int64_t ldx)
{
    const int lane = threadIdx.x % NB;
    const int64_t i = start + NB + duel_block_x() * WARPS + threadIdx.x / NB, j = duel_block_y();
    if (i >= m)
        return; /* whole warps */
    T sum = l[i * ldl + start + lane] * x[(start + lane) * ldx + j];
    for (int other = NB / 2; other > 0; other /= 2)
        sum += __shfl_down_sync(ALL, sum, other);
    if (lane == 0)
        x[i * ldx + j] -= sum;
}

/* Takes them out of the unknowns above, as L^T asks: a thread for each. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    up(int64_t m, int64_t start, const T *l, int64_t ldl, T *x, int64_t ldx)
{
    const int64_t k = duel_block_x() * THREADS + threadIdx.x, j = duel_block_y();
    const int64_t end = start + NB < m ? start + NB : m;
    if (k >= start)
        return; /* threads beyond the part that is left */
    T sum = 0;
    for (int64_t i = start; i < end; i++)
        sum += l[i * ldl + k] * x[i * ldx + j];
    x[k * ldx + j] -= sum;
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t m = p->m, ldl = p->ld[L], ldx = p->ld[X], last = (m - 1) / NB * NB;
    const T *l = static_cast<const T *>(call->operand[L]), *b = static_cast<const T *>(call->operand[B]);
    T *x = static_cast<T *>(call->operand[X]);
    const dim3 columns(static_cast<unsigned>(p->n));
    DUEL_LAUNCH(copy<T>, duel_grid(p->n, THREADS, m, 1), dim3(THREADS), 0, call->queue, m, p->n, b, p->ld[B], x, ldx);
    for (int64_t start = 0; start <= last; start += NB) {
        DUEL_LAUNCH((diagonal<T, false>), columns, dim3(NB), 0, call->queue, m, start, l, ldl, x, ldx);
        if (start < last)
            DUEL_LAUNCH(down<T>, dim3(duel_blocks(m - start - NB, WARPS), columns.x), dim3(THREADS), 0, call->queue, m,
                        start, l, ldl, x, ldx);
    }
    for (int64_t start = last; start >= 0; start -= NB) {
        DUEL_LAUNCH((diagonal<T, true>), columns, dim3(NB), 0, call->queue, m, start, l, ldl, x, ldx);
        if (start > 0)
            DUEL_LAUNCH(up<T>, dim3(duel_blocks(start, THREADS), columns.x), dim3(THREADS), 0, call->queue, m, start, l,
                        ldl, x, ldx);
    }
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

/* A right-hand side is a row of the grid, and CUDA stops those at 65 535. */
static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    if (p->n <= 65535)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "this kernel has one row of blocks for each right-hand side, 65 535 at most",
                     "solve for fewer at a time", "%lld right-hand sides", static_cast<long long>(p->n));
}

DUEL_IMPL(gpu_cholesky_solve_blocked) = {
    .name = "gpu/cholesky_solve/blocked",
    .builds_on = "gpu/cholesky_solve/naive",
    .doc = "A warp solves for 32 unknowns in its registers, then the whole GPU takes them out of all equations that "
           "are left. "
           "So the threads meet 32 times less often, and every read of L is coalesced, downwards and upwards. "
           "What remains is a chain of launches with a few microseconds each: the serial spine of this work. "
           "With many right-hand sides each launch has more to do, and the chain weighs less.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .run = run,
};
