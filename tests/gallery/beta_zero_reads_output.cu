/* beta-zero-reads-output: an output that is read although it does not count. */
#include "tests/gallery/gallery.cuh"

constexpr int N = 256;

/* y = alpha x + beta y. With beta = 0 the old y does not matter, and may be anything. */
static __global__ void axpby(float alpha, const float *x, float beta, float *y)
{
    const int i = threadIdx.x;
#ifdef BUG
    y[i] = alpha * x[i] + beta * y[i];
#else
    y[i] = beta == 0.0F ? alpha * x[i] : alpha * x[i] + beta * y[i];
#endif
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *x = room.input<float>("x", N, small);
    float *y = room.space<float>("y", N);
    DUEL_LAUNCH(axpby, 1, N, 0, room.queue(), 2.0F, x, 0.0F, y);
    room.expect("y", y, N, [](size_t i) { return 2 * small(i); });
}

EXHIBIT(beta_zero_reads_output) = {
    .name = "beta-zero-reads-output",
    .bug = "beta * y with beta = 0 and a y that nobody has written",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "not initialised",
    .array = "y",
    .lesson = "0 times a number is 0, but 0 times NaN is NaN, and 0 times infinity, too. BLAS says: with beta = 0 the "
              "output is not read.",
    .on_a_gpu = "Fresh memory often holds zeros, and all is well. After other work it holds anything, now and then the "
                "bits of a NaN, and single elements of the result are NaN.",
    .mend = "beta == 0 is a case of its own.",
    .run = run,
};
