/* count-passed-as-bytes: a copy that is told the number of elements where it wants bytes. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 256;

static __global__ void twice(const float *in, float *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    float *in = room.space<float>("in", N), *out = room.space<float>("out", N);
    std::vector<float> host(N);
    for (int i = 0; i < N; i++)
        host[i] = small(i);
#ifdef BUG
    room.upload(in, host.data(), N);
#else
    room.upload(in, host.data(), N * sizeof(float));
#endif
    DUEL_LAUNCH(twice, 1, N, 0, room.queue(), in, out);
    room.expect("out", out, N, [](size_t i) { return 2 * small(i); });
}

EXHIBIT(count_passed_as_bytes) = {
    .name = "count-passed-as-bytes",
    .bug = "a copy to the device of N bytes instead of N floats",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "not initialised",
    .array = "in",
    .lesson = "Copies and allocations count in bytes. Of 256 floats the first 64 arrive; the kernel reads the others, "
              "which nobody has written.",
    .on_a_gpu = "The rest of the array holds what an earlier program left. That is often zero, and sometimes the right "
                "data of the run before: then even a comparison finds nothing.",
    .mend = "N * sizeof(float).",
    .run = run,
};
