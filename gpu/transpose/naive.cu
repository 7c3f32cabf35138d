/* gpu/transpose/naive: B = A^T, one thread per element.
 *
 * Idea     The two loops become m x n threads: the one at (i, j) moves that element of A to (j, i) of B.
 * Mapping  A warp is 32 columns of one row of A: neighbouring threads read neighbouring elements.
 * Traffic  Reading is perfect, 4 sectors for the 128 bytes of a warp in FP32. Writing is not: the 32 elements go to 32
 *          rows of B, each into a sector of its own, of which 4 bytes of 32 are new.
 * Limits   Memory, which moves eight times as much as is written. Exchanging the roles of x and y would spoil the
 *          reading instead. Next rung: tiled does both along the rows.
 *
 * Counted  global requests = m * n / 16, global sectors = m * n / 8 + m * n
 */
#include "gpu/kernel.cuh"

constexpr int ACROSS = 32; /* threads along a row: a warp */
constexpr int DOWN = 8;
constexpr int THREADS = ACROSS * DOWN;
static_assert(THREADS <= 1024, "a block of more than 1024 threads cannot be launched");
constexpr int SECTOR = 32; /* bytes that memory moves at least */

enum { A = 0, B = 1 };

/* Both row-major. index * ld is computed in 64 bits: in int it overflows from 46 341 rows of as many elements. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    transpose(int64_t m, int64_t n, const T *a, int64_t lda, /* A: m x n */
              T *b, int64_t ldb)                             /* B: n x m */
{
    const int64_t row = duel_block_y() * DOWN + threadIdx.y, column = duel_block_x() * ACROSS + threadIdx.x;
    if (row < m && column < n) /* false for what hangs over the lower and right edges of A */
        b[column * ldb + row] = a[row * lda + column];
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(transpose<T>, duel_grid(p->n, ACROSS, p->m, DOWN), dim3(ACROSS, DOWN), 0, call->queue, p->m, p->n,
                static_cast<const T *>(call->operand[A]), p->ld[A], static_cast<T *>(call->operand[B]), p->ld[B]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

/* The sectors of a whole column of B must stay until the next column needs their neighbours. */
static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    const duel_bytes size = duel_element_bytes(p->types.in), rows = static_cast<duel_bytes>(p->n);
    const duel_bytes each = static_cast<duel_bytes>(p->m) * rows * size, inside = SECTOR / size;
    const duel_bytes times = static_cast<duel_bytes>(p->m) < inside ? static_cast<duel_bytes>(p->m) : inside;
    return each + (rows * SECTOR <= cache_bytes ? 1 : times) * each;
}

DUEL_IMPL(gpu_transpose_naive) = {
    .name = "gpu/transpose/naive",
    .doc = "Each thread moves one element to its place in the transposed matrix. "
           "The threads of a warp read neighbours, but what they write lies a whole row apart. "
           "Memory moves 32 bytes for each of the 4 that are written, so most of its work is wasted.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read once; each element of B brings a sector of 32 bytes of its own unless the cache holds "
                     "one for each row of B.",
    .run = run,
};
