/* Energy of processors that are not these: the counters of powercap, as made-up files that change meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/telemetry/machine.h"
#include "tests/unit/run_dir.h"

#define ZONE(n) "sys/class/powercap/intel-rapl:" n "/"

/* The energy of an interval of ten seconds, in which `change` happens. */
static struct duel_quantity energy_over(double seconds, void (*change)(void))
{
    double clock = 100;
    struct duel_telemetry *telemetry;
    struct duel_telemetry_summary summary;
    struct duel_telemetry_options options = machine_options(&clock);
    assert_int_equal(telemetry_open(&telemetry, &options, NULL), DUEL_OK);
    telemetry_begin(telemetry);
    change();
    clock += seconds;
    telemetry_end(telemetry, &summary);
    telemetry_close(telemetry);
    same_number(summary.seconds, seconds);
    assert_true(isnan(summary.cpu_energy_j.value) == (*summary.cpu_energy_j.why != '\0'));
    return summary.cpu_energy_j;
}

static void nothing_happens(void)
{
}

static void use_both(void)
{
    run_dir_write(ZONE("0") "energy_uj", "251000000\n");
    run_dir_write(ZONE("1") "energy_uj", "50000000\n");
}

/* 150 J in package 0; package 1 goes from 262 000 J round to 50 J. Neither psys, nor a part, nor the second interface
 * may be counted. */
static void energy_is_that_of_all_packages_and_wraps_round(void **state)
{
    (void)state;
    machine_package("intel-rapl:0", "package-0\n", "101000000\n", "262143328850\n");
    machine_package("intel-rapl:0:0", "dram\n", "5\n", "262143328850\n");
    machine_package("intel-rapl:1", "package-1\n", "262000000000\n", "262143328850\n");
    machine_package("intel-rapl:2", "psys\n", "1\n", "262143328850\n");
    machine_package("intel-rapl-mmio:0", "package-0\n", "1\n", "262143328850\n");
    same_number(energy_over(10, use_both).value, 150 + 143.328850 + 50);
}

static void without_counters_the_reason_is_told(void **state)
{
    (void)state;
    says(energy_over(10, nothing_happens).why, "no energy counter");
}

static void a_short_interval_has_no_energy(void **state)
{
    (void)state;
    machine_package("intel-rapl:0", "package-0\n", "101000000\n", "262143328850\n");
    machine_package("intel-rapl:1", "package-1\n", "0\n", "262143328850\n");
    says(energy_over(1.5, use_both).why, "1.5 s is too short");
}

static void a_counter_that_stands_still_is_refused(void **state)
{
    (void)state;
    machine_package("intel-rapl:0", "package-0\n", "101000000\n", "262143328850\n");
    says(energy_over(10, nothing_happens).why, "stood still");
}

static void count_from_zero(void)
{
    run_dir_write(ZONE("0") "energy_uj", "10\n");
}

/* A counter that was reset looks like one that wrapped round; the power gives it away. */
static void a_counter_that_was_reset_is_refused(void **state)
{
    (void)state;
    machine_package("intel-rapl:0", "package-0\n", "101000000\n", "262143328850\n");
    says(energy_over(10, count_from_zero).why, "cannot be true");
    machine_package("intel-rapl:0", "package-0\n", "101000000\n", NULL);
    assert_int_equal(remove(run_dir_path(ZONE("0") "max_energy_range_uj")), 0);
    says(energy_over(10, count_from_zero).why, "ran backwards and its range is unknown");
}

static void garble(void)
{
    run_dir_write(ZONE("0") "energy_uj", "-7 J\n");
}

static void take_away(void)
{
    assert_int_equal(remove(run_dir_path(ZONE("0") "energy_uj")), 0);
}

static void a_counter_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    machine_package("intel-rapl:0", "package-0\n", "101000000\n", "262143328850\n");
    machine_package("intel-rapl:1", "package-1\n", "1\n", "262143328850\n");
    says(energy_over(10, garble).why, "energy_uj: \"-7 J\" is not a count");
    run_dir_write(ZONE("0") "energy_uj", "");
    says(energy_over(10, nothing_happens).why, "energy_uj: empty");
    says(energy_over(10, take_away).why, "energy_uj: ");
    says(energy_over(10, nothing_happens).why, "energy_uj: No such file");
}

/* Since Linux 5.10 only root may read the counters. Where the tests run as root they are somebody else for a moment. */
static void counters_without_permission_are_named(void **state)
{
    (void)state;
    machine_package("intel-rapl:0", "package-0\n", "101000000\n", "262143328850\n");
    assert_int_equal(chmod(run_dir_path(ZONE("0") "energy_uj"), 0), 0);
    uid_t user = geteuid();
    const uid_t nobody = 65534;
    assert_int_equal(seteuid(user == 0 ? nobody : user), 0);
    FILE *name = fopen(run_dir_path(ZONE("0") "name"), "r");
    struct duel_quantity energy = energy_over(10, nothing_happens);
    assert_int_equal(seteuid(user), 0);
    if (!name)
        skip(); /* the whole folder is closed to others */
    fclose(name);
    says(energy.why, "energy_uj: Permission denied");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(energy_is_that_of_all_packages_and_wraps_round),
        RUN_DIR_TEST(without_counters_the_reason_is_told),
        RUN_DIR_TEST(a_short_interval_has_no_energy),
        RUN_DIR_TEST(a_counter_that_stands_still_is_refused),
        RUN_DIR_TEST(a_counter_that_was_reset_is_refused),
        RUN_DIR_TEST(a_counter_that_cannot_be_read_is_named),
        RUN_DIR_TEST(counters_without_permission_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
