/* flush.c: after a flush, what was in the caches must not be there any more. */
#include <math.h>
#include <stdlib.h>

#include "bench/doctor/gpu.h"
#include "bench/selftest/tests.h"
#include "bench/stats/stats.h"
#include "bench/verify/stage.h"

enum { ROUNDS = 15 };
#define CLEARLY 1.25 /* a read from memory takes several times one from a cache: less than this is no flush */
/* One row of C: every element of B is read once. As large as a small second-level cache. */
enum { COLUMNS = 512, TERMS = 96 };

/* Seconds that one run takes, hot and after a flush. */
struct times {
    double hot[ROUNDS], flushed[ROUNDS];
};

/* A read of a buffer is a product with one row: an implementation of the device does it, between two marks. */
static enum duel_status time_run(const struct duel_place *place, const struct duel_impl *impl,
                                 const struct duel_call *call, double *seconds)
{
    const struct duel_backend *backend = place->backend;
    enum duel_status status = backend->sync(place->device, call->why);
    if (status == DUEL_OK)
        status = backend->mark(place->device, 0, call->why);
    if (status == DUEL_OK)
        status = impl->run(call);
    if (status == DUEL_OK)
        status = backend->mark(place->device, 1, call->why);
    if (status == DUEL_OK)
        status = backend->sync(place->device, call->why);
    return status == DUEL_OK ? backend->elapsed(place->device, 0, 1, seconds, call->why) : status;
}

static enum duel_status time_rounds(const struct duel_place *place, const struct duel_impl *impl,
                                    const struct duel_call *call, struct times *times)
{
    double ignored;
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < ROUNDS && status == DUEL_OK; i++) {
        for (int warm = 0; warm < 3 && status == DUEL_OK; warm++)
            status = time_run(place, impl, call, &ignored);
        if (status == DUEL_OK)
            status = time_run(place, impl, call, &times->hot[i]);
        if (status == DUEL_OK)
            status = place->backend->flush(place->device, call->why);
        if (status == DUEL_OK)
            status = time_run(place, impl, call, &times->flushed[i]);
    }
    return status;
}

static enum duel_status measure(struct selftest_scene *scene, struct times *times, struct duel_why *why)
{
    const struct duel_place *place = scene->place;
    struct duel_problem problem = selftest_problem(1, COLUMNS, TERMS);
    const struct duel_impl *impl = selftest_simple(place, &problem);
    struct duel_stage stage = {0};
    struct duel_call call = {.why = why, .threads = 1};
    if (!place->backend->flush || !impl)
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "this device cannot flush its caches");
    if (impl->threads)
        call.threads = impl->threads(1);
    enum duel_status status =
        stage_open(&stage, place->backend, place->device, DUEL_PINNED, workload_find("gemm", 4), &problem, why);
    if (status == DUEL_OK)
        status = stage_fill(&stage, DUEL_UNIFORM, scene->seed, NULL, why);
    stage_bind(&stage, &call);
    if (status == DUEL_OK)
        status = time_rounds(place, impl, &call, times);
    stage_close(&stage);
    return status;
}

void test_flush(struct selftest_scene *scene, struct selftest_finding *finding)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct times times;
    enum duel_status status = measure(scene, &times, &why);
    if (status != DUEL_OK) {
        selftest_found(finding, status == DUEL_SKIP ? SELFTEST_ABSENT : SELFTEST_FALSE, NAN, why.matters, why.next,
                       "%s", why.seen);
        return;
    }
    double hot = stats_median(times.hot, ROUNDS), flushed = stats_median(times.flushed, ROUNDS);
    selftest_found(finding, flushed > CLEARLY * hot ? SELFTEST_TRUE : SELFTEST_FALSE, flushed / hot,
                   "--cache flushed measures something between hot and cold",
                   "use --cache rotated; a virtual machine may hide the size of the last cache",
                   "reading %d KiB takes %.2f times as long after it (%.1f us, hot %.1f us); at least %.2f",
                   COLUMNS * TERMS * 4 / 1024, flushed / hot, 1e6 * flushed, 1e6 * hot, CLEARLY);
}
