/* write-past-the-end: more threads than elements, and no check. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 1000, THREADS = 256;

/* out[i] = i, by four blocks of 256 threads: 24 more than elements. */
static __global__ void count_up(float *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
#ifndef BUG
    if (i < N)
#endif
        out[i] = i;
}

static __global__ void twice(const float *in, float *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N)
        out[i] = 2 * in[i];
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    float *numbers = room.space<float>("numbers", N), *out = room.space<float>("out", N);
    DUEL_LAUNCH(count_up, (N + THREADS - 1) / THREADS, THREADS, 0, room.queue(), numbers);
    DUEL_LAUNCH(twice, (N + THREADS - 1) / THREADS, THREADS, 0, room.queue(), numbers, out);
    room.expect("out", out, N, [](size_t i) { return 2 * i; });
}

EXHIBIT(write_past_the_end) = {
    .name = "write-past-the-end",
    .bug = "no check whether the thread has an element at all",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "outside of an allocation",
    .array = "numbers",
    .lesson = "A grid has whole blocks: four blocks of 256 threads are 1024, and 24 of them have no element. They "
              "write behind the array.",
    .on_a_gpu = "They overwrite the next allocation, whatever it is, without a message. This kernel is right; another "
                "one gets wrong numbers.",
    .mend = "if (i < N) in every kernel whose size is no multiple of the block.",
    .run = run,
};
