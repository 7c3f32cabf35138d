/* gpu/cholesky/blocked: elimination 32 columns at a time, so that the rest of the matrix is touched n / 32 times.
 *
 * Idea     The 32 x 32 block on the diagonal is factored by one block of threads in shared memory; the rows below it
 *          follow from a triangular solve with that factor; and the product of this panel with itself is taken out of
 *          the rest of the matrix in tiles, like a multiplication with a sum of 32 terms.
 * Mapping  Three launches for each panel. Diagonal: one block, a thread for each element. Solve: a warp for each row
 *          below, a lane for each of its 32 elements. Product: a block of 256 threads for 64 x 64 elements, each thread
 *          4 x 4 of them; blocks above the diagonal have nothing to do and leave.
 * Traffic  A tile of 64 x 64 reads itself and two panels of 64 x 32 and writes itself for 32 multiply-adds an element:
 *          the rest moves 32 times less often than in naive, about 5 operations for each byte in FP32.
 * Limits   The serial spine is 3 n / 32 launches, and the diagonal block leaves the rest of the GPU idle. A library
 *          looks ahead: it factors the next diagonal block while the rest is still being updated. Next rung: cusolver.
 *
 * Counted  shared requests = 128 * n + 1072 * n / 32 * (n / 32 - 1) + 2176 * n / 64 * (n / 64 + 1) * (n / 32 + 1) / 6,
 *          shared rounds = 128 * n + 1072 * n / 32 * (n / 32 - 1) + 2176 * n / 64 * (n / 64 + 1) * (n / 32 + 1) / 6
 */
#include "gpu/kernel.cuh"

enum { A = 0, L = 1 };

constexpr int NB = 32;        /* columns of a panel: one warp for a row of it */
constexpr int BM = 64;        /* side of a tile of the rest */
constexpr int TM = 4;         /* elements of a thread, each way: 16 sums in registers */
constexpr int SIDE = BM / TM; /* threads along each side of a tile: a thread's elements are this far apart */
constexpr int THREADS = SIDE * SIDE;
constexpr int WARPS = THREADS / 32; /* rows that a block solves */
static_assert(NB == 32, "the lanes of a warp hold one row of a panel");
static_assert(BM * NB % THREADS == 0, "all threads fetch equally much");
static_assert(2 * BM * (NB + 1) * sizeof(double) <= 48 * 1024, "two panels must fit what every block may have");

/* The lower triangle of A into L, and zeros above. All matrices are n x n and row-major; index * ld is computed in 64
 * bits: in int it overflows from n = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(NB *NB) copy(int64_t n, const T *a, int64_t lda, T *l, int64_t ldl)
{
    const int64_t row = duel_block_y() * NB + threadIdx.y, column = duel_block_x() * NB + threadIdx.x;
    /* False for the threads that hang over the last row or column in the blocks along these edges. */
    if (row < n && column < n)
        l[row * ldl + column] = column <= row ? a[row * lda + column] : T(0);
}

/* Factors the block whose first element is (start, start): what naive does to a matrix, in shared memory. */
template <typename T>
static __global__ void __launch_bounds__(NB *NB) diagonal(int64_t n, int64_t start, T *l, int64_t ldl)
{
    __shared__ T D[NB][NB + 1]; /* one column more: a warp that walks down a column meets 32 different banks */
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t row = start + y, column = start + x;
    const bool inside = row < n && column <= row; /* false beyond the last row, and above the diagonal */
    D[y][x] = inside ? l[row * ldl + column] : T(0);
    const int size = n - start < NB ? static_cast<int>(n - start) : NB;
    for (int j = 0; j < size; j++) {
        __syncthreads(); /* everything is up to date as far as column j */
        const T pivot = D[j][j];
        /* Without a pivot above 0 there is no factor. NaN says so, and spreads to all that follows. */
        const T root = pivot > T(0) ? sqrt(pivot) : T(NAN);
        __syncthreads(); /* all have read the pivot before its root takes its place */
        if (x == j && y >= j)
            D[y][j] = y == j ? root : D[y][j] / root;
        __syncthreads(); /* column j is done */
        if (x > j && y >= x)
            D[y][x] -= D[y][j] * D[x][j];
    }
    if (inside)
        l[row * ldl + column] = D[y][x]; /* its own element: nobody else writes or reads it */
}

