/* clock.c: can short times be told at all? */
#include <math.h>
#include <string.h>

#include "bench/doctor/checks.h"
#include "bench/record/facts.h"

/* Clock sources of the kernel that a program can read without entering the kernel, so that a look takes some 20 ns. */
static const char *const quick_sources[] = {
    "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "arch_mem_counter", "timebase",
};

void look_clock_source(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    char name[64];
    bool quick = false;
    if (!facts_read(scene->root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", NULL, name,
                    sizeof name)) {
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "slow clocks cost more than short kernels", "see timer cost",
                     "the kernel does not tell");
        return;
    }
    for (size_t i = 0; i < sizeof quick_sources / sizeof *quick_sources; i++)
        quick = quick || strcmp(name, quick_sources[i]) == 0;
    doctor_found(finding, quick ? DOCTOR_GOOD : DOCTOR_WARN, NAN,
                 "every look at this clock enters the kernel; often because the processor's own counter was found "
                 "unreliable",
                 "`dmesg | grep -i clocksource` tells why; tsc is what one wants on x86", "%s", name);
}

static void judge(struct doctor_finding *finding, double seconds, double warn, double bad, const char *matters,
                  const char *what)
{
    const char *next = "see clock source; a virtual machine may need another clock (`virsh`, cloud image)";
    if (isnan(seconds))
        doctor_found(finding, DOCTOR_BAD, NAN, matters, next, "the clock did not move in 20000 readings");
    else
        doctor_found(finding,
                     seconds >= bad    ? DOCTOR_BAD
                     : seconds >= warn ? DOCTOR_WARN
                                       : DOCTOR_GOOD,
                     1e9 * seconds, matters, next, "%.0f ns%s", 1e9 * seconds, what);
}

/* Intervals are at least 50 us: a step of 0.5 us is one percent of that. */
void look_timer_step(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    judge(finding, scene->seen.timer_step_s, 200e-9, 500e-9, "times are told in whole steps of the clock",
          ", the smallest step seen");
}

void look_timer_cost(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    judge(finding, scene->seen.timer_read_s, 200e-9, 1000e-9, "each sample holds one reading of the clock",
          " for one reading");
}
