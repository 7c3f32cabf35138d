/* tile-row-never-written: a tile that is fetched in two steps, without its last row. */
#include "tests/gallery/gallery.cuh"

constexpr int TILE = 16, STEP = 8, N = 48;

/* out (N x N) = in transposed, by TILE x STEP threads: each brings two elements of the tile. */
static __global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    const int x = threadIdx.x;
#ifdef BUG
    for (int y = threadIdx.y; y < TILE - 1; y += STEP)
#else
    for (int y = threadIdx.y; y < TILE; y += STEP)
#endif
        tile[y][x] = in[(blockIdx.y * TILE + y) * N + blockIdx.x * TILE + x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += STEP)
        out[(blockIdx.x * TILE + y) * N + blockIdx.y * TILE + x] = tile[x][y];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N * N, small);
    float *out = room.space<float>("out", N * N);
    DUEL_LAUNCH(transpose, dim3(N / TILE, N / TILE), dim3(TILE, STEP), 0, room.queue(), in, out);
    room.expect("out", out, N * N, [](size_t i) { return small(i % N * N + i / N); });
}

EXHIBIT(tile_row_never_written) = {
    .name = "tile-row-never-written",
    .bug = "the loop that fills a tile ends one row too early",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "not initialised",
    .array = "tile",
    .lesson = "Row 15 of the tile is read like all others, and nobody has ever written it.",
    .on_a_gpu = "Shared memory is not cleared between blocks: the row holds what an earlier block left there, often a "
                "row of the same matrix. The result looks plausible, with every 16th column wrong.",
    .mend = "The loop goes up to TILE, like the loop that reads.",
    .run = run,
};
