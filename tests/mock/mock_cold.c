/* mock_cold.c: what a first single use in a process costs, on scripted clocks: exact, and unknown with its reason. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/lane.h"
#include "tests/mock/fight.h"

static void add_property(struct duel_place *place, const char *name, double number)
{
    struct duel_property *property = &place->info.property[place->info.property_count++];
    snprintf(property->name, sizeof property->name, "%s", name);
    property->number = number;
}

static void the_cold_start_is_the_sum_of_its_parts(void **state)
{
    (void)state;
    struct fight fight;
    fight_prepare(&fight, &(struct mock)BASE_10_MS, &(struct mock)ROW_5_MS);
    add_property(&fight.place[ROW], "context_create_s", 0.25);
    add_property(&fight.place[ROW], "module_load_s", 0.05);
    fight_run(&fight);
    const struct duel_result *row = &fight.result[ROW], *base = &fight.result[BASE];
    assert_true(row->first_use && base->first_use);
    assert_close(row->first_upload_s, 4e-3);
    assert_close(row->first_call_s, 6e-3); /* with its copy back */
    assert_close(row->cold_s, 0.25 + 0.05 + 4e-3 + 6e-3);
    assert_close(base->cold_s, 10e-3);
    assert_close(row->speedup_cold.value, 10e-3 / 0.31);
    assert_true(isnan(row->speedup_cold.lo) && isnan(row->speedup_cold.hi)); /* one process, one observation */
    assert_non_null(strstr(fight_why(row, "speedup_cold_ci_lo"), "--sessions"));
    assert_string_equal(fight_why(base, "speedup_cold_ci_lo"), ""); /* the base itself needs no interval */
    fight_finish(&fight);
    fight_run(&fight); /* the same process once more */
    row = &fight.result[ROW];
    assert_false(row->first_use);
    assert_true(isnan(row->cold_s) && isnan(row->speedup_cold.value));
    assert_non_null(strstr(fight_why(row, "cold_s"), "had used the implementation before"));
    assert_non_null(strstr(fight_why(row, "speedup_cold"), "had used the implementation before"));
    assert_string_equal(fight_why(row, "speedup_cold_ci_lo"), "");
    fight_finish(&fight);
}

static void a_context_that_nobody_timed_leaves_the_cold_start_unknown(void **state)
{
    (void)state;
    struct fight fight;
    fight_prepare(&fight, &(struct mock)BASE_10_MS, &(struct mock)ROW_5_MS);
    fight_run(&fight);
    assert_true(isnan(fight.result[ROW].cold_s));
    assert_non_null(strstr(fight_why(&fight.result[ROW], "speedup_cold"), "does not tell"));
    assert_close(fight.result[BASE].cold_s, 10e-3);
    fight_finish(&fight);
}

static void every_part_counts_once(void **state)
{
    (void)state;
    struct fight fight;
    struct duel_stage stage = {.backend = &mock_backend, .first_upload_s = 16};
    struct duel_lane lane = {.item = fight.cases, .result = fight.result, .stage = &stage};
    fight_prepare(&fight, &(struct mock){0}, &(struct mock){0});
    lane.item = &fight.cases[ROW];
    lane.result = &fight.result[ROW];
    result_init(lane.result);
    lane.result->first_use = true;
    lane.result->convert_s = 1; /* whoever multiplies once has FP32 numbers and must round them first */
    lane.result->allocate_s = 2;
    lane.result->open_s = 4;
    lane.result->first_call_s = 8;
    add_property(&fight.place[ROW], "context_create_s", 32);
    add_property(&fight.place[ROW], "module_load_s", 64);
    cold_describe(&lane);
    assert_close(lane.result->cold_s, 127);
    lane.result->convert_s = lane.result->open_s = NAN; /* phases that do not exist cost nothing */
    cold_describe(&lane);
    assert_close(lane.result->cold_s, 122);
    stage = (struct duel_stage){.backend = &fight.without_copies, .first_upload_s = NAN};
    lane.item = &fight.cases[BASE];
    fight.place[BASE].open_s = 16;
    cold_describe(&lane);
    assert_close(lane.result->cold_s, 10); /* one thread needs no other to be started */
    lane.result->threads = 2;
    cold_describe(&lane);
    assert_close(lane.result->cold_s, 26);
    lane.result->first_call_s = NAN;
    cold_describe(&lane);
    assert_true(isnan(lane.result->cold_s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cold_start_is_the_sum_of_its_parts),
        cmocka_unit_test(a_context_that_nobody_timed_leaves_the_cold_start_unknown),
        cmocka_unit_test(every_part_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
