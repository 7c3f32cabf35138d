/* cpu_flush.c: does flushing flush? A buffer that fits the second-level cache is read back after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/registry/registry.h"

enum { LINES = 2048, WORDS = 8, TRIALS = 7 }; /* 128 KiB in lines of 64 bytes */

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

/* One ring through all lines in random order: each says where the next one is, so that nothing can be read ahead. */
static void make_ring(uint64_t *line)
{
    uint64_t order[LINES], random = 1;
    for (uint64_t i = 0; i < LINES; i++)
        order[i] = i;
    for (uint64_t i = LINES - 1; i > 0; i--) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const uint64_t other = (random >> 33) % i, keep = order[i];
        order[i] = order[other];
        order[other] = keep;
    }
    for (uint64_t i = 0; i < LINES; i++)
        line[order[i] * WORDS] = order[(i + 1) % LINES];
}

static double walk(void *device, const uint64_t *line)
{
    uint64_t at = 0;
    const double start = cpu_backend.now(device);
    for (int i = 0; i < LINES; i++)
        at = line[at * WORDS];
    const double seconds = cpu_backend.now(device) - start;
    assert_int_equal(at, 0); /* all the way round: every line was read */
    return seconds;
}

/* The least of several trials, so that a busy machine cannot make hot look cold; a flush that does nothing leaves the
 * two alike. Memory is ten times as far as this cache. */
static void what_was_hot_is_cold_afterwards(void **state)
{
    struct duel_why why;
    void *ring = NULL;
    double hot = 1, cold = 1;
    assert_int_equal(cpu_backend.alloc(*state, (size_t)LINES * 64, &ring, &why), DUEL_OK);
    make_ring(ring);
    for (int trial = 0; trial < TRIALS; trial++) {
        walk(*state, ring);
        const double before = walk(*state, ring);
        assert_int_equal(cpu_backend.flush(*state, &why), DUEL_OK);
        const double after = walk(*state, ring);
        hot = before < hot ? before : hot;
        cold = after < cold ? after : cold;
    }
    print_message("# %d lines: %.1f us hot, %.1f us after a flush\n", LINES, 1e6 * hot, 1e6 * cold);
    assert_true(cold > 2 * hot);
    cpu_backend.release(*state, ring);
}

static void what_was_written_is_still_there(void **state)
{
    struct duel_why why;
    void *block = NULL;
    assert_int_equal(cpu_backend.alloc(*state, 1 << 20, &block, &why), DUEL_OK);
    assert_int_equal(cpu_backend.fill(*state, block, 0x5A, 1 << 20, &why), DUEL_OK);
    assert_int_equal(cpu_backend.flush(*state, &why), DUEL_OK);
    for (size_t i = 0; i < 1 << 20; i++)
        assert_int_equal(((unsigned char *)block)[i], 0x5A);
    cpu_backend.release(*state, block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_hot_is_cold_afterwards),
        cmocka_unit_test(what_was_written_is_still_there),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
