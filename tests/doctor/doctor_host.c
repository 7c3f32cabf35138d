/* doctor_host.c: checks of machines that are not this one: a row is a few files of /proc and /sys, and what has to be
 * found in them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/doctor/doctor_look.h"
#include "tests/unit/run_dir.h"

#define CPU "sys/devices/system/cpu/"
#define FREQUENCY "cpufreq/scaling_governor"

struct file {
    const char *path, *text;
};

static const struct row {
    const char *name, *check;
    struct file file[7];
    enum doctor_mark mark;
    const char *words;
} row_table[] = {
    {"no governor is unknown", "governor", {{0}}, DOCTOR_UNKNOWN, "no frequency control"},
    {"performance is good",
     "governor",
     {{CPU "cpu0/" FREQUENCY, "performance\n"}, {CPU "cpu1/" FREQUENCY, "performance\n"}},
     DOCTOR_GOOD,
     "performance on 2 CPUs"},
    {"one core with another governor",
     "governor",
     {{CPU "cpu0/" FREQUENCY, "performance\n"}, {CPU "cpu1/" FREQUENCY, "schedutil\n"}},
     DOCTOR_WARN,
     "performance on 1 of 2"},
    {"powersave of the kernel pins the clock",
     "governor",
     {{CPU "cpu0/" FREQUENCY, "powersave\n"}, {CPU "cpu0/cpufreq/scaling_driver", "acpi-cpufreq\n"}},
     DOCTOR_BAD,
     "powersave"},
    {"powersave of the hardware does not",
     "governor",
     {{CPU "cpu0/" FREQUENCY, "powersave\n"}, {CPU "cpu0/cpufreq/scaling_driver", "intel_pstate\n"}},
     DOCTOR_WARN,
     "intel_pstate"},
    {"a clock that follows the load", "governor", {{CPU "cpu0/" FREQUENCY, "ondemand\n"}}, DOCTOR_WARN, "ondemand"},
    {"boost on", "boost", {{CPU "cpufreq/boost", "1\n"}}, DOCTOR_WARN, "on"},
    {"boost off", "boost", {{CPU "cpufreq/boost", "0\n"}}, DOCTOR_GOOD, "off"},
    {"no_turbo says the opposite", "boost", {{CPU "intel_pstate/no_turbo", "1\n"}}, DOCTOR_GOOD, "off"},
    {"boost hidden", "boost", {{0}}, DOCTOR_UNKNOWN, "not told"},
    {"the lowest limit of all cores counts",
     "clock_limit",
     {{CPU "cpu0/cpufreq/scaling_max_freq", "4000000\n"},
      {CPU "cpu0/cpufreq/cpuinfo_max_freq", "4000000\n"},
      {CPU "cpu1/cpufreq/scaling_max_freq", "2000000\n"},
      {CPU "cpu1/cpufreq/cpuinfo_max_freq", "4000000\n"}},
     DOCTOR_WARN,
     "50 %"},
    {"no limit of the clock",
     "clock_limit",
     {{CPU "cpu0/cpufreq/scaling_max_freq", "4000000\n"}, {CPU "cpu0/cpufreq/cpuinfo_max_freq", "4000000\n"}},
     DOCTOR_GOOD,
     "highest"},
    {"no sensor", "temperature", {{0}}, DOCTOR_UNKNOWN, "no temperature sensor"},
    {"a zone far from its limit",
     "temperature",
     {{"sys/class/thermal/thermal_zone0/temp", "45000\n"},
      {"sys/class/thermal/thermal_zone0/trip_point_0_type", "passive\n"},
      {"sys/class/thermal/thermal_zone0/trip_point_0_temp", "95000\n"}},
     DOCTOR_GOOD,
     "45 degrees C, slowed down from 95"},
    {"the zone nearest to its limit counts; fans do not",
     "temperature",
     {{"sys/class/thermal/thermal_zone0/temp", "45000\n"},
      {"sys/class/thermal/thermal_zone0/trip_point_0_type", "active\n"},
      {"sys/class/thermal/thermal_zone0/trip_point_0_temp", "46000\n"},
      {"sys/class/thermal/thermal_zone1/temp", "93000\n"},
      {"sys/class/thermal/thermal_zone1/trip_point_1_type", "hot\n"},
      {"sys/class/thermal/thermal_zone1/trip_point_1_temp", "95000\n"}},
     DOCTOR_BAD,
     "93 degrees C, slowed down from 95"},
    {"sensors of a processor, not of a disk",
     "temperature",
     {{"sys/class/hwmon/hwmon0/name", "nvme\n"},
      {"sys/class/hwmon/hwmon0/temp1_input", "80000\n"},
      {"sys/class/hwmon/hwmon0/temp1_crit", "81000\n"},
      {"sys/class/hwmon/hwmon1/name", "k10temp\n"},
      {"sys/class/hwmon/hwmon1/temp1_input", "60000\n"}},
     DOCTOR_GOOD,
     "60 degrees C at the hottest of 1"},
    {"an impossible temperature is no temperature",
     "temperature",
     {{"sys/class/thermal/thermal_zone0/temp", "-274000\n"}},
     DOCTOR_UNKNOWN,
     "no temperature sensor"},
    {"all CPUs",
     "affinity",
     {{"proc/self/status", "Cpus_allowed_list:\t0-3\n"}, {CPU "online", "0-3\n"}},
     DOCTOR_GOOD,
     "all 4"},
    {"some CPUs",
     "affinity",
     {{"proc/self/status", "Cpus_allowed_list:\t0,2\n"}, {CPU "online", "0-3\n"}},
     DOCTOR_WARN,
     "2 of 4"},
    {"free memory",
     "memory_free",
     {{"proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n"}},
     DOCTOR_GOOD,
     "0.5 of 1.0 GiB"},
    {"little memory",
     "memory_free",
     {{"proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 52428 kB\n"}},
     DOCTOR_WARN,
     "GiB"},
    {"hardly any memory",
     "memory_free",
     {{"proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 1024 kB\n"}},
     DOCTOR_BAD,
     "GiB"},
    {"swap in use",
     "swap",
     {{"proc/meminfo", "SwapTotal: 2097152 kB\nSwapFree: 1048576 kB\n"}},
     DOCTOR_WARN,
     "1.0 of 2.0 GiB"},
    {"no swap", "swap", {{"proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB\n"}}, DOCTOR_GOOD, "none"},
    {"huge pages off",
     "huge_pages",
     {{"sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n"}},
     DOCTOR_WARN,
     "off"},
    {"huge pages for those who ask",
     "huge_pages",
     {{"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"}},
     DOCTOR_GOOD,
     "ask"},
    {"two memory nodes", "numa", {{"sys/devices/system/node/online", "0-1\n"}}, DOCTOR_WARN, "2 memory nodes"},
    {"two CPUs on a core", "smt", {{CPU "smt/active", "1\n"}}, DOCTOR_WARN, "one core"},
    {"a busy minute", "load_average", {{"proc/loadavg", "3.50 1.00 0.50 1/200 4711\n"}}, DOCTOR_WARN, "3.50"},
    {"a quiet minute", "load_average", {{"proc/loadavg", "0.10 1.00 0.50 1/200 4711\n"}}, DOCTOR_GOOD, "0.10"},
    {"a guest",
     "virtual_machine",
     {{"proc/cpuinfo", "flags : fpu hypervisor sse\n"}, {"sys/class/dmi/id/sys_vendor", "QEMU\n"}},
     DOCTOR_WARN,
     "virtual machine: QEMU"},
    {"bare metal", "virtual_machine", {{"proc/cpuinfo", "flags : fpu sse\n"}}, DOCTOR_GOOD, "bare"},
    {"a guest without flags",
     "virtual_machine",
     {{"sys/class/dmi/id/sys_vendor", "Amazon EC2\n"}},
     DOCTOR_WARN,
     "Amazon"},
    {"a processor that does not tell",
     "virtual_machine",
     {{"proc/cpuinfo", "Features : fp\n"}},
     DOCTOR_UNKNOWN,
     "does not tell"},
    {"the processor's own counter",
     "clock_source",
     {{"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"}},
     DOCTOR_GOOD,
     "tsc"},
    {"a slow clock",
     "clock_source",
     {{"sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"}},
     DOCTOR_WARN,
     "hpet"},
    {"nothing can be read at all", "swap", {{0}}, DOCTOR_UNKNOWN, "does not tell"},
    {"no quota without groups", "cpu_quota", {{0}}, DOCTOR_UNKNOWN, "no control group"},
    {"a container's quota",
     "cpu_quota",
     {{"proc/self/cgroup", "0::/\n"},
      {"sys/fs/cgroup/cpu.max", "150000 100000\n"},
      {"proc/self/status", "Cpus_allowed_list:\t0-7\n"}},
     DOCTOR_BAD,
     "1.50 CPUs, but 8"},
    {"the least of all groups above counts",
     "cpu_quota",
     {{"proc/self/cgroup", "0::/a/b\n"},
      {"sys/fs/cgroup/a/b/cpu.max", "max 100000\n"},
      {"sys/fs/cgroup/a/cpu.max", "200000 100000\n"},
      {"proc/self/status", "Cpus_allowed_list:\t0-7\n"}},
     DOCTOR_BAD,
     "2.00 CPUs, but 8"},
    {"no quota",
     "cpu_quota",
     {{"proc/self/cgroup", "0::/a\n"}, {"sys/fs/cgroup/a/cpu.max", "max 100000\n"}},
     DOCTOR_GOOD,
     "no limit"},
    {"as much as there is",
     "cpu_quota",
     {{"proc/self/cgroup", "0::/\n"},
      {"sys/fs/cgroup/cpu.max", "800000 100000\n"},
      {"proc/self/status", "Cpus_allowed_list:\t0-7\n"}},
     DOCTOR_GOOD,
     "8.00 CPUs"},
    {"version 1, several controllers in one tree, the host's path in a container",
     "cpu_quota",
     {{"proc/self/cgroup", "12:pids:/x\n4:cpu,cpuacct:/docker/0123\n0::/x\n"},
      {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"},
      {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
      {"proc/self/status", "Cpus_allowed_list:\t0-1\n"}},
     DOCTOR_BAD,
     "0.50 CPUs, but 2"},
    {"version 1 without a quota",
     "cpu_quota",
     {{"proc/self/cgroup", "1:cpu:/\n"},
      {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
      {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}},
     DOCTOR_GOOD,
     "no limit"},
    {"a container's memory",
     "memory_limit",
     {{"proc/self/cgroup", "0::/\n"},
      {"sys/fs/cgroup/memory.max", "536870912\n"},
      {"proc/meminfo", "MemTotal: 1048576 kB\n"}},
     DOCTOR_WARN,
     "0.5 GiB of the machine's 1.0 GiB"},
    {"version 1: no limit is a huge number",
     "memory_limit",
     {{"proc/self/cgroup", "3:memory:/\n"},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"proc/meminfo", "MemTotal: 1048576 kB\n"}},
     DOCTOR_GOOD,
     "no limit"},
};

static void finds_what_the_row_says(void **state)
{
    const struct row *row = *state;
    assert_int_equal(run_dir_make(NULL), 0);
    for (const struct file *file = row->file; file->path; file++)
        scene_put(file->path, file->text);
    struct doctor_scene scene = scene_unknown();
    look(&scene, row->check, row->mark, row->words);
    run_dir_drop(NULL);
}

int main(void)
{
    enum { ROWS = sizeof row_table / sizeof *row_table };
    static struct row rows[ROWS];
    struct CMUnitTest tests[ROWS];
    memcpy(rows, row_table, sizeof rows);
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){rows[i].name, finds_what_the_row_says, NULL, NULL, &rows[i]};
    return _cmocka_run_group_tests("doctor_host", tests, ROWS, NULL, NULL);
}
