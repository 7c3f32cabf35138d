/* mock_roofs.c: ceilings on a device whose probes are a script. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/roofs.h"

#define GIB ((uint64_t)1 << 30)

struct probe {
    double clock_s, try_s; /* host clock, and what each try takes */
    double share;          /* of what it reaches undisturbed */
    size_t largest;
};

static enum duel_status probe_peak(void *device, enum duel_dtype in, int threads, double *flops_per_s,
                                   struct duel_why *why)
{
    struct probe *probe = device;
    probe->clock_s += probe->try_s;
    if (in != DUEL_FP32)
        return duel_fail(why, DUEL_SKIP, "m", "n", "no units for type %d", (int)in);
    *flops_per_s = 1e11 * threads * probe->share;
    return DUEL_OK;
}

static enum duel_status probe_bandwidth(void *device, enum duel_stream kind, size_t bytes, int threads,
                                        double *bytes_per_s, struct duel_why *why)
{
    struct probe *probe = device;
    probe->clock_s += probe->try_s;
    probe->largest = bytes > probe->largest ? bytes : probe->largest;
    if (kind == DUEL_TRIAD)
        return duel_fail(why, DUEL_EDEVICE, "m", "n", "the probe failed");
    *bytes_per_s = (bytes > 1 << 20 ? 2e10 : 2e11) * threads * (kind == DUEL_READ ? 1.25 : 1);
    *bytes_per_s *= probe->share;
    return DUEL_OK;
}

static double probe_now(void *device)
{
    return ((struct probe *)device)->clock_s;
}

static const struct duel_backend both = {
    .name = "probe", .peak = probe_peak, .bandwidth = probe_bandwidth, .now = probe_now};
static const struct duel_backend neither = {.name = "none"};

static void make_place(struct duel_place *place, struct probe *probe, const struct duel_backend *backend)
{
    *place = (struct duel_place){.id = "cpu", .backend = backend, .device = probe};
    place->info = (struct duel_device_info){
        .usable = true, .processors = 2, .memory_bytes = 16 * GIB, .memory_free_bytes = 8 * GIB, .property_count = 1};
    place->info.property[0] = (struct duel_property){"l1d_kib", "", 64};
}

static bool all_steps(void *context, const char *doing)
{
    (*(int *)context)++;
    return *doing != '\0';
}

static void measure(struct duel_roofs *roofs, struct duel_place *place, int passes, int *steps)
{
    static const int threads[] = {1, 2};
    struct duel_roofs_request request = {
        .place = place, .precisions = 1u << DUEL_FP32 | 1u << DUEL_FP16, .threads = threads, .thread_counts = 2};
    request.deadline = INFINITY;
    request.step = all_steps;
    request.context = steps;
    roofs->count = 0;
    for (int i = 0; i < passes; i++) { /* other work disturbs every second pass */
        ((struct probe *)place->device)->share = i % 2 ? 1 : 0.7;
        roofs_measure(roofs, &request);
    }
}

static const struct duel_roof *find(const struct duel_roofs *roofs, const char *level, const char *loop,
                                    enum duel_dtype in, int threads)
{
    for (size_t i = 0; i < roofs->count; i++)
        if (strcmp(roofs->roof[i].level, level) == 0 && strcmp(roofs->roof[i].loop, loop) == 0 &&
            roofs->roof[i].in == in && roofs->roof[i].threads == threads)
            return &roofs->roof[i];
    return NULL;
}

static void the_highest_try_counts(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    struct probe probe = {0};
    struct duel_place place;
    int steps = 0;
    make_place(&place, &probe, &both);
    measure(&roofs, &place, 3, &steps);
    /* 2 thread counts x (2 precisions + 2 levels x 3 loops) */
    assert_int_equal(roofs.count, 16);
    assert_int_equal(steps, 3 * 16);
    for (int threads = 1; threads <= 2; threads++) {
        const struct duel_roof *peak = find(&roofs, "", "", DUEL_FP32, threads);
        assert_true(fabs(peak->gflops - 100 * threads) < 1e-9);
        assert_int_equal(peak->tries, 3);
        assert_true(fabs(find(&roofs, "L1", "copy", DUEL_NONE, threads)->gbps - 200 * threads) < 1e-9);
        assert_true(fabs(find(&roofs, "memory", "read", DUEL_NONE, threads)->gbps - 25 * threads) < 1e-9);
        assert_true(fabs(roofs_level(&roofs, "cpu", 0, threads)->gbps - 250 * threads) < 1e-9);
    }
    assert_int_equal(probe.largest, 64 << 20);
}

