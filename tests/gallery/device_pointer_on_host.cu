/* device-pointer-on-host: the host looks into memory of the device. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 64;

/* out = in / first */
static __global__ void divide(const float *in, float first, float *out)
{
    out[threadIdx.x] = in[threadIdx.x] / first;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N, [](size_t i) { return 2 * i + 2; });
    float *out = room.space<float>("out", N);
#ifdef BUG
    const float first = *static_cast<const volatile float *>(in);
#else
    float first = 0;
    room.download(&first, in, sizeof first);
#endif
    DUEL_LAUNCH(divide, 1, N, 0, room.queue(), in, first, out);
    room.expect("out", out, N, [](size_t i) { return i + 1; });
}

EXHIBIT(device_pointer_on_host) = {
    .name = "device-pointer-on-host",
    .bug = "a pointer of the device is used on the host",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "device memory on the host",
    .array = "in",
    .lesson = "in[0] on the host reads an address of the device. The type of the pointer does not say which memory it "
              "belongs to, so the compiler cannot object.",
    .on_a_gpu = "The program ends with a segmentation fault. With managed memory it would work, at the price of moving "
                "a page for four bytes.",
    .mend = "Copy the number to the host first. Or let the kernel read it: it is there.",
    .run = run,
};
