/* grid-rounds-down: the last elements have no thread. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 1000, THREADS = 256;

static __global__ void twice(const float *in, float *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N)
        out[i] = 2 * in[i];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N, small);
    float *out = room.space<float>("out", N);
#ifdef BUG
    const int blocks = N / THREADS;
#else
    const int blocks = (N + THREADS - 1) / THREADS;
#endif
    DUEL_LAUNCH(twice, blocks, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, N, [](size_t i) { return 2 * small(i); });
}

EXHIBIT(grid_rounds_down) = {
    .name = "grid-rounds-down",
    .bug = "the number of blocks is rounded down",
    .evidence = DUEL_EXHIBIT_VALUES,
    .lesson = "1000 / 256 is 3 for whole numbers: 768 threads for 1000 elements. Nothing is accessed that should not "
              "be; something is not done that should be.",
    .on_a_gpu = "The last 232 elements keep what they held before: garbage, zeros, or the right answer of the run "
                "before. Fill the output with NaN before a test.",
    .mend = "Round up: (N + THREADS - 1) / THREADS.",
    .run = run,
};
