/* wait-behind-the-barrier: each thread waits for its own copy, and too late for the others. */
#include "gpu/ptx.cuh"
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64;

/* out = in, last element first, through an asynchronous copy to shared memory. */
static __global__ void turn_round(const float *in, float *out)
{
    __shared__ float tile[THREADS];
    const int t = threadIdx.x;
    ptx_copy4(&tile[t], &in[t], 4);
    ptx_commit();
#ifdef BUG
    __syncthreads();
    ptx_wait<0>();
#else
    ptx_wait<0>();
    __syncthreads();
#endif
    out[t] = tile[THREADS - 1 - t];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", THREADS, small);
    float *out = room.space<float>("out", THREADS);
    DUEL_LAUNCH(turn_round, 1, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, THREADS, [](size_t i) { return small(THREADS - 1 - i); });
}

EXHIBIT(wait_behind_the_barrier) = {
    .name = "wait-behind-the-barrier",
    .bug = "the wait for an asynchronous copy stands behind the barrier",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "not waited for",
    .array = "tile",
    .lesson = "A wait is about the copies of the thread that waits. Behind it this thread may read its own element, "
              "but it reads one that another thread asked for, and nothing says that this one has arrived.",
    .on_a_gpu = "Right when all copies of a block arrive together, which they mostly do. Wrong elements, rarely, and "
                "never where one looks.",
    .mend = "First each thread waits for its own, then the barrier tells all that everybody has.",
    .run = run,
};
