/* stale-tile-in-remainder: the last, incomplete tile keeps elements of the one before. */
#include "tests/gallery/gallery.cuh"

constexpr int TILE = 16, N = 32, K = 40;

/* Outside of the matrix a tile must hold 0, which adds nothing. */
static __device__ void fetch(float *element, const float *from, bool inside)
{
#ifdef BUG
    if (inside)
        *element = *from;
#else
    *element = inside ? *from : 0.0F;
#endif
}

/* C (N x N) = A (N x K) B (K x N); K is no multiple of TILE. */
static __global__ void product(const float *A, const float *B, float *C)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int i = 0; i < K; i += TILE) {
        fetch(&As[y][x], &A[row * K + i + x], i + x < K);
        fetch(&Bs[y][x], &B[(i + y) * N + column], i + y < K);
        __syncthreads();
        for (int j = 0; j < TILE; j++)
            sum += As[y][j] * Bs[j][x];
        __syncthreads();
    }
    C[row * N + column] = sum;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *A = room.input<float>("A", N * K, small), *B = room.input<float>("B", K * N, small);
    float *C = room.space<float>("C", N * N);
    DUEL_LAUNCH(product, dim3(N / TILE, N / TILE), dim3(TILE, TILE), 0, room.queue(), A, B, C);
    room.expect("C", C, N * N, [](size_t i) {
        int sum = 0;
        for (size_t j = 0; j < K; j++)
            sum += small(i / N * K + j) * small(j * N + i % N);
        return sum;
    });
}

EXHIBIT(stale_tile_in_remainder) = {
    .name = "stale-tile-in-remainder",
    .bug = "outside of the matrix a tile is left as it was, instead of 0",
    .evidence = DUEL_EXHIBIT_VALUES,
    .lesson = "In the last round 8 columns of the tile lie outside of A. They still hold the round before, and its "
              "products are added a second time. Nothing is uninitialised, nothing is out of bounds: only a size that "
              "is no multiple of the tile shows it.",
    .on_a_gpu = "The same wrong numbers in every run; right for all sizes that are multiples of 16. In the first round "
                "of a small matrix it would be whatever shared memory held.",
    .mend = "Write 0 for elements outside, in every round.",
    .run = run,
};
