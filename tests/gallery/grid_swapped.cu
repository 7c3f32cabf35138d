/* grid-swapped: the extents of the grid stand in the wrong order. */
#include "tests/gallery/gallery.cuh"

constexpr int BLOCK = 16, M = 32, N = 64;

/* out = in + 1, both M x N. */
static __global__ void add_one(const float *in, float *out)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y, column = blockIdx.x * BLOCK + threadIdx.x;
    if (row < M && column < N)
        out[row * N + column] = in[row * N + column] + 1;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", M * N, small);
    float *out = room.space<float>("out", M * N);
#ifdef BUG
    const dim3 grid(M / BLOCK, N / BLOCK);
#else
    const dim3 grid(N / BLOCK, M / BLOCK);
#endif
    DUEL_LAUNCH(add_one, grid, dim3(BLOCK, BLOCK), 0, room.queue(), in, out);
    room.expect("out", out, M * N, [](size_t i) { return small(i) + 1; });
}

EXHIBIT(grid_swapped) = {
    .name = "grid-swapped",
    .bug = "rows and columns of the grid are swapped",
    .evidence = DUEL_EXHIBIT_VALUES,
    .lesson = "x is the column and comes first in dim3, but a matrix is called rows x columns. Some blocks are "
              "outside, where the check keeps them from writing, and the right half of the matrix has no blocks at "
              "all.",
    .on_a_gpu = "The right half keeps what it held before. Square matrices are right, which is why tests need others.",
    .mend = "dim3(columns, rows).",
    .run = run,
};
