/* Telemetry of a GPU that is not there: its library is a stand-in that answers what each test has scripted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "tests/telemetry/machine.h"
#include "tests/telemetry/watch.h"
#include "tests/unit/run_dir.h"

static void a_normal_run_is_told_in_full(void **state)
{
    struct watch *watch = *state;
    struct script *script = watch->script;
    static const unsigned clocks[] = {1980, 1500, 1700}, powers[] = {500000, 690000, 600000};
    watch_open(watch);
    telemetry_begin(watch->telemetry);
    for (int i = 0; i < 3; i++) {
        script->sm_mhz = clocks[i];
        script->power_mw = powers[i];
        script->generation = i == 1 ? 5 : 1;
        script->reasons = i == 1 ? 0x24 : 0x1;
        telemetry_poll(watch->telemetry);
        watch->clock += 1;
    }
    script->energy_mj += 1800500;
    const struct duel_telemetry_summary *of = watch_end(watch);
    same_number(of->seconds, 3);
    assert_int_equal(of->sm_clock_mhz.count, 3);
    same_number(of->sm_clock_mhz.min, 1500);
    same_number(of->sm_clock_mhz.median, 1700);
    same_number(of->sm_clock_mhz.max, 1980);
    same_number(of->sm_clock_of_max.value, 1700 / 1980.0);
    same_number(of->memory_clock_mhz.median, 3201);
    same_number(of->power_w.median, 600);
    same_number(of->power_w.max, 690);
    same_number(of->temperature_c.max, 61);
    same_number(of->gpu_busy_percent.max, 99);
    same_number(of->pcie_generation.max, 5);
    same_number(of->pcie_width.max, 16);
    same_number(of->gpu_energy_j.value, 1800.5);
    same_number(of->clock_limited_share.value, 1 / 3.0);
    assert_string_equal(of->clock_reasons, "idle, power cap, thermal slowdown by the driver");
    assert_string_equal(watch_unknown(watch), "");
    assert_true(of->waits >= 0 && of->preemptions >= 0);
}

static void a_clock_stuck_at_55_percent_is_told_with_its_reason(void **state)
{
    struct watch *watch = *state;
    watch->script->sm_mhz = 1089;
    watch->script->reasons = 0x4;
    watch_run(watch);
    same_number(watch->summary.sm_clock_of_max.value, 0.55);
    same_number(watch->summary.clock_limited_share.value, 1);
    assert_string_equal(watch->summary.clock_reasons, "power cap");
}

static void impossible_values_are_refused_one_by_one(void **state)
{
    struct watch *watch = *state;
    struct script *script = watch->script;
    const struct {
        unsigned *at, value;
        const char *unknown, *words;
    } table[] = {
        {&script->temperature_c, ~0u, "temperature_c ", "cannot be true"},
        {&script->temperature_c, 250, "temperature_c ", "a temperature of 250 degrees C cannot be true"},
        {&script->sm_mhz, 0, "sm_clock_mhz sm_clock_of_max ", "an SM clock of 0 MHz cannot be true"},
        {&script->sm_mhz, 10001, "sm_clock_mhz sm_clock_of_max ", "cannot be true"},
        {&script->memory_mhz, 0, "memory_clock_mhz ", "a memory clock of 0 MHz cannot be true"},
        {&script->busy_percent, 101, "gpu_busy_percent ", "a utilisation of 101 % cannot be true"},
        {&script->width, 0, "pcie_width ", "a PCIe width of 0 lanes cannot be true"},
        {&script->generation, 99, "pcie_generation ", "a PCIe generation of 99 cannot be true"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        unsigned before = *table[i].at;
        *table[i].at = table[i].value;
        watch_run(watch);
        assert_string_equal(watch_unknown(watch), table[i].unknown);
        says(watch_why(watch, table[i].unknown), table[i].words);
        *table[i].at = before;
    }
}

/* 2^64 - 1 is what some drivers answer for "I do not know". */
static void all_ones_are_no_value(void **state)
{
    struct watch *watch = *state;
    struct script *script = watch->script;
    script->temperature_c = script->sm_mhz = script->memory_mhz = script->power_mw = script->average_mw = ~0u;
    script->busy_percent = script->generation = script->width = script->ecc = script->processes = ~0u;
    script->energy_mj = script->reasons = ~0ull;
    watch->energy_step_mj = 0;
    watch_run(watch);
    assert_string_equal(watch_unknown(watch), WATCH_ALL_VALUES "ecc? gpu_processes_other? ");
    says(watch_why(watch, "gpu_energy_j "), "cannot be true");
    says(watch_why(watch, "clock_reasons "), "cannot be true");
}

static void a_power_of_zero_asks_the_other_way(void **state)
{
    struct watch *watch = *state;
    watch->script->power_mw = 0;
    watch_run(watch);
    same_number(watch->summary.power_w.median, 640);
    watch->script->average_mw = 0;
    watch_run(watch);
    says(watch_why(watch, "power_w "), "a power of 0 W cannot be true");
}

