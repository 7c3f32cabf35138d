/* barrier-in-branch: each half of a block has a barrier of its own. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64;

/* The first half of the threads doubles its number, the second negates it; then each takes that of its partner. */
static __global__ void two_ways(const float *in, float *out)
{
    __shared__ float tile[THREADS];
    const int t = threadIdx.x;
#ifdef BUG
    if (t % 2 == 0) {
        tile[t] = 2 * in[t];
        __syncthreads();
    } else {
        tile[t] = -in[t];
        __syncthreads();
    }
#else
    tile[t] = t % 2 == 0 ? 2 * in[t] : -in[t];
    __syncthreads();
#endif
    out[t] = tile[THREADS - 1 - t];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", THREADS, small);
    float *out = room.space<float>("out", THREADS);
    DUEL_LAUNCH(two_ways, 1, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, THREADS, [](size_t i) {
        const size_t from = THREADS - 1 - i;
        return from % 2 == 0 ? 2 * small(from) : -small(from);
    });
}

EXHIBIT(barrier_in_branch) = {
    .name = "barrier-in-branch",
    .bug = "__syncthreads() in both branches of an if",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "divergence at a barrier",
    .lesson = "The two calls are two barriers, not one. Half of the threads waits at the first, half at the second; "
              "that is allowed only where all threads of the block take the same way.",
    .on_a_gpu = "On cards since Volta each call counts arrivals of its own, and the block can hang. On older ones the "
                "two may be taken for one, and it works.",
    .mend = "One barrier behind the if, for all.",
    .run = run,
};
