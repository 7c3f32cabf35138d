/* swapped-index: neighbouring threads walk down a column. */
#include "tests/gallery/gallery.cuh"

constexpr int BLOCK = 32, N = 64;

/* out = 2 in, both N x N. */
static __global__ void twice(const float *in, float *out)
{
#ifdef BUG
    const int row = blockIdx.x * BLOCK + threadIdx.x, column = blockIdx.y * BLOCK + threadIdx.y;
#else
    const int row = blockIdx.y * BLOCK + threadIdx.y, column = blockIdx.x * BLOCK + threadIdx.x;
#endif
    out[row * N + column] = 2 * in[row * N + column];
}

/* One load and one store of each warp; 32 lanes in one row lie in 4 sectors of 32 bytes, in 32 rows in 32. */
#ifdef BUG
constexpr int COST = N * N / 32 * 2 * 32;
#else
constexpr int COST = N * N / 32 * 2 * 4;
#endif

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N * N, small);
    float *out = room.space<float>("out", N * N);
    DUEL_LAUNCH(twice, dim3(N / BLOCK, N / BLOCK), dim3(BLOCK, BLOCK), 0, room.queue(), in, out);
    room.expect("out", out, N * N, [](size_t i) { return 2 * small(i); });
}

EXHIBIT(swapped_index) = {
    .name = "swapped-index",
    .bug = "threadIdx.x selects the row, so that a warp reads 32 rows at once",
    .evidence = DUEL_EXHIBIT_SECTORS,
    .cost = COST,
    .lesson = "The 32 threads of a warp differ in threadIdx.x. If that is the column, their 32 numbers lie side by "
              "side, in 4 sectors of 32 bytes. If it is the row, each lies in a sector of its own, and 28 of every 32 "
              "bytes are fetched for nothing.",
    .on_a_gpu = "Right, and several times slower: the caches save a part of what is fetched in vain.",
    .mend = "threadIdx.x belongs to the index that goes along memory: the column of a row-major matrix.",
    .run = run,
};
