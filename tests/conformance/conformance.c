/* conformance.c: turns the registry into cmocka tests. */
#include "tests/conformance/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"

struct row {
    const struct duel_place *place;
    const struct duel_impl *impl;
    struct duel_zoo_options options;
    char name[128];
    int64_t right, skipped;
    int told; /* failures printed so far */
};

/* "gemm" of "cpu/gemm/serial". */
static const struct duel_workload *workload_of(const struct duel_impl *impl)
{
    const char *start = strchr(impl->name, '/');
    const char *end = start ? strchr(start + 1, '/') : NULL;
    return end ? workload_find(start + 1, (size_t)(end - start - 1)) : NULL;
}

static bool count_outcome(void *context, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came)
{
    struct row *row = context;
    (void)which;
    row->right += came->status == DUEL_OK;
    row->skipped += came->status == DUEL_SKIP;
    if (came->status != DUEL_OK && came->status != DUEL_SKIP && row->told++ < 5)
        print_message("# %s\n", came->why.seen);
    return row->told < 20; /* the rest would say the same */
}

static void whole_zoo(void **state)
{
    struct row *row = *state;
    struct duel_why why;
    const struct duel_workload *workload = workload_of(row->impl);
    assert_non_null(workload);
    const int64_t cases = zoo_count(row->impl, workload, &row->options);
    const enum duel_status status = zoo_run(row->place, row->impl, workload, &row->options, count_outcome, row, &why);
    if (status != DUEL_OK)
        fail_msg("%s: %s", row->impl->name, why.seen);
    /* A test that compared nothing would pass too. */
    assert_true(row->right > cases / 2);
    assert_int_equal(row->right + row->skipped, cases);
}

static int add_rows(const struct duel_place *place, const struct duel_zoo_options *options, const char *suffix,
                    struct row *rows, struct CMUnitTest *tests)
{
    int count = 0;
    for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
        for (int i = 0; i < DUEL_MAX_TYPES && (*impl)->types[i].in != DUEL_NONE; i++, count++) {
            if (!rows)
                continue;
            struct row *row = &rows[count];
            *row = (struct row){.place = place, .impl = *impl, .options = *options};
            row->options.precision = (*impl)->types[i].in;
            snprintf(row->name, sizeof row->name, "%s %s%s", (*impl)->name, dtype_name(row->options.precision), suffix);
            tests[count] = (struct CMUnitTest){.name = row->name, .test_func = whole_zoo, .initial_state = row};
        }
    return count;
}

int conformance_run(const struct duel_place *place, const struct duel_zoo_options *options, const char *suffix)
{
    const int count = add_rows(place, options, suffix, NULL, NULL);
    struct row *rows = calloc((size_t)count + 1, sizeof *rows);
    struct CMUnitTest *tests = calloc((size_t)count + 1, sizeof *tests);
    int failed = 1;
    if (rows && tests) {
        add_rows(place, options, suffix, rows, tests);
        failed = _cmocka_run_group_tests(place->backend->name, tests, (size_t)count, NULL, NULL);
    }
    free(rows);
    free(tests);
    return failed;
}
