/* cpu/conv2d/direct: the sums of cpu/conv2d/serial, a vector of pixels and several rows at a time.
 *
 * Idea     Nothing is rearranged: neighbouring pixels of a row lie side by side already, and all have the same
 *          weights. cpu/conv2d/micro/kernel.c is the inner loop, and worth reading first.
 * Mapping  One thread. One output after the other, in strips of four or eight rows.
 * Traffic  As the rung below: memory moves each pixel once each way while the rows in use stay in L2. Each output
 *          reads all channels again.
 * Limits   Memory, with one channel; the multiply-add units with many. Next rung: cpu/conv2d/openmp.
 */
#include "bench/duel.h"
#include "cpu/conv2d/micro/micro.h"

static enum duel_status run(const struct duel_call *call)
{
    const int64_t strips = conv2d_strips(call);
    for (int64_t o = 0; o < call->problem->count; o++)
        for (int64_t s = 0; s < strips; s++)
            conv2d_run_strip(call, o, s);
    return DUEL_OK;
}

DUEL_IMPL(cpu_conv2d_direct) = {
    .name = "cpu/conv2d/direct",
    .builds_on = "cpu/conv2d/serial",
    .doc =
        "The same sums, for a vector of neighbouring pixels at once and for several rows together. "
        "The pixels of a row have the same weights, so each multiply-add does eight or sixteen of them; and each row "
        "that is loaded serves as many output rows as the filter is high. "
        "Nothing is copied or rearranged, which is what im2col does.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = conv2d_supports,
    .library = conv2d_library,
    .open = conv2d_open,
    .run = run,
};
