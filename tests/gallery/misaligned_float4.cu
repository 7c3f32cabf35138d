/* misaligned-float4: four floats at once, from an address that is no multiple of 16 bytes. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64, SKIP = 2;

/* out = in without its first SKIP numbers. */
static __global__ void copy_by_four(const float *in, float *out)
{
    const int t = threadIdx.x;
#ifdef BUG
    const float4 four = *reinterpret_cast<const float4 *>(in + SKIP + 4 * t);
#else
    const float *from = in + SKIP + 4 * t;
    const float4 four = make_float4(from[0], from[1], from[2], from[3]);
#endif
    *reinterpret_cast<float4 *>(out + 4 * t) = four;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", 4 * THREADS + SKIP, small);
    float *out = room.space<float>("out", 4 * THREADS);
    DUEL_LAUNCH(copy_by_four, 1, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, 4 * THREADS, [](size_t i) { return small(i + SKIP); });
}

EXHIBIT(misaligned_float4) = {
    .name = "misaligned-float4",
    .bug = "a float4 is read 8 bytes behind a multiple of 16",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "misaligned",
    .array = "in",
    .lesson = "A load of 16 bytes is one instruction only at addresses that are multiples of 16. The cast promises "
              "that, and the address does not keep it.",
    .on_a_gpu = "The kernel ends with a misaligned address. A CPU would load it all the same, a little slower.",
    .mend = "Single floats where the address is not aligned; or a layout in which it is.",
    .run = run,
};
