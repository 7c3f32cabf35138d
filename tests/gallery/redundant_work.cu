/* redundant-work: every number is looked at twice, and the answer is right. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64, ROWS = 4, N = 1024;

/* out[b] = largest number of row b. */
static __global__ void largest(const float *in, float *out)
{
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    const float *row = in + blockIdx.x * N;
    float most = row[t];
#ifdef BUG
    for (int i = t; i < N; i += THREADS / 2)
#else
    for (int i = t; i < N; i += THREADS)
#endif
        most = fmaxf(most, row[i]);
    part[t] = most;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

/* Sectors of 32 bytes: a warp reads 128 bytes side by side. Each of 2 warps reads its first number, then goes along the
 * row in steps of THREADS; in steps of half of that it needs twice as many, but the upper warp begins one step later.
 * At last one number is stored. */
#ifdef BUG
constexpr int COST = ROWS * (4 * (2 + N / 32 + N / 32 - 1) + 1);
#else
constexpr int COST = ROWS * (4 * (2 + N / 32) + 1);
#endif

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", ROWS * N, [](size_t i) { return i * 37 % 1009; });
    float *out = room.space<float>("out", ROWS);
    DUEL_LAUNCH(largest, ROWS, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, ROWS, [](size_t row) {
        size_t most = 0;
        for (size_t i = row * N; i < (row + 1) * N; i++)
            most = std::max(most, i * 37 % 1009);
        return most;
    });
}

EXHIBIT(redundant_work) = {
    .name = "redundant-work",
    .bug = "a step of half the block: each number is read twice",
    .evidence = DUEL_EXHIBIT_SECTORS,
    .cost = COST,
    .lesson = "The maximum of a number with itself is that number, so reading each one twice changes nothing in the "
              "answer. No test of values, and no checker of memory, can find it. Only counting does: nearly twice the "
              "sectors for the same result.",
    .on_a_gpu = "Right, and up to twice as slow. Caches hide a part of it, so that it looks like a slow card rather "
                "than a bug.",
    .mend = "The step of a loop that a block shares is the number of its threads.",
    .run = run,
};