static void what_fails_keeps_its_reason(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    struct probe probe = {0};
    struct duel_place place;
    int steps = 0;
    make_place(&place, &probe, &both);
    measure(&roofs, &place, 1, &steps);
    const struct duel_roof *triad = find(&roofs, "L1", "triad", DUEL_NONE, 1);
    assert_true(isnan(triad->gbps) && triad->tries == 0);
    assert_string_equal(triad->why, "the probe failed");
    assert_string_equal(find(&roofs, "", "", DUEL_FP16, 2)->why, "no units for type 4");
    assert_null(roofs_peak(&roofs, "cpu", DUEL_FP16, 2));
    assert_null(roofs_peak(&roofs, "cuda:0", DUEL_FP32, 2));
}

static void a_device_without_probes_is_no_fault(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    struct probe probe = {0};
    struct duel_place place;
    int steps = 0;
    make_place(&place, &probe, &neither);
    measure(&roofs, &place, 2, &steps);
    assert_int_equal(roofs.count, 16);
    for (size_t i = 0; i < roofs.count; i++) {
        assert_int_equal(roofs.roof[i].tries, 0);
        assert_non_null(strstr(roofs.roof[i].why, "this device measures no"));
    }
    assert_null(roofs_peak(&roofs, "cpu", DUEL_FP32, 1));
    assert_null(roofs_level(&roofs, "cpu", 0, 1));
}

/* 0.2 s for each try and 1 s for all: peaks of what rows need, then of the rest, then reading; and nothing is begun
 * that would end too late. */
static void a_deadline_leaves_out_what_does_not_fit(void **state)
{
    (void)state;
    static struct duel_roofs roofs;
    static const int threads[] = {1, 2};
    struct probe probe = {.share = 1, .try_s = 0.2};
    struct duel_place place;
    int steps = 0;
    make_place(&place, &probe, &both);
    struct duel_roofs_request request = {.place = &place,
                                         .precisions = 1u << DUEL_FP32 | 1u << DUEL_FP64,
                                         .first = 1u << DUEL_FP32,
                                         .threads = threads,
                                         .thread_counts = 2,
                                         .deadline = 1.3,
                                         .step = all_steps,
                                         .context = &steps};
    roofs.count = 0;
    roofs_measure(&roofs, &request);
    assert_true(probe.clock_s <= 1.3 && probe.clock_s > 0.9);
    assert_int_equal(roofs.count, 16); /* all are there, measured or with their reason */
    assert_int_equal(find(&roofs, "", "", DUEL_FP32, 2)->tries, 1);
    assert_int_equal(find(&roofs, "L1", "read", DUEL_NONE, 1)->tries, 1);
    const struct duel_roof *late = find(&roofs, "memory", "copy", DUEL_NONE, 2);
    assert_int_equal(late->tries, 0);
    assert_string_equal(late->why, "the budget leaves no time for it (--budget)");
    roofs_measure(&roofs, &request); /* no time for anything more: what was measured stays */
    assert_true(probe.clock_s <= 1.3);
    assert_int_equal(find(&roofs, "", "", DUEL_FP32, 2)->tries, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_try_counts),
        cmocka_unit_test(what_fails_keeps_its_reason),
        cmocka_unit_test(a_device_without_probes_is_no_fault),
        cmocka_unit_test(a_deadline_leaves_out_what_does_not_fit),
    };
    return cmocka_run_group_tests_name("mock_roofs", tests, NULL, NULL);
}
