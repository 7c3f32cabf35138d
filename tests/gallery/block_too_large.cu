/* block-too-large: a block of 1056 threads. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 33 * 32;

static __global__ void twice(const float *in, float *out)
{
    const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = 2 * in[i];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N, small);
    float *out = room.space<float>("out", N);
#ifdef BUG
    const dim3 block(33, 32);
#else
    const dim3 block(32, 32);
#endif
    DUEL_LAUNCH(twice, (N + block.x * block.y - 1) / (block.x * block.y), block, 0, room.queue(), in, out);
    room.expect("out", out, N, [](size_t i) { return 2 * small(i); });
}

EXHIBIT(block_too_large) = {
    .name = "block-too-large",
    .bug = "the launch asks for more than 1024 threads in a block",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "launch refused",
    .lesson = "No GPU has blocks of more than 1024 threads. A launch returns nothing, so it looks as if the kernel had "
              "run.",
    .on_a_gpu = "The kernel does not start, and the output keeps what it held before: of an earlier run, the right "
                "answer. Only cudaGetLastError() tells.",
    .mend = "At most 1024 threads, and cudaGetLastError() behind every launch.",
    .run = run,
};