static void energy_that_cannot_be_is_refused(void **state)
{
    struct watch *watch = *state;
    watch->energy_step_mj = -1000;
    watch_run(watch);
    assert_string_equal(watch_unknown(watch), "gpu_energy_j ");
    says(watch_why(watch, "gpu_energy_j "), "ran backwards by 1 J");
    watch->energy_step_mj = 0;
    watch_run(watch);
    says(watch_why(watch, "gpu_energy_j "), "stood still for 4 s");
    watch->energy_step_mj = 1000000000;
    watch_run(watch);
    says(watch_why(watch, "gpu_energy_j "), "1e+06 J in 4 s cannot be true");
    watch->energy_step_mj = 1000;
    watch->seconds = 1;
    watch_run(watch);
    says(watch_why(watch, "gpu_energy_j "), "1 s is too short");
}

/* ---- when it is read -------------------------------------------------------------------------------------------- */

static void readings_are_spaced(void **state)
{
    struct watch *watch = *state;
    watch_open(watch);
    telemetry_begin(watch->telemetry);
    for (int i = 0; i < 100; i++) {
        telemetry_poll(watch->telemetry);
        watch->clock += 0.001;
    }
    assert_int_equal(watch_end(watch)->sm_clock_mhz.count, 2);
    watch_open(watch);
    watch->tick = 0.01; /* every look at the clock: a slow library rests twenty times as long as it took */
    telemetry_begin(watch->telemetry);
    for (int i = 0; i < 100; i++)
        telemetry_poll(watch->telemetry);
    size_t slow = watch_end(watch)->sm_clock_mhz.count;
    assert_in_range(slow, 4, 6);
    watch->tick = 0;
}

static void an_interval_without_a_poll_has_one_reading(void **state)
{
    struct watch *watch = *state;
    watch_open(watch);
    telemetry_begin(watch->telemetry);
    assert_int_equal(watch_end(watch)->sm_clock_mhz.count, 1);
    telemetry_end(watch->telemetry, &watch->summary);
    assert_string_equal(watch->summary.power_w.why, "no interval was begun");
    telemetry_poll(watch->telemetry);
    assert_true(isnan(watch->summary.cpu.foreign_share) && watch->summary.waits == -1);
}

static void nothing_is_known_of_a_machine_that_is_not_watched(void **state)
{
    (void)state;
    struct duel_telemetry_summary summary;
    telemetry_begin(NULL);
    telemetry_poll(NULL);
    telemetry_end(NULL, &summary);
    telemetry_facts(NULL, NULL, NULL);
    telemetry_close(NULL);
    assert_true(isnan(summary.gpu_energy_j.value) && isnan(summary.cpu_mhz.max));
    assert_string_equal(summary.sm_clock_of_max.why, "the machine was not watched");
}

/* ---- facts ------------------------------------------------------------------------------------------------------ */

static void the_card_tells_what_it_is_set_to(void **state)
{
    struct watch *watch = *state;
    watch->script->processes = 2;
    watch->script->pid[1] = (unsigned)getpid();
    watch_run(watch);
    assert_string_equal(watch->facts,
                        "driver=580.65.06 management_library=13.580.65.06 ecc=on mig=off persistence=off "
                        "power_limit_w=600 power_limit_default_w=700 clock_sm_max_mhz=1980 clock_memory_max_mhz=3201 "
                        "pcie_generation_max=5 pcie_width_max=16 gpu_processes_other=1 ");
}

static void a_container_hides_which_process_is_ours(void **state)
{
    struct watch *watch = *state;
    watch->script->processes = 2;
    watch_run(watch);
    assert_string_equal(watch_unknown(watch), "gpu_processes_other? ");
    assert_int_equal(remove(run_dir_path("proc/self/ns/pid")), 0);
    assert_int_equal(symlink("pid:[4026531836]", run_dir_path("proc/self/ns/pid")), 0);
    watch_run(watch);
    says(watch->facts, "gpu_processes_other=2 ");
    watch->script->processes = 300; /* more than fit the list */
    watch_run(watch);
    says(watch->facts, "gpu_processes_other=300 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCH_TEST(a_normal_run_is_told_in_full),
        WATCH_TEST(a_clock_stuck_at_55_percent_is_told_with_its_reason),
        WATCH_TEST(impossible_values_are_refused_one_by_one),
        WATCH_TEST(all_ones_are_no_value),
        WATCH_TEST(a_power_of_zero_asks_the_other_way),
        WATCH_TEST(energy_that_cannot_be_is_refused),
        WATCH_TEST(readings_are_spaced),
        WATCH_TEST(an_interval_without_a_poll_has_one_reading),
        cmocka_unit_test(nothing_is_known_of_a_machine_that_is_not_watched),
        WATCH_TEST(the_card_tells_what_it_is_set_to),
        WATCH_TEST(a_container_hides_which_process_is_ours),
    };
    return cmocka_run_group_tests(tests, library_make, library_drop);
}
