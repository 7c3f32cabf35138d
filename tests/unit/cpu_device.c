/* cpu_device.c: the CPU back end: memory, marks, description, peak. */
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

static void there_is_one_and_it_describes_itself(void **state)
{
    (void)state;
    struct duel_why why;
    struct duel_device_info info;
    void *device = NULL;
    assert_int_equal(cpu_backend.count(&why), 1);
    cpu_backend.describe(0, &info);
    assert_true(info.usable && info.name[0] != '\0');
    assert_string_equal(info.status, "ready");
    assert_true(info.processors >= 1);
    assert_true(info.memory_bytes > 0 && info.memory_free_bytes <= info.memory_bytes);
    assert_true(info.property_count > 0);
    cpu_backend.describe(1, &info);
    assert_false(info.usable);
    assert_true(info.why.seen[0] != '\0' && info.why.next[0] != '\0');
    assert_int_equal(cpu_backend.open(1, &device, &why), DUEL_EINVAL);
    assert_null(device);
}

static void memory_is_aligned_for_vectors_and_huge_pages(void **state)
{
    static const size_t sizes[] = {0, 1, 63, 4096, 4u << 20, (8u << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct duel_why why;
        void *block = NULL;
        assert_int_equal(cpu_backend.alloc(*state, sizes[i], &block, &why), DUEL_OK);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % (sizes[i] >= 4u << 20 ? 2u << 20 : 64), 0);
        assert_int_equal(cpu_backend.fill(*state, block, 0xA5, sizes[i], &why), DUEL_OK);
        for (size_t byte = 0; byte < sizes[i]; byte += 4095)
            assert_int_equal(((unsigned char *)block)[byte], 0xA5);
        cpu_backend.release(*state, block);
    }
}

static void more_memory_than_there_is_gets_refused(void **state)
{
    static const size_t sizes[] = {(size_t)1 << 50, SIZE_MAX};
    for (int i = 0; i < 2; i++) {
        struct duel_why why = {{0}, {0}, {0}};
        void *block = &why;
        assert_int_equal(cpu_backend.alloc(*state, sizes[i], &block, &why), DUEL_ENOMEM);
        assert_null(block);
        assert_non_null(strstr(why.seen, "GiB are needed"));
    }
}

static void copies_do_not_exist(void **state)
{
    (void)state;
    assert_null(cpu_backend.upload);
    assert_null(cpu_backend.download);
    assert_false(cpu_backend.emulated);
}

static void marks_measure_the_time_between(void **state)
{
    struct duel_why why;
    double seconds = -1;
    const double before = cpu_backend.now(*state);
    assert_int_equal(cpu_backend.mark(*state, 2, &why), DUEL_OK);
    while (cpu_backend.now(*state) - before < 0.002)
        ;
    assert_int_equal(cpu_backend.mark(*state, 5, &why), DUEL_OK);
    const double after = cpu_backend.now(*state);
    assert_int_equal(cpu_backend.sync(*state, &why), DUEL_OK);
    assert_int_equal(cpu_backend.elapsed(*state, 2, 5, &seconds, &why), DUEL_OK);
    assert_true(seconds > 0.001 && seconds <= after - before);
    assert_int_equal(cpu_backend.mark(*state, DUEL_MAX_MARKS, &why), DUEL_EINVAL);
    assert_int_equal(cpu_backend.elapsed(*state, -1, 0, &seconds, &why), DUEL_EINVAL);
}

static void peak_is_measured_for_fp32_and_fp64_alone(void **state)
{
    struct duel_why why;
    double single = 0, twice = 0, none = 1;
    for (int i = 0; i < 20 && !(single > 1.2 * twice && twice > 0); i++) { /* other work can spoil a try, not all */
        assert_int_equal(cpu_backend.peak(*state, DUEL_FP64, 1, &twice, &why), DUEL_OK);
        assert_int_equal(cpu_backend.peak(*state, DUEL_FP32, 1, &single, &why), DUEL_OK);
    }
    /* No processor does less than one or more than a thousand operations in a nanosecond on one thread. A vector holds
     * twice as many floats as doubles; a busy machine may hide part of that. */
    assert_true(twice > 1e8 && single < 1e12);
    assert_true(single > 1.2 * twice);
    assert_int_equal(cpu_backend.peak(*state, DUEL_FP16, 1, &none, &why), DUEL_SKIP);
    assert_true(none == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_one_and_it_describes_itself),
        cmocka_unit_test(memory_is_aligned_for_vectors_and_huge_pages),
        cmocka_unit_test(more_memory_than_there_is_gets_refused),
        cmocka_unit_test(copies_do_not_exist),
        cmocka_unit_test(marks_measure_the_time_between),
        cmocka_unit_test(peak_is_measured_for_fp32_and_fp64_alone),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
