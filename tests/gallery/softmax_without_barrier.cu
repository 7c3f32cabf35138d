/* softmax-without-barrier: shared memory is used for a second purpose too early. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64, ROWS = 4;

/* The largest of all, or their sum, in part[0]; all threads of the block must come. */
template <bool SUM> static __device__ void gather(float *part, int t)
{
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] = SUM ? part[t] + part[t + half] : fmaxf(part[t], part[t + half]);
    }
    __syncthreads();
}

/* Softmax of each row of THREADS numbers: exp(in - largest) / sum. */
static __global__ void softmax(const float *in, float *out)
{
    __shared__ float part[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    part[t] = in[i];
    gather<false>(part, t);
    const float largest = part[0];
#ifndef BUG
    __syncthreads(); /* all have read part[0] before thread 0 writes it again */
#endif
    const float e = expf(in[i] - largest);
    part[t] = e;
    gather<true>(part, t);
    out[i] = e / part[0];
}

/* Half of each row is masked out, as attention does it: exp(0) is 1 and exp(-1000) is 0, so the results are exact. */
static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", ROWS * THREADS, [](size_t i) { return i % 2 ? -1000 : 1; });
    float *out = room.space<float>("out", ROWS * THREADS);
    DUEL_LAUNCH(softmax, ROWS, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, ROWS * THREADS, [](size_t i) { return i % 2 ? 0.0 : 2.0 / THREADS; });
}

EXHIBIT(softmax_without_barrier) = {
    .name = "softmax-without-barrier",
    .bug = "the maximum is overwritten by the sum while others still read it",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race in a block",
    .array = "part",
    .lesson = "All threads read the largest number from part[0]. Thread 0 then uses part[0] for its own exponential. A "
              "thread of another warp that reads later takes that for the largest number.",
    .on_a_gpu = "Right most of the time, since the read stands directly behind a barrier. When a warp is held up in "
                "between, a whole row is scaled by a wrong maximum: a network that is trained with this kernel goes "
                "wrong once in a thousand steps.",
    .mend = "A barrier between the last read of the old use and the first write of the new one.",
    .run = run,
};
