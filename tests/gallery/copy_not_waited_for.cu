/* copy-not-waited-for: data that is still on its way. */
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
#ifndef BUG
    ptx_wait<0>(); /* what this thread asked for has arrived */
#endif
    __syncthreads();
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

EXHIBIT(copy_not_waited_for) = {
    .name = "copy-not-waited-for",
    .bug = "an asynchronous copy is read without a wait",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "not waited for",
    .array = "tile",
    .lesson = "cp.async only starts a copy. The thread goes on, and a barrier does not wait for copies: it orders "
              "threads, not what they have under way.",
    .on_a_gpu = "The old content of shared memory, most of the time: global memory takes hundreds of cycles. With data "
                "that is in a cache it may arrive just in time, and the kernel seems right.",
    .mend = "Wait for the batch, then the barrier, then read.",
    .run = run,
};
