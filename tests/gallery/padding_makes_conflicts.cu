/* padding-makes-conflicts: two cures for bank conflicts, which undo each other. */
#include "tests/gallery/gallery.cuh"

constexpr int TILE = 32, N = 64;
#ifdef BUG
constexpr int PADDING = 1;
#else
constexpr int PADDING = 0;
#endif

/* out (N x N) = in transposed. */
static __global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + PADDING];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][(x + y) % TILE] = in[(blockIdx.y * TILE + y) * N + blockIdx.x * TILE + x];
    __syncthreads();
    out[(blockIdx.x * TILE + y) * N + blockIdx.y * TILE + x] = tile[x][(x + y) % TILE];
}

/* Element (r, c) stands at c + r in row r, so that the 32 of a column lie in 32 banks. With a padding of one it is in
 * bank (c + r) % 32 + r: rows r and r + 16 meet, two rounds. */
constexpr int COST = N * N / 32 * (1 + (PADDING ? 2 : 1));

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N * N, small);
    float *out = room.space<float>("out", N * N);
    DUEL_LAUNCH(transpose, dim3(N / TILE, N / TILE), dim3(TILE, TILE), 0, room.queue(), in, out);
    room.expect("out", out, N * N, [](size_t i) { return small(i % N * N + i / N); });
}

EXHIBIT(padding_makes_conflicts) = {
    .name = "padding-makes-conflicts",
    .bug = "padding of a tile whose columns are swizzled already",
    .evidence = DUEL_EXHIBIT_ROUNDS,
    .cost = COST,
    .lesson = "The elements of a row are rotated by the number of the row, and so a column lies in 32 banks. Padding "
              "moves each row by another bank: then every second bank is used twice, and the others never.",
    .on_a_gpu = "Right, and the load takes two rounds instead of one. It also takes more shared memory, of which there "
                "is little.",
    .mend = "One cure, not two: padding, or a swizzle. Count what it does; advice that is right for one layout is "
            "wrong for another.",
    .run = run,
};
