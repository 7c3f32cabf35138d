/* last-block-without-fence: the block that comes last adds up what it may not see yet. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64, BLOCKS = 8;

/* parts[b] = first number of block b; the last block to arrive adds them all up. */
static __global__ void total(const float *in, float *parts, unsigned int *arrived, float *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x * THREADS];
#ifndef BUG
        __threadfence(); /* the part is there before the arrival is */
#endif
        last = atomicAdd(arrived, 1U) == BLOCKS - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < BLOCKS; i++)
            sum += parts[i];
        *out = sum;
    }
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", BLOCKS * THREADS, [](size_t) { return 3; });
    float *parts = room.space<float>("parts", BLOCKS), *out = room.space<float>("out", 1);
    unsigned int *arrived = room.zeros<unsigned int>("arrived", 1);
    DUEL_LAUNCH(total, BLOCKS, THREADS, 0, room.queue(), in, parts, arrived, out);
    room.expect("out", out, 1, [](size_t) { return 3 * BLOCKS; });
}

EXHIBIT(last_block_without_fence) = {
    .name = "last-block-without-fence",
    .bug = "no __threadfence() between a result and the counter that announces it",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race between blocks",
    .array = "parts",
    .lesson = "Memory of a GPU is not ordered by itself: another block may see the counter before it sees the part "
              "that was written earlier. The emulated GPU keeps the order, so the values are right here; what is "
              "missing is the promise.",
    .on_a_gpu = "Right almost always. Under load a sum lacks one part, once in a million launches: the kind of bug "
                "that is never found by testing.",
    .mend = "__threadfence() between the write and the atomic: whoever sees the second sees the first.",
    .run = run,
};
