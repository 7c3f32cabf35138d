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
    struct duel_place place; /* its own, because each test opens the device anew */
    const struct duel_impl *impl;
    const char *variable, *value;
    struct duel_zoo_options options;
    char name[128], reason[320]; /* why the last skipped case was skipped */
    int64_t right, skipped;
    int told; /* failures printed so far */
};

static bool count_outcome(void *context, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came)
{
    struct row *row = context;
    (void)which;
    row->right += came->status == DUEL_OK;
    row->skipped += came->status == DUEL_SKIP;
    if (came->status == DUEL_SKIP)
        snprintf(row->reason, sizeof row->reason, "%s", came->why.seen);
    if (came->status != DUEL_OK && came->status != DUEL_SKIP && row->told++ < 5)
        print_message("# %s\n", came->why.seen);
    return row->told < 20; /* the rest would say the same */
}

static void whole_zoo(void **state)
{
    struct row *row = *state;
    struct duel_why why;
    const struct duel_workload *workload = workload_of(row->impl->name);
    assert_non_null(workload);
    const int64_t cases = zoo_count(row->impl, workload, &row->options);
    const enum duel_status status = zoo_run(&row->place, row->impl, workload, &row->options, count_outcome, row, &why);
    if (status != DUEL_OK)
        fail_msg("%s: %s", row->impl->name, why.seen);
    if (row->skipped == cases) { /* a vendor's library on a device that is not the vendor's */
        print_message("# %s: %s\n", row->name, row->reason);
        skip();
    }
    /* A test that compared little would pass too. */
    assert_true(row->right > cases / 2);
    assert_int_equal(row->right + row->skipped, cases);
}

static int open_place(void **state)
{
    struct row *row = *state;
    struct duel_why why = {{0}, {0}, {0}};
    if (row->variable)
        setenv(row->variable, row->value, 1);
    row->place.backend->describe(row->place.index, &row->place.info);
    if (row->place.backend->open(row->place.index, &row->place.device, &why) == DUEL_OK)
        return 0;
    print_error("# %s\n", why.seen);
    return -1;
}

static int close_place(void **state)
{
    struct row *row = *state;
    row->place.backend->close(row->place.device);
    return 0;
}

/* Appends a test for each implementation and precision, or only counts them. */
static int add_rows(const struct duel_place *place, const struct duel_zoo_options *options, const char *variable,
                    const char *value, struct row *rows, struct CMUnitTest *tests)
{
    int count = 0;
    for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
        for (int i = 0; i < DUEL_MAX_TYPES && (*impl)->types[i].in != DUEL_NONE; i++, count++) {
            if (!rows)
                continue;
            struct row *row = &rows[count];
            *row =
                (struct row){.place = *place, .impl = *impl, .variable = variable, .value = value, .options = *options};
            row->options.precision = (*impl)->types[i].in;
            snprintf(row->name, sizeof row->name, "%s %s%s%s", (*impl)->name, dtype_name(row->options.precision),
                     variable ? ", " : "", variable ? value : "");
            tests[count] = (struct CMUnitTest){row->name, whole_zoo, open_place, close_place, row};
        }
    return count;
}

int conformance_run(const struct duel_place *place, const struct duel_zoo_options *options, const char *variable,
                    const char *const *values)
{
    static const char *const once[] = {"", NULL};
    const int each = add_rows(place, options, NULL, NULL, NULL, NULL);
    int settings = 0, failed = 1;
    if (!variable)
        values = once;
    while (values[settings])
        settings++;
    const size_t count = (size_t)each * (size_t)settings;
    struct row *rows = calloc(count + 1, sizeof *rows);
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    if (rows && tests) {
        for (int i = 0; i < settings; i++)
            add_rows(place, options, variable, values[i], rows + i * each, tests + i * each);
        failed = _cmocka_run_group_tests(place->backend->name, tests, count, NULL, NULL);
    }
    free(rows);
    free(tests);
    return failed;
}
