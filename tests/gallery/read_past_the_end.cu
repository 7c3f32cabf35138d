/* read-past-the-end: a neighbour that the last element does not have. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 1000, THREADS = 256;

/* out[i] = in[i + 1] - in[i]: N - 1 differences of N numbers. */
static __global__ void differences(const float *in, float *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
#ifdef BUG
    if (i < N)
#else
    if (i < N - 1)
#endif
        out[i] = in[i + 1] - in[i];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", N, small);
    float *out = room.zeros<float>("out", N);
    DUEL_LAUNCH(differences, (N + THREADS - 1) / THREADS, THREADS, 0, room.queue(), in, out);
    room.expect("out", out, N - 1, [](size_t i) { return small(i + 1) - small(i); });
}

EXHIBIT(read_past_the_end) = {
    .name = "read-past-the-end",
    .bug = "the check of the edge forgets that i + 1 is read, too",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "outside of an allocation",
    .array = "in",
    .lesson = "The last thread reads element N of an array of N. Its index i is inside; what it reads is not.",
    .on_a_gpu = "Nothing happens, most of the time: allocations are rounded up, and the element read belongs to "
                "something else. The error comes on the day when the array ends at a page: an illegal address, "
                "reported by whatever call happens to come next.",
    .mend = "The check is about the largest index that is used, i + 1 < N.",
    .run = run,
};
