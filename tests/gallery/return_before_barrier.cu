/* return-before-barrier: threads without work leave before a barrier. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64, N = 40;

/* out = in, last element first. */
static __global__ void turn_round(const float *in, float *out)
{
    __shared__ float tile[THREADS];
    const int t = threadIdx.x;
#ifdef BUG
    if (t >= N)
        return;
    tile[t] = in[t];
#else
    if (t < N)
        tile[t] = in[t];
#endif
    __syncthreads();
    if (t < N)
        out[t] = tile[N - 1 - t];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N, small);
    float *out = room.space<float>("out", N);
    DUEL_LAUNCH(turn_round, 1, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, N, [](size_t i) { return small(N - 1 - i); });
}

EXHIBIT(return_before_barrier) = {
    .name = "return-before-barrier",
    .bug = "threads outside of the data return before __syncthreads()",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "divergence at a barrier",
    .lesson = "__syncthreads() waits for all threads of the block. Those that have left never come, and CUDA leaves "
              "open what happens then.",
    .on_a_gpu = "On most cards a thread that has ended counts as arrived, and it seems to work. Where it does not, the "
                "kernel hangs until the driver ends it. Code that depends on it may break with the next card.",
    .mend = "All threads stay until the last barrier; the checks stand around the work, not around the thread.",
    .run = run,
};
