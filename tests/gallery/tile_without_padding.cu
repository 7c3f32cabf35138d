/* tile-without-padding: a column of a tile that lies in one bank. */
#include "tests/gallery/gallery.cuh"

constexpr int TILE = 32, N = 64;
#ifdef BUG
constexpr int PADDING = 0;
#else
constexpr int PADDING = 1;
#endif

/* out (N x N) = in transposed. */
static __global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + PADDING];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * TILE + y) * N + blockIdx.x * TILE + x];
    __syncthreads();
    out[(blockIdx.x * TILE + y) * N + blockIdx.y * TILE + x] = tile[x][y];
}

/* Each warp writes a row of the tile in one round. It reads a column: 32 rounds if all its elements share a bank. */
constexpr int COST = N * N / 32 * (1 + (PADDING ? 1 : 32));

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N * N, small);
    float *out = room.space<float>("out", N * N);
    DUEL_LAUNCH(transpose, dim3(N / TILE, N / TILE), dim3(TILE, TILE), 0, room.queue(), in, out);
    room.expect("out", out, N * N, [](size_t i) { return small(i % N * N + i / N); });
}

EXHIBIT(tile_without_padding) = {
    .name = "tile-without-padding",
    .bug = "a tile of 32 x 32 floats whose columns are read",
    .evidence = DUEL_EXHIBIT_ROUNDS,
    .cost = COST,
    .lesson = "Shared memory has 32 banks, and number i stands in bank i % 32. In a tile with rows of 32 floats a "
              "whole column stands in one bank, which serves one lane per round: 32 rounds instead of one.",
    .on_a_gpu = "Right, and this load takes 32 times as long. In a transpose that costs most of what shared memory was "
                "to gain.",
    .mend = "One unused float at the end of each row moves each row by one bank.",
    .run = run,
};
