/* early-return-with-and: the check that a thread is outside, with the wrong word between its halves. */
#include "tests/gallery/gallery.cuh"

constexpr int BLOCK = 16, M = 40, N = 48;

/* out = in + 1, both M x N; 48 rows of threads for 40 rows. */
static __global__ void add_one(const float *in, float *out)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y, column = blockIdx.x * BLOCK + threadIdx.x;
#ifdef BUG
    if (row >= M && column >= N)
        return;
#else
    if (row >= M || column >= N)
        return;
#endif
    out[row * N + column] = in[row * N + column] + 1;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", M * N, small);
    float *out = room.space<float>("out", M * N);
    DUEL_LAUNCH(add_one, dim3((N + BLOCK - 1) / BLOCK, (M + BLOCK - 1) / BLOCK), dim3(BLOCK, BLOCK), 0, room.queue(),
                in, out);
    room.expect("out", out, M * N, [](size_t i) { return small(i) + 1; });
}

EXHIBIT(early_return_with_and) = {
    .name = "early-return-with-and",
    .bug = "a thread outside of the matrix returns only if it is outside in both directions",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "outside of an allocation",
    .array = "in",
    .lesson = "The opposite of (row < M && column < N) is (row >= M || column >= N). With && only threads that are "
              "past the last row and past the last column leave; all others past one of them go on.",
    .on_a_gpu = "Rows 40 to 47 do not exist. Reading them is silent or an illegal address, and writing them overwrites "
                "the next allocation.",
    .mend = "||: outside in one direction is outside.",
    .run = run,
};
