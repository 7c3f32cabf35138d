/* host-pointer-in-kernel: a kernel is given an array of the host. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 64;

static __global__ void twice(const float *in, float *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    float numbers[N]; /* on the host */
    for (int i = 0; i < N; i++)
        numbers[i] = small(i);
    float *out = room.space<float>("out", N);
#ifdef BUG
    const float *in = numbers;
#else
    float *in = room.space<float>("in", N);
    room.upload(in, numbers, sizeof numbers);
#endif
    DUEL_LAUNCH(twice, 1, N, 0, room.queue(), in, out);
    room.expect("out", out, N, [](size_t i) { return 2 * small(i); });
}

EXHIBIT(host_pointer_in_kernel) = {
    .name = "host-pointer-in-kernel",
    .bug = "the pointer of an array on the host is passed to a kernel",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "no memory of the device",
    .lesson = "Host and GPU have memories of their own. A pointer is only a number: passing it copies no data, and in "
              "the other memory that number means nothing.",
    .on_a_gpu = "An illegal address, and every later call fails with it. Only systems whose GPU shares page tables "
                "with the CPU can follow such a pointer.",
    .mend = "Allocate on the device, copy there, and pass that pointer.",
    .run = run,
};
