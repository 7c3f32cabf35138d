/* mock_copies.c: copies over a link whose fixed cost and rate are written down: every expected number is exact. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/copies.h"
#include "tests/mock/link.h"

#define LO 4096
#define SIZES 7 /* 4 KiB .. 16 MiB, by 4 */
#define TOP 16777216.0

#define assert_near(value, expected) assert_true(fabs((value) - (expected)) <= 1e-9 * fabs(expected))

static void measure(struct link *link, const struct duel_backend *backend, double link_gbps, int64_t bytes,
                    struct duel_transfer *rows)
{
    struct duel_place place = {.id = "link:0", .backend = backend, .device = link, .info = {.usable = true}};
    struct duel_copies copies = {.place = &place, .seed = 7, .deadline = INFINITY, .link_gbps = link_gbps};
    copies.rules = (struct duel_sampler_rules){.target_ci = 0.01,
                                               .min_samples = 6,
                                               .max_samples = 20,
                                               .timeout_s = 100,
                                               .warmup_s = 1e-3,
                                               .warmup_max_s = 1e-2};
    copies_measure(&copies, bytes, rows);
    assert_int_equal(link->allocations, 0);
    assert_int_equal(link->selected, 0);
}

/* SIZES rows of each kind. */
struct sweep {
    struct duel_transfer row[SIZES * COPIES_MOST];
};

static void sweep(struct sweep *sweep, struct link *link)
{
    for (int i = 0; i < SIZES; i++)
        measure(link, &full_link, NAN, (int64_t)LO << (2 * i), &sweep->row[i * COPIES_MOST]);
}

static void drop(struct duel_transfer *rows, int count)
{
    for (int i = 0; i < count; i++)
        transfer_free(&rows[i]);
}

static double alone(double bytes)
{
    return LINK_FIXED_S + bytes / LINK_RATE;
}

static const struct duel_transfer *row_of(const struct sweep *sweep, int size, enum duel_way way)
{
    for (int i = 0; i < COPIES_MOST; i++) {
        const struct duel_transfer *row = &sweep->row[size * COPIES_MOST + i];
        if (row->way == way && strcmp(row->memory, "pinned") == 0)
            return row;
    }
    return NULL;
}

static void times_and_batches_are_exact(void **state)
{
    (void)state;
    struct link link = {0};
    struct sweep all;
    sweep(&all, &link);
    for (int i = 0; i < SIZES; i++) {
        const struct duel_transfer *row = row_of(&all, i, WAY_H2D);
        double bytes = (double)row->bytes, s = alone(bytes);
        assert_int_equal(row->status, ROW_OK);
        assert_near(row->time.median, s);
        assert_near(row->host_s, s);
        assert_near(row->gbps, bytes / s / 1e9);
        assert_int_equal(row->batch, s < 100e-6 ? (int)ceil(100e-6 / s - 1e-9) : 1);
        assert_near(row_of(&all, i, WAY_D2H)->time.median, s);
    }
    drop(all.row, SIZES * COPIES_MOST);
}

static void fixed_cost_and_half_bandwidth_are_exact(void **state)
{
    (void)state;
    struct link link = {0};
    struct sweep all;
    struct duel_link pcie;
    struct duel_transfer_curve curve;
    sweep(&all, &link);
    link_pcie(&pcie, 4, 16, "");
    transfer_curve_of(&curve, all.row, SIZES * COPIES_MOST, WAY_H2D, "pinned", &pcie);
    double best = TOP / alone(TOP);
    assert_int_equal(curve.points, SIZES);
    assert_near(curve.best_gbps, best / 1e9);
    assert_near(curve.best_bytes, TOP);
    assert_true(fabs(curve.fixed_cost_s - LINK_FIXED_S) < 1e-12);
    /* n / (a + n / r) = best / 2 */
    assert_near(curve.half_bandwidth_bytes, best / 2 * LINK_FIXED_S / (1 - best / 2 / LINK_RATE));
    assert_near(curve.link_gbps, 16 * 2 * 128.0 / 130);
    assert_near(curve.link_percent, 100 * best / 1e9 / curve.link_gbps);
    drop(all.row, SIZES * COPIES_MOST);
}

