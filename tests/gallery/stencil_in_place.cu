/* stencil-in-place: a smoothing that overwrites what its neighbours still need. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 512, THREADS = 128;

/* Each element but the first and the last becomes the sum of its neighbours. */
static __global__ void smooth(const float *from, float *to)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i > 0 && i < N - 1)
        to[i] = from[i - 1] + from[i + 1];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    float *data = room.input<float>("data", N, small);
#ifdef BUG
    float *result = data;
#else
    float *result = room.input<float>("result", N, small);
#endif
    DUEL_LAUNCH(smooth, N / THREADS, THREADS, 0, room.queue(), data, result);
    room.expect("result", result, N,
                [](size_t i) { return i > 0 && i < N - 1 ? small(i - 1) + small(i + 1) : small(i); });
}

EXHIBIT(stencil_in_place) = {
    .name = "stencil-in-place",
    .bug = "input and output are the same array",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race between blocks",
    .array = "data",
    .lesson = "The new value of an element is written where its neighbours read the old one. Whether they see the old "
              "or the new one depends on who comes first, and at the borders of blocks no barrier could help.",
    .on_a_gpu = "Inside of a warp all read before all write, so that most elements are right. Errors stand at the "
                "borders of warps and blocks, every 32nd element, and change from run to run.",
    .mend = "Two arrays that change roles after each step.",
    .run = run,
};
