/* gpu/cholesky/naive: elimination column by column, one thread for each element that a column changes.
 *
 * Idea     Column j of L is column j of what is left of A, divided by the root of its pivot. Its products with itself
 *          are then taken out of everything to the right: (n - j)^2 / 2 elements, all independent of each other.
 * Mapping  For each column two launches, because the second needs all of what the first has made: a thread for each
 *          row below the pivot, then a thread for each element of the rest. Rows go along threadIdx.y.
 * Traffic  Each column reads and writes the whole rest of the matrix once: n^3 / 3 elements for n^3 / 3 operations,
 *          one operation for each element that moves.
 * Limits   Memory, and 2 n launches one after the other: a serial spine of some microseconds each, which decides for
 *          all but large matrices. Next rung: blocked, which takes 32 columns at a time.
 */
#include "gpu/kernel.cuh"

enum { A = 0, L = 1 };

constexpr int TILE = 32;             /* threads along each side of a block: one row of threads is one warp */
constexpr int THREADS = TILE * TILE; /* 1024 is the most a block may have; 64 registers are left for each of them */
static_assert(THREADS <= 1024, "a block of more than 1024 threads cannot be launched");

/* The lower triangle of A into L, and zeros above. All matrices are n x n and row-major; index * ld is computed in 64
 * bits: in int it overflows from n = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) copy(int64_t n, const T *a, int64_t lda, T *l, int64_t ldl)
{
    const int64_t row = duel_block_y() * TILE + threadIdx.y, column = duel_block_x() * TILE + threadIdx.x;
    /* False for the threads that hang over the last row or column in the blocks along these edges. */
    if (row < n && column < n)
        l[row * ldl + column] = column <= row ? a[row * lda + column] : T(0);
}

/* Divides the rows below the pivot of column j by its root. The pivot itself must stay until all have read it. */
template <typename T> static __global__ void __launch_bounds__(THREADS) divide(int64_t n, int64_t j, T *l, int64_t ldl)
{
    const int64_t row = j + 1 + duel_block_x() * THREADS + threadIdx.x;
    const T pivot = l[j * ldl + j];
    /* Without a pivot above 0 there is no factor. NaN says so, and spreads to all that follows. */
    if (row < n)
        l[row * ldl + j] /= pivot > T(0) ? sqrt(pivot) : T(NAN);
}

/* Takes the products of column j out of the rest, up to the diagonal; and puts the root of the pivot in its place. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) subtract(int64_t n, int64_t j, T *l, int64_t ldl)
{
    const int64_t row = j + duel_block_y() * TILE + threadIdx.y, column = j + duel_block_x() * TILE + threadIdx.x;
    if (row == j && column == j)
        l[j * ldl + j] = l[j * ldl + j] > T(0) ? sqrt(l[j * ldl + j]) : T(NAN);
    else if (row < n && column > j && column <= row) /* false in column j, above the diagonal and beyond the edge */
        l[row * ldl + column] -= l[row * ldl + j] * l[column * ldl + j];
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const int64_t n = call->problem->n, lda = call->problem->ld[A], ldl = call->problem->ld[L];
    T *l = static_cast<T *>(call->operand[L]);
    DUEL_LAUNCH(copy<T>, duel_grid(n, TILE, n, TILE), dim3(TILE, TILE), 0, call->queue, n,
                static_cast<const T *>(call->operand[A]), lda, l, ldl);
    for (int64_t j = 0; j < n; j++) {
        if (j + 1 < n)
            DUEL_LAUNCH(divide<T>, dim3(duel_blocks(n - j - 1, THREADS)), dim3(THREADS), 0, call->queue, n, j, l, ldl);
        DUEL_LAUNCH(subtract<T>, duel_grid(n - j, TILE, n - j, TILE), dim3(TILE, TILE), 0, call->queue, n, j, l, ldl);
    }
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_cholesky_naive) = {
    .name = "gpu/cholesky/naive",
    .doc = "Elimination one column at a time, with a thread for every element that the column changes. "
           "Each column is two launches, and the next one must wait for both: thousands of short launches in a row, "
           "while the GPU is full only at the beginning. "
           "And every column reads and writes all that is left of the matrix for one multiplication per element. "
           "The next rung, blocked, takes 32 columns at a time.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
