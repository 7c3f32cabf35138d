/* roofs_made.c: ceilings made up by hand. */
#include "tests/unit/roofs_made.h"

#include <math.h>
#include <string.h>

#include "tests/unit/rows.h"

static void add_peak(struct duel_roofs *roofs, const char *device, enum duel_dtype in, int threads, double gflops)
{
    struct duel_roof *roof = &roofs->roof[roofs->count++];
    *roof = (struct duel_roof){
        .kind = "arithmetic", .in = in, .threads = threads, .gflops = gflops, .gbps = NAN, .tries = 3};
    snprintf(roof->device, sizeof roof->device, "%s", device);
}

static void add_level(struct duel_roofs *roofs, const char *device, int rank, const char *name, int threads,
                      int64_t capacity, double gbps)
{
    static const char *const loops[] = {[DUEL_COPY] = "copy", [DUEL_TRIAD] = "triad", [DUEL_READ] = "read"};
    for (int loop = DUEL_COPY; loop <= DUEL_READ; loop++) {
        struct duel_roof *roof = &roofs->roof[roofs->count++];
        *roof = (struct duel_roof){.kind = "memory",
                                   .stream = (enum duel_stream)loop,
                                   .rank = rank,
                                   .threads = threads,
                                   .capacity_bytes = capacity,
                                   .working_set_bytes = capacity / 2,
                                   .gflops = NAN,
                                   .gbps = loop == DUEL_READ ? gbps : 0.8 * gbps,
                                   .tries = 3};
        snprintf(roof->device, sizeof roof->device, "%s", device);
        snprintf(roof->level, sizeof roof->level, "%s", name);
        snprintf(roof->loop, sizeof roof->loop, "%s", loops[loop]);
    }
}

void roofs_made(struct duel_roofs *roofs)
{
    roofs->count = 0;
    for (int threads = 1; threads <= 2; threads++) {
        add_peak(roofs, "cpu", DUEL_FP32, threads, 100 * threads);
        add_level(roofs, "cpu", 0, "L1", threads, 32768 * threads, 200 * threads);
        add_level(roofs, "cpu", 1, "L2", threads, 524288 * threads, 100 * threads);
        add_level(roofs, "cpu", 2, "L3", threads, (int64_t)32 << 20, 60 * threads);
        add_level(roofs, "cpu", 3, "memory", threads, (int64_t)24 << 30, 20);
    }
}

struct duel_placement placement_made(const struct duel_roofs *roofs, struct duel_result row)
{
    return placement_of(roofs, row, NULL);
}

struct duel_placement placement_of(const struct duel_roofs *roofs, struct duel_result row, const struct duel_impl *impl)
{
    struct duel_placement placement;
    roofs_place(roofs, &row, impl, &placement);
    result_free(&row);
    return placement;
}

struct duel_result row_reaching(const char *name, int64_t n, int threads, double gflops)
{
    double work = 2.0 * (double)n * (double)n * (double)n;
    struct duel_result row = row_cpu(name, n, DUEL_FP32, threads, work / gflops / 1e9, 0.01);
    row.flops = work;
    row.bytes = 12.0 * (double)n * (double)n;
    return row;
}
