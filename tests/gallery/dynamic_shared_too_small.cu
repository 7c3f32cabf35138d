/* dynamic-shared-too-small: shared memory of a launch, counted in elements. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64;

/* out = in, last element first. */
static __global__ void turn_round(const float *in, float *out)
{
    DUEL_DYNAMIC_SHARED(float, tile);
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", THREADS, small);
    float *out = room.space<float>("out", THREADS);
#ifdef BUG
    const size_t bytes = THREADS;
#else
    const size_t bytes = THREADS * sizeof(float);
#endif
    DUEL_LAUNCH(turn_round, 1, THREADS, bytes, room.queue(), in, out);
    room.expect("out", out, THREADS, [](size_t i) { return small(THREADS - 1 - i); });
}

EXHIBIT(dynamic_shared_too_small) = {
    .name = "dynamic-shared-too-small",
    .bug = "the launch asks for 64 bytes of shared memory for 64 floats",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "outside of a shared array",
    .array = "dynamic shared memory",
    .lesson = "The third number of a launch is bytes. The kernel cannot know how much it got, and no compiler can "
              "compare the two.",
    .on_a_gpu = "It often works: a multiprocessor hands out shared memory in pieces of 128 bytes or more. With a "
                "larger block, or another block beside it, they overwrite each other, or the kernel ends with an "
                "illegal address.",
    .mend = "THREADS * sizeof(float).",
    .run = run,
};
