/* full-mask-in-half-a-warp: a shuffle waits for lanes that are not there. */
#include "tests/gallery/gallery.cuh"

/* Lanes 0 to 15 add up their 16 numbers; every lane gets the sum. */
static __global__ void half_sum(const float *in, float *out)
{
    const int t = threadIdx.x;
    float value = in[t];
    if (t < 16) {
#ifdef BUG
        const unsigned int mask = 0xffffffffU;
#else
        const unsigned int mask = 0x0000ffffU;
#endif
        for (int half = 8; half > 0; half /= 2)
            value += __shfl_down_sync(mask, value, half);
    }
    out[t] = __shfl_sync(0xffffffffU, value, 0);
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", 32, [](size_t i) { return i; });
    float *out = room.space<float>("out", 32);
    DUEL_LAUNCH(half_sum, 1, 32, 0, room.queue(), in, out);
    room.expect("out", out, 32, [](size_t) { return 15 * 16 / 2; });
}

EXHIBIT(full_mask_in_half_a_warp) = {
    .name = "full-mask-in-half-a-warp",
    .bug = "a mask of all 32 lanes where only 16 take part",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "divergence in a warp",
    .lesson = "The mask says who takes part in the shuffle, and all of those must come to it. Lanes 16 to 31 went past "
              "the if, and wait at the next one.",
    .on_a_gpu = "Undefined: before Volta the mask is ignored and it works. Since then lanes 16 to 31 may be taken to "
                "have come to the first shuffle when they are at the second, or the warp hangs.",
    .mend = "The mask names exactly the lanes that reach the call: 0x0000ffff for lanes 0 to 15.",
    .run = run,
};