static void both_ways_at_once_by_duplex(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        struct link link = {.half_duplex = half};
        struct sweep all;
        sweep(&all, &link);
        const struct duel_transfer *row = row_of(&all, SIZES - 1, WAY_BOTH);
        assert_int_equal(row->status, ROW_OK);
        assert_near(row->time.median, (half ? 2 : 1) * alone(TOP));
        assert_near(row->gbps, 2 * TOP / row->time.median / 1e9);
        assert_true(fabs(row->overlap_ratio - (half ? 0 : 1)) < 1e-9);
        drop(all.row, SIZES * COPIES_MOST);
    }
}

static void overlapped_round_trip_hides_all_but_the_ends(void **state)
{
    (void)state;
    struct link link = {0};
    struct sweep all;
    sweep(&all, &link);
    const struct duel_transfer *row = row_of(&all, SIZES - 1, WAY_OVERLAPPED);
    double chunk = alone(TOP / COPIES_CHUNKS), whole = alone(TOP);
    assert_int_equal(row->status, ROW_OK);
    assert_near(row->time.median, (COPIES_CHUNKS + 1) * chunk);
    assert_near(row->overlap_ratio, (2 * whole - (COPIES_CHUNKS + 1) * chunk) / whole);
    const struct duel_transfer *small = row_of(&all, 0, WAY_OVERLAPPED);
    assert_int_equal(small->status, ROW_SKIPPED);
    assert_non_null(strstr(small->reason, "not worth cutting"));
    drop(all.row, SIZES * COPIES_MOST);
}

static void what_a_device_cannot_do_is_skipped(void **state)
{
    (void)state;
    struct link link = {0};
    struct duel_transfer rows[COPIES_MOST];
    measure(&link, &plain_link, NAN, 1 << 20, rows);
    for (int i = 0; i < COPIES_MOST; i++) {
        bool pageable = strcmp(rows[i].memory, "pageable") == 0;
        assert_int_equal(rows[i].status, pageable ? ROW_OK : ROW_SKIPPED);
        assert_true(pageable == isfinite(rows[i].gbps));
        assert_true(pageable || strstr(rows[i].reason, "no pinned host memory"));
    }
    drop(rows, COPIES_MOST);
}

static void wrong_bytes_have_no_rate(void **state)
{
    (void)state;
    static const struct {
        int corrupt_from;
        const char *when;
    } cases[] = {{1, "wrong bytes before timing: byte 2048 "}, {30, "wrong bytes after timing: byte 2048 "}};
    for (int c = 0; c < 2; c++) {
        struct link link = {.corrupt_from = cases[c].corrupt_from};
        struct duel_transfer rows[COPIES_MOST];
        measure(&link, &plain_link, NAN, LO, rows);
        assert_int_equal(rows[0].status, ROW_FAILED);
        assert_int_equal(rows[0].cause, DUEL_EVERIFY);
        assert_non_null(strstr(rows[0].reason, cases[c].when));
        assert_int_equal(rows[0].time_s.count, 0);
        assert_true(isnan(rows[0].gbps) && isnan(rows[0].time.median));
        drop(rows, COPIES_MOST);
    }
}

static void faster_than_the_link_is_an_error(void **state)
{
    (void)state;
    struct link link = {0};
    struct duel_transfer rows[COPIES_MOST];
    measure(&link, &full_link, 15, 16 << 20, rows); /* the mock carries nearly 20 */
    for (int i = 0; i < COPIES_MOST; i++) {
        bool overlapped = rows[i].way == WAY_OVERLAPPED; /* the ends keep it from 40, but it is above 30 still */
        assert_int_equal(rows[i].status, ROW_FAILED);
        assert_int_equal(rows[i].cause, DUEL_EDEVICE);
        assert_non_null(strstr(rows[i].reason, overlapped ? "above the 30 GB/s" : "above the "));
        assert_true(isnan(rows[i].gbps));
    }
    drop(rows, COPIES_MOST);
    measure(&link, &full_link, 19.5, 16 << 20, rows); /* within 5 % */
    assert_int_equal(rows[0].status, ROW_OK);
    drop(rows, COPIES_MOST);
}

