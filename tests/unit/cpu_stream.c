/* cpu_stream.c: the bandwidth of the CPU back end: believable numbers, in the right order, and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/registry/registry.h"

static int open_cpu(void **state)
{
    struct duel_why why;
    return cpu_backend.open(0, state, &why) == DUEL_OK ? 0 : -1;
}

static int close_cpu(void **state)
{
    cpu_backend.close(*state);
    return 0;
}

static double bandwidth(void *device, enum duel_stream kind, size_t bytes, int threads)
{
    struct duel_why why = {{0}, {0}, {0}};
    double bytes_per_s = 0;
    const double start = cpu_backend.now(device);
    assert_int_equal(cpu_backend.bandwidth(device, kind, bytes, threads, &bytes_per_s, &why), DUEL_OK);
    print_message("# kind %d, %zu KiB, %d threads: %.1f GB/s in %.0f ms\n", (int)kind, bytes >> 10, threads,
                  1e-9 * bytes_per_s, 1e3 * (cpu_backend.now(device) - start));
    return bytes_per_s;
}

/* Nothing that runs today moves less than 100 MB or more than 10 TB a second through one core. */
static void every_loop_moves_a_believable_amount(void **state)
{
    for (int kind = DUEL_COPY; kind <= DUEL_READ; kind++) {
        const double rate = bandwidth(*state, (enum duel_stream)kind, (size_t)16 << 20, 1);
        assert_true(rate > 1e8 && rate < 1e13);
    }
}

/* A sanitizer looks at every access, which takes longer than the access, from wherever. */
#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define WATCHED 1
#else
#define WATCHED 0
#endif

/* The nearest cache against memory: a loop that the compiler had emptied would show no difference. */
static void memory_is_slower_than_the_nearest_cache(void **state)
{
    if (WATCHED)
        skip();
    const double near = bandwidth(*state, DUEL_READ, 16 << 10, 1);
    const double far = bandwidth(*state, DUEL_READ, (size_t)192 << 20, 1);
    assert_true(near > 1.5 * far);
}

/* A build without OpenMP has one thread, and must say so rather than measure that one. */
static void all_threads_take_part(void **state)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_device_info info;
    double rate = 0;
    cpu_backend.describe(0, &info);
    const int threads = info.processors;
    const enum duel_status status =
        cpu_backend.bandwidth(*state, DUEL_TRIAD, (size_t)threads * (48 << 10), threads, &rate, &why);
    if (status == DUEL_SKIP) {
        assert_true(rate == 0 && strstr(why.seen, "came"));
        skip();
    }
    assert_int_equal(status, DUEL_OK);
    assert_true(rate > 1e8);
}

static void too_little_is_refused(void **state)
{
    static const struct {
        size_t bytes;
        int threads;
    } cases[] = {{0, 1}, {511, 1}, {1023, 2}, {1 << 20, 0}, {1 << 20, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct duel_why why = {{0}, {0}, {0}};
        double rate = 1;
        assert_int_equal(cpu_backend.bandwidth(*state, DUEL_READ, cases[i].bytes, cases[i].threads, &rate, &why),
                         DUEL_EINVAL);
        assert_true(rate == 0 && why.seen[0] && why.matters[0] && why.next[0]);
    }
}

static void more_than_there_is_is_refused(void **state)
{
    struct duel_why why = {{0}, {0}, {0}};
    double rate = 1;
    assert_int_equal(cpu_backend.bandwidth(*state, DUEL_COPY, (size_t)1 << 50, 1, &rate, &why), DUEL_ENOMEM);
    assert_true(rate == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loop_moves_a_believable_amount),
        cmocka_unit_test(memory_is_slower_than_the_nearest_cache),
        cmocka_unit_test(all_threads_take_part),
        cmocka_unit_test(too_little_is_refused),
        cmocka_unit_test(more_than_there_is_is_refused),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
