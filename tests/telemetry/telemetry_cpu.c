/* Telemetry of CPUs that are not these: clocks, other work and settings, read from made-up files. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <unistd.h>

#include "bench/telemetry/cpu_clock.h"
#include "bench/telemetry/cpu_load.h"
#include "tests/telemetry/machine.h"
#include "tests/unit/run_dir.h"

#define CPU "sys/devices/system/cpu/"

/* ---- clocks ----------------------------------------------------------------------------------------------------- */

static double clock_of(int cpu, const char *words)
{
    double mhz = NAN;
    char why[TELEMETRY_WHY] = "";
    bool known = cpu_clock_read(run_dir(), cpu, &mhz, why, sizeof why);
    assert_true(known == (words == NULL));
    if (words)
        says(why, words);
    return mhz;
}

static void the_clock_comes_from_cpufreq(void **state)
{
    (void)state;
    machine_put(CPU "cpu3/cpufreq/scaling_cur_freq", "3412345\n");
    machine_put(CPU "cpu4/cpufreq/scaling_cur_freq", "0\n");
    machine_put(CPU "cpu5/cpufreq/scaling_cur_freq", "38000000\n");
    same_number(clock_of(3, NULL), 3412.345);
    clock_of(4, "a CPU clock of 0 MHz cannot be true");
    clock_of(5, "cannot be true");
    clock_of(6, "no frequency is visible");
}

static void a_nominal_clock_is_no_clock(void **state)
{
    (void)state;
    machine_put("proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 800.5\nflags\t\t: fpu aperfmperf sse\n\n"
                                "processor\t: 11\ncpu MHz\t\t: 4100.25\nflags\t\t: fpu aperfmperf\n\n"
                                "processor\t: 2\ncpu MHz\t\t: 2100\nflags\t\t: fpu hypervisor\n\n"
                                "processor\t: 3\nBogoMIPS\t: 50.00\n");
    same_number(clock_of(0, NULL), 800.5);
    same_number(clock_of(11, NULL), 4100.25);
    clock_of(2, "only the nominal clock");
    clock_of(3, "no frequency is visible");
    clock_of(1, "no frequency is visible");
}

/* ---- other work ------------------------------------------------------------------------------------------------- */

static struct duel_cpu_load load_between(const char *before, const char *after, double own_s)
{
    struct cpu_ticks first, second;
    struct duel_cpu_load load;
    machine_put("proc/stat", before);
    cpu_ticks_read(run_dir(), &first);
    machine_put("proc/stat", after);
    cpu_ticks_read(run_dir(), &second);
    second.own_s = first.own_s + own_s * 100 / (double)sysconf(_SC_CLK_TCK); /* the numbers below are of 100 ticks/s */
    cpu_load_between(&first, &second, &load);
    assert_true(isnan(load.foreign_share) == (*load.why != '\0'));
    return load;
}

#define TWO "cpu0 1\ncpu1 1\nintr 5 0 0\n"

/* 1000 ticks: 600 user (of them 20 guest), 50 nice, 100 system, 10 interrupts, 40 stolen, 200 idle or waiting. */
static void other_work_is_what_is_busy_less_our_own(void **state)
{
    (void)state;
    struct duel_cpu_load load =
        load_between("cpu  1000 10 20 5000 30 1 2 3 0 0\n" TWO, "cpu  1600 60 120 5150 80 5 8 43 20 0\n" TWO, 5.5);
    same_number(load.foreign_share, (760 - 550) / 1000.0);
    same_number(load.steal_share, 0.04);
    assert_int_equal(load.cpus, 2);
    load = load_between("cpu  0 0 0 0 0 0 0 0\n" TWO, "cpu  199 0 0 801 0 0 0 0\n" TWO, 2);
    same_number(load.foreign_share, 0);                                     /* our own clock counts finer than ticks */
    load = load_between("cpu  0 0 0 0\n" TWO, "cpu  500 0 0 500\n" TWO, 0); /* Linux 2.4 had four */
    same_number(load.foreign_share, 0.5);
}