static void without_a_device_the_stand_in_says_so(void **state)
{
    (void)state;
    struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .info = {.usable = true}};
    struct duel_copies copies = {.place = &place, .seed = 7, .link_gbps = NAN};
    struct duel_transfer row;
    struct duel_transfer_curve curve;
    struct duel_link none;
    struct duel_copy_kind kinds[COPIES_MOST];
    struct duel_why why;
    copies.rules = (struct duel_sampler_rules){.target_ci = 0.5,
                                               .min_samples = 6,
                                               .max_samples = 20,
                                               .timeout_s = 0.2,
                                               .warmup_s = 1e-3,
                                               .warmup_max_s = 1e-2};
    assert_int_equal(place_open(&place, &why), DUEL_OK);
    assert_int_equal(copies_kinds(place.backend, kinds), 1);
    copies_measure(&copies, 100003, &row);
    assert_int_equal(row.status, ROW_OK);
    assert_string_equal(row.way_text, "host");
    assert_string_equal(row.note, TRANSFER_STAND_IN);
    assert_true(row.gbps > 0 && row.batch >= 1);
    link_pcie(&none, NAN, NAN, "no device");
    transfer_curve_of(&curve, &row, 1, WAY_HOST, "pageable", &none);
    assert_true(isnan(curve.link_percent) && isnan(curve.fixed_cost_s) && isnan(curve.half_bandwidth_bytes));
    assert_string_equal(curve.note, TRANSFER_STAND_IN);
    assert_string_equal(curve.fixed_cost_why, "fewer than three sizes were measured");
    transfer_free(&row);
    place.backend->close(place.device);
}

static int64_t often(void)
{
    static int64_t count;
    return count += 1;
}

static void disturbed_samples_are_marked_and_repeated(void **state)
{
    (void)state;
    struct link link = {0};
    struct duel_transfer rows[COPIES_MOST];
    struct duel_place place = {.id = "link:0", .backend = &plain_link, .device = &link, .info = {.usable = true}};
    struct duel_copies copies = {
        .place = &place, .seed = 7, .interruptions = often, .deadline = INFINITY, .link_gbps = NAN};
    copies.rules =
        (struct duel_sampler_rules){.target_ci = 0.01, .min_samples = 6, .max_samples = 20, .timeout_s = 0.005};
    copies_measure(&copies, 1 << 20, rows);
    assert_int_equal(rows[0].status, ROW_OK);
    assert_string_equal(rows[0].stop_reason, "timeout"); /* six clean samples never came */
    assert_true(rows[0].time_s.count > 20 && rows[0].disturbed.count == rows[0].time_s.count);
    assert_false(rows[0].clean);
    drop(rows, COPIES_MOST);
    measure(&link, &plain_link, NAN, 1 << 20, rows);
    assert_true(rows[0].clean && rows[0].disturbed.count == 0);
    drop(rows, COPIES_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_and_batches_are_exact),
        cmocka_unit_test(fixed_cost_and_half_bandwidth_are_exact),
        cmocka_unit_test(both_ways_at_once_by_duplex),
        cmocka_unit_test(overlapped_round_trip_hides_all_but_the_ends),
        cmocka_unit_test(what_a_device_cannot_do_is_skipped),
        cmocka_unit_test(wrong_bytes_have_no_rate),
        cmocka_unit_test(faster_than_the_link_is_an_error),
        cmocka_unit_test(without_a_device_the_stand_in_says_so),
        cmocka_unit_test(disturbed_samples_are_marked_and_repeated),
    };
    return cmocka_run_group_tests_name("mock_copies", tests, NULL, NULL);
}
