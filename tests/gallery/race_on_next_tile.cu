/* race-on-next-tile: threads overwrite a tile in shared memory while others still read it. */
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
        __syncthreads(); /* nobody reads before everybody has written */
        for (int j = 0; j < TILE; j++)
            sum += As[y][j] * Bs[j][x];
#ifndef BUG
        __syncthreads(); /* nobody overwrites what somebody still reads */
#endif
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

EXHIBIT(race_on_next_tile) = {
    .name = "race-on-next-tile",
    .bug = "no barrier between reading a tile and overwriting it",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race in a block",
    .array = "s",
    .lesson = "The barrier behind the writes is there, so every tile is complete before it is read. But a thread that "
              "is done with it goes on to the next round of the loop and writes the next tile over elements that "
              "slower threads still have to read.",
    .on_a_gpu = "Often right: warps mostly keep close together. The fast warps spoil a few elements now and then, more "
                "often on a busy GPU; a bug that a demonstration does not show and a long run does.",
    .mend = "A second __syncthreads() at the end of the round: nobody begins the next tile before all are done with "
            "this one.",
    .run = run,
};
