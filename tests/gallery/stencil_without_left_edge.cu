/* stencil-without-left-edge: the first element has no neighbour on its left. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 1000, THREADS = 256;

/* out[i] = sum of in[i] and its neighbours; outside there is 0. */
static __global__ void sum_of_three(const float *in, float *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= N)
        return;
#ifdef BUG
    const float left = in[i - 1];
#else
    const float left = i > 0 ? in[i - 1] : 0.0F;
#endif
    const float right = i < N - 1 ? in[i + 1] : 0.0F;
    out[i] = left + in[i] + right;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N, small);
    float *out = room.space<float>("out", N);
    DUEL_LAUNCH(sum_of_three, (N + THREADS - 1) / THREADS, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, N,
                [](size_t i) { return (i > 0 ? small(i - 1) : 0) + small(i) + (i < N - 1 ? small(i + 1) : 0); });
}

EXHIBIT(stencil_without_left_edge) = {
    .name = "stencil-without-left-edge",
    .bug = "only the right edge is checked: element -1 is read",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "outside of an allocation",
    .array = "in",
    .lesson = "i - 1 of the first thread is -1: four bytes before the array.",
    .on_a_gpu = "They belong to the allocation before, or to nothing. One number at the edge is wrong, which looks "
                "like rounding, until that address is not mapped.",
    .mend = "Both edges are checked.",
    .run = run,
};
