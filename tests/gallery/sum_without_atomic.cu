/* sum-without-atomic: all blocks add to one number, one after the other, they think. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64, BLOCKS = 4;

/* *out += sum of all. */
static __global__ void total(const float *in, float *out)
{
    const float value = in[blockIdx.x * THREADS + threadIdx.x];
#ifdef BUG
    *out += value;
#else
    atomicAdd(out, value);
#endif
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", BLOCKS * THREADS, [](size_t) { return 1; });
    float *out = room.zeros<float>("out", 1);
    DUEL_LAUNCH(total, BLOCKS, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, 1, [](size_t) { return BLOCKS * THREADS; });
}

EXHIBIT(sum_without_atomic) = {
    .name = "sum-without-atomic",
    .bug = "a plain += on one number in global memory",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race between blocks",
    .array = "out",
    .lesson = "+= is three steps: read, add, write. Between the read and the write of one thread others write, and "
              "their additions are lost. The emulated GPU runs one thread after the other, so the sum is right here; "
              "that no order of threads would show it is why the accesses are watched, and not only the values.",
    .on_a_gpu = "All 256 threads read 0 at about the same time, and the result is 1 or some other small number.",
    .mend = "atomicAdd() does the three steps as one. It is slow when all threads add to one place; real kernels add "
            "up in a block first.",
    .run = run,
};
