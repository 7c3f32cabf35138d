/* race-in-tile: threads read a tile in shared memory before everybody has written its part. */
#include "tests/gallery/gallery.cuh"

constexpr int TILE = 16, N = 48;

/* C = A B, all N x N. */
static __global__ void product(const float *A, const float *B, float *C)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int i = 0; i < N; i += TILE) {
        As[y][x] = A[row * N + i + x];
        Bs[y][x] = B[(i + y) * N + column];
#ifndef BUG
        __syncthreads(); /* nobody reads before everybody has written */
#endif
        for (int j = 0; j < TILE; j++)
            sum += As[y][j] * Bs[j][x];
        __syncthreads(); /* nobody overwrites what somebody still reads */
    }
    C[row * N + column] = sum;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *A = room.input<float>("A", N * N, small), *B = room.input<float>("B", N * N, small);
    float *C = room.space<float>("C", N * N);
    DUEL_LAUNCH(product, dim3(N / TILE, N / TILE), dim3(TILE, TILE), 0, room.queue(), A, B, C);
    room.expect("C", C, N * N, product_of_small<N>);
}

EXHIBIT(race_in_tile) = {
    .name = "race-in-tile",
    .bug = "no barrier between writing a tile and reading it",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race in a block",
    .array = "s",
    .lesson = "Each thread writes one element of the tile and reads a whole row and a whole column of it. Those others "
              "were written by other threads, and nothing says that these threads have come so far.",
    .on_a_gpu = "The 32 threads of a warp go on together, but the 8 warps of this block do not: the first one reads "
                "what the last one has not yet written. Some tiles of the result are wrong, others in the next run; "
                "with a block of one warp the bug would hide.",
    .mend = "__syncthreads() behind the writes: no thread goes on before all have written.",
    .run = run,
};
