/* histogram-not-cleared: counters in shared memory that begin with anything. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64, BINS = 8;

/* out[b] = how many of the numbers are b. */
static __global__ void histogram(const int *in, int *out)
{
    __shared__ int bins[BINS];
    const int t = threadIdx.x;
#ifndef BUG
    if (t < BINS)
        bins[t] = 0;
    __syncthreads();
#endif
    atomicAdd(&bins[in[t]], 1);
    __syncthreads();
    if (t < BINS)
        out[t] = bins[t];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const int *in = room.input<int>("in", THREADS, [](size_t i) { return i % BINS; });
    int *out = room.space<int>("out", BINS);
    DUEL_LAUNCH(histogram, 1, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, BINS, [](size_t) { return THREADS / BINS; });
}

EXHIBIT(histogram_not_cleared) = {
    .name = "histogram-not-cleared",
    .bug = "shared counters are not set to 0",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "not initialised",
    .array = "bins",
    .lesson = "A __shared__ array cannot have a first value: CUDA does not allow an initialiser there, and does not "
              "clear it. An atomic addition reads what it adds to.",
    .on_a_gpu = "The first block after a restart may find zeros. Later blocks find the counts of earlier ones, and the "
                "histogram grows.",
    .mend = "Set it in the kernel, then a barrier, then count.",
    .run = run,
};
