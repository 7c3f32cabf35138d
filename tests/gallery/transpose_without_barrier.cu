/* transpose-without-barrier: a transpose through shared memory, without a barrier. */
#include "tests/gallery/gallery.cuh"

constexpr int TILE = 16, N = 48;

/* out (N x N) = in transposed: read and written by rows, turned round in shared memory. */
static __global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * TILE + y) * N + blockIdx.x * TILE + x];
#ifndef BUG
    __syncthreads(); /* each thread reads what another one has written */
#endif
    out[(blockIdx.x * TILE + y) * N + blockIdx.y * TILE + x] = tile[x][y];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N * N, small);
    float *out = room.space<float>("out", N * N);
    DUEL_LAUNCH(transpose, dim3(N / TILE, N / TILE), dim3(TILE, TILE), 0, room.queue(), in, out);
    room.expect("out", out, N * N, [](size_t i) { return small(i % N * N + i / N); });
}

EXHIBIT(transpose_without_barrier) = {
    .name = "transpose-without-barrier",
    .bug = "no barrier between writing the tile by rows and reading it by columns",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race in a block",
    .array = "tile",
    .lesson = "Thread (x, y) writes element (y, x) of the tile and reads element (x, y), which thread (y, x) writes. "
              "For most threads that one is in another warp, and it may not have come so far.",
    .on_a_gpu = "The first warps find what the last block on this multiprocessor left in shared memory: a few wrong "
                "tiles, in the upper right of the matrix more than elsewhere, and in no run the same.",
    .mend = "__syncthreads() between the write and the read.",
    .run = run,
};