/* X L^T = B for the rows B below the diagonal block, whose factor is L. A lane holds one element of its warp's row;
 * column after column is finished, and taken out of the columns to its right. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) solve(int64_t n, int64_t start, T *l, int64_t ldl)
{
    __shared__ T D[NB][NB + 1]; /* the factor; one column more, as above */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = warp; i < NB; i += WARPS)
        D[i][lane] = l[(start + i) * ldl + start + lane]; /* a panel that has rows below it is a whole one */
    __syncthreads();                                      /* the factor is complete */
    const int64_t row = start + NB + duel_block_x() * WARPS + warp;
    if (row >= n)
        return; /* whole warps, behind the last barrier */
    T element = l[row * ldl + start + lane];
    for (int j = 0; j < NB; j++) {
        if (lane == j)
            element /= D[j][j];
        const T done = __shfl_sync(0xffffffff, element, j);
        if (lane > j)
            element -= done * D[lane][j];
    }
    l[row * ldl + start + lane] = element;
}

/* C -= P P^T for the rest C behind the panel P, up to the diagonal. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) subtract(int64_t n, int64_t start, T *l, int64_t ldl)
{
    __shared__ T Rows[BM][NB + 1], Columns[BM][NB + 1]; /* of P; one column more, as above */
    const int64_t first = start + NB, top = first + duel_block_y() * BM, left = first + duel_block_x() * BM;
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    if (left > top || top >= n)
        return; /* the whole block: above the diagonal, or below the last row where the grid goes on */
    for (int i = threadIdx.x; i < BM * NB; i += THREADS) {
        const int64_t row = top + i / NB, column = left + i / NB;
        /* Rows of P past the last one count as 0: what they are multiplied into is not written. */
        Rows[i / NB][i % NB] = row < n ? l[row * ldl + start + i % NB] : T(0);
        Columns[i / NB][i % NB] = column < n ? l[column * ldl + start + i % NB] : T(0);
    }
    __syncthreads(); /* both panels are complete */
    T sum[TM][TM] = {};
    for (int k = 0; k < NB; k++) {
        T a[TM], b[TM];
        DUEL_UNROLL
        for (int i = 0; i < TM; i++) {
            a[i] = Rows[y + i * SIDE][k];
            b[i] = Columns[x + i * SIDE][k];
        }
        DUEL_UNROLL
        for (int i = 0; i < TM; i++) {
            DUEL_UNROLL
            for (int j = 0; j < TM; j++)
                sum[i][j] += a[i] * b[j];
        }
    }
    DUEL_UNROLL
    for (int i = 0; i < TM; i++) {
        DUEL_UNROLL
        for (int j = 0; j < TM; j++) {
            const int64_t row = top + y + i * SIDE, column = left + x + j * SIDE;
            if (row < n && column <= row) /* false beyond the edge, and above the diagonal */
                l[row * ldl + column] -= sum[i][j];
        }
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const int64_t n = call->problem->n, lda = call->problem->ld[A], ldl = call->problem->ld[L];
    T *l = static_cast<T *>(call->operand[L]);
    DUEL_LAUNCH(copy<T>, duel_grid(n, NB, n, NB), dim3(NB, NB), 0, call->queue, n,
                static_cast<const T *>(call->operand[A]), lda, l, ldl);
    for (int64_t start = 0; start < n; start += NB) {
        const int64_t rest = n - start - NB;
        DUEL_LAUNCH(diagonal<T>, dim3(1), dim3(NB, NB), 0, call->queue, n, start, l, ldl);
        if (rest <= 0)
            break;
        DUEL_LAUNCH(solve<T>, dim3(duel_blocks(rest, WARPS)), dim3(THREADS), 0, call->queue, n, start, l, ldl);
        DUEL_LAUNCH(subtract<T>, duel_grid(rest, BM, rest, BM), dim3(THREADS), 0, call->queue, n, start, l, ldl);
    }
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_cholesky_blocked) = {
    .name = "gpu/cholesky/blocked",
    .builds_on = "gpu/cholesky/naive",
    .doc =
        "Elimination 32 columns at a time: one block of threads factors the square on the diagonal in shared "
        "memory, then all rows below are solved side by side, then the rest is updated in tiles as a matrix "
        "multiplication would. "
        "The rest of the matrix is read and written 32 times less often than in naive, in a twentieth of the launches. "
        "While the square on the diagonal is factored, nearly all of the GPU waits: that is the serial spine, and "
        "by Amdahl's law it sets the limit. "
        "The library hides it by looking ahead.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
