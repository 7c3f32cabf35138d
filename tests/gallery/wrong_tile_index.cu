/* wrong-tile-index: rows and columns of a tile are mixed up. */
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
#ifdef BUG
            sum += As[y][j] * Bs[x][j];
#else
            sum += As[y][j] * Bs[j][x];
#endif
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

EXHIBIT(wrong_tile_index) = {
    .name = "wrong-tile-index",
    .bug = "the second tile is read transposed",
    .evidence = DUEL_EXHIBIT_VALUES,
    .lesson = "Every access is allowed: inside of the array, written before, ordered by barriers. Only the numbers are "
              "wrong. No checker of memory can know what the kernel should compute; that is what comparing with a "
              "reference is for.",
    .on_a_gpu = "The same wrong numbers as here, each time. With a symmetric matrix, or one filled with a single "
                "value, they would even be right: test with numbers that differ.",
    .mend = "Bs[j][x]: row j of the tile of B, column x of this thread.",
    .run = run,
};
