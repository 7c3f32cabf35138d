/* too-much-shared-memory: more than 48 KiB of shared memory, without asking. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 14000, THREADS = 256; /* 56 000 bytes */

/* out = in, last element first. */
static __global__ void turn_round(const float *in, float *out)
{
    DUEL_DYNAMIC_SHARED(float, tile);
    for (int i = threadIdx.x; i < N; i += THREADS)
        tile[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += THREADS)
        out[i] = tile[N - 1 - i];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const size_t bytes = N * sizeof(float);
    const float *in = room.input<float>("in", N, small);
    float *out = room.space<float>("out", N);
#ifndef BUG
    cudaFuncSetAttribute(turn_round, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
#endif
    DUEL_LAUNCH(turn_round, 1, THREADS, bytes, room.queue(), in, out);
    room.expect("out", out, N, [](size_t i) { return small(N - 1 - i); });
}

EXHIBIT(too_much_shared_memory) = {
    .name = "too-much-shared-memory",
    .bug = "the limit for dynamic shared memory is not raised",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "launch refused",
    .lesson = "Every block may have 48 KiB of shared memory. More is there on newer cards, but a kernel must ask for "
              "it by name before it is launched.",
    .on_a_gpu = "The kernel does not start, and only cudaGetLastError() tells.",
    .mend = "cudaFuncSetAttribute() with the bytes, once before the launch. On a card that has less it returns an "
            "error: look at it.",
    .run = run,
};
