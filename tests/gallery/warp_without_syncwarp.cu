/* warp-without-syncwarp: the last levels of a sum, as they were written before 2017. */
#include "tests/gallery/gallery.cuh"

/* *out = sum of 64 numbers, by one warp. */
static __global__ void warp_sum(const float *in, float *out)
{
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = in[t];
    part[t + 32] = in[t + 32];
    for (int half = 32; half > 0; half /= 2) {
#ifndef BUG
        __syncwarp(); /* the level before is written */
#endif
        const float sum = part[t] + part[t + half];
        __syncwarp(); /* everybody has read */
        part[t] = sum;
    }
    if (t == 0)
        *out = part[0];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", 64, [](size_t i) { return i; });
    float *out = room.space<float>("out", 1);
    DUEL_LAUNCH(warp_sum, 1, 32, 0, room.queue(), in, out);
    room.expect("out", out, 1, [](size_t) { return 63 * 64 / 2; });
}

EXHIBIT(warp_without_syncwarp) = {
    .name = "warp-without-syncwarp",
    .bug = "no __syncwarp: the lanes of a warp are taken to run in step",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race in a warp",
    .array = "part",
    .lesson = "Up to Pascal the 32 threads of a warp had one program counter, and much code relied on it. Since Volta "
              "each thread has its own: the compiler and the scheduler may let some lanes run ahead.",
    .on_a_gpu = "Right on cards before 2017. On newer ones right or wrong depends on the compiler: an update of CUDA "
                "can break it.",
    .mend = "__syncwarp() between the write of a lane and the read of another: it orders memory among the 32, and "
            "costs almost nothing.",
    .run = run,
};
