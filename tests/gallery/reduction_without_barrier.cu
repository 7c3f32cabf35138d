/* reduction-without-barrier: a tree of additions whose levels do not wait for each other. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 256, BLOCKS = 4;

/* out[b] = sum of the THREADS numbers of block b. */
static __global__ void reduce(const float *in, float *out)
{
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    part[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
#ifndef BUG
        __syncthreads(); /* a level is complete before the next one adds it up */
#endif
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", BLOCKS * THREADS, [](size_t i) { return i % 3; });
    float *out = room.space<float>("out", BLOCKS);
    DUEL_LAUNCH(reduce, BLOCKS, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, BLOCKS, [](size_t b) {
        int sum = 0;
        for (size_t i = b * THREADS; i < (b + 1) * THREADS; i++)
            sum += i % 3;
        return sum;
    });
}

EXHIBIT(reduction_without_barrier) = {
    .name = "reduction-without-barrier",
    .bug = "no barrier between the levels of a sum in shared memory",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race in a block",
    .array = "part",
    .lesson = "At each level the lower half of the threads adds what the upper half computed one level before. Without "
              "a barrier a thread may add a number that is not finished yet. In the reverse order of threads the "
              "values come out right: luck, not correctness.",
    .on_a_gpu = "The sum is too small by the parts of the warps that came late. With 32 or 64 threads it seems right; "
                "with 256 it differs from run to run.",
    .mend = "__syncthreads() at the end of each level, outside of the if, so that every thread reaches it.",
    .run = run,
};
