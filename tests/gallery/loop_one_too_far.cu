/* loop-one-too-far: the loop over a tile goes one element too far. */
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
#ifdef BUG
        for (int j = 0; j <= TILE; j++)
#else
        for (int j = 0; j < TILE; j++)
#endif
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

EXHIBIT(loop_one_too_far) = {
    .name = "loop-one-too-far",
    .bug = "<= instead of < in the loop over a tile",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "outside of an array",
    .lesson = "Element 16 of a row of 16 is element 0 of the next row, and row 16 of Bs is behind the array. One "
              "product too many is added in each round.",
    .on_a_gpu = "Shared memory has no guard: the read succeeds and brings the next row, or another array. All numbers "
                "are wrong, by a little.",
    .mend = "j < TILE.",
    .run = run,
};