static void counters_that_tell_nothing_are_named(void **state)
{
    (void)state;
    says(load_between("cpu  0 0 0 0 0 0 0 0\n" TWO, "cpu  0 0 0 0 0 0 0 0\n" TWO, 0).why, "stand still");
    says(load_between("cpu  1 0 0 0 0 0 0 0\n" TWO, "cpu  1 0 0 9 0 0 0 0\n" TWO, 0).why, "shorter than 0.1 s");
    says(load_between("cpu  9 0 0 0 0 0 0 0\n" TWO, "cpu  1 0 0 900 0 0 0 0\n" TWO, 0).why, "ran backwards");
    says(load_between("cpu  0 0 0 0 0 0 0 0\n" TWO, "cpu  1 0 0 900 0 0 0 0\ncpu0 1\n", 0).why, "number of CPUs");
    says(load_between("btime 5\n", "cpu  1 0 0 900 0 0 0 0\n" TWO, 0).why, "does not begin with");
    says(load_between("cpu  many\n", "cpu  1 0 0 900 0 0 0 0\n" TWO, 0).why, "does not begin with");
    assert_int_equal(remove(run_dir_path("proc/stat")), 0);
    struct duel_cpu_load load;
    telemetry_cpu_load(run_dir(), 0.1, &load);
    says(load.why, "/proc/stat: No such file");
}

static void this_machine_tells_its_load_or_why_not(void **state)
{
    (void)state;
    struct duel_cpu_load load;
    telemetry_cpu_load(NULL, 0.2, &load);
    if (*load.why)
        assert_true(isnan(load.foreign_share));
    else
        assert_true(load.foreign_share >= 0 && load.foreign_share <= 1.01 && load.cpus > 0);
}

/* ---- facts ------------------------------------------------------------------------------------------------------ */

static void gather(void *context, const struct duel_telemetry_fact *fact)
{
    char *all = context;
    size_t at = strlen(all);
    assert_true(fact->why == NULL || (fact->text == NULL && isnan(fact->number)));
    if (fact->why)
        snprintf(all + at, 1000 - at, "%s? ", fact->name);
    else if (fact->text)
        snprintf(all + at, 1000 - at, "%s=%s ", fact->name, fact->text);
    else
        snprintf(all + at, 1000 - at, "%s=%g ", fact->name, fact->number);
}

static void facts_are(const char *wanted)
{
    double clock = 0;
    char all[1000] = "";
    struct duel_telemetry *telemetry;
    struct duel_telemetry_options options = machine_options(&clock);
    assert_int_equal(telemetry_open(&telemetry, &options, NULL), DUEL_OK);
    telemetry_facts(telemetry, gather, all);
    telemetry_close(telemetry);
    assert_string_equal(all, wanted);
}

static void the_cpu_tells_what_it_is_set_to(void **state)
{
    (void)state;
    facts_are("governor? boost? cpu_clock_max_mhz? cpu_energy_packages? ");
    machine_package("intel-rapl:0", "package-0\n", "1\n", "262143328850\n");
    machine_package("intel-rapl:1", "package-1\n", "1\n", "262143328850\n");
    machine_put(CPU "cpu0/cpufreq/scaling_governor", "powersave\n");
    machine_put(CPU "cpu0/cpufreq/cpuinfo_max_freq", "4900000\n");
    machine_put(CPU "intel_pstate/no_turbo", "1\n");
    facts_are("governor=powersave boost=off cpu_clock_max_mhz=4900 cpu_energy_packages=2 ");
    machine_put(CPU "cpufreq/boost", "1\n");
    assert_int_equal(remove(run_dir_path("sys/class/powercap/intel-rapl:0/energy_uj")), 0);
    facts_are("governor=powersave boost=on cpu_clock_max_mhz=4900 cpu_energy_packages? ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(the_clock_comes_from_cpufreq),
        RUN_DIR_TEST(a_nominal_clock_is_no_clock),
        RUN_DIR_TEST(other_work_is_what_is_busy_less_our_own),
        RUN_DIR_TEST(counters_that_tell_nothing_are_named),
        cmocka_unit_test(this_machine_tells_its_load_or_why_not),
        RUN_DIR_TEST(the_cpu_tells_what_it_is_set_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
