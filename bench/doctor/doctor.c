/* doctor.c: the table of checks, and who is asked what. A new check is a new row, and its function in a file of its
 * topic. */
#include "bench/doctor/doctor.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doctor/checks.h"

const struct doctor_check doctor_check_table[] = {
    {"other_load", "other programs", "company", "cpus", false, look_others},
    {"load_average", "load average", "company", "processes", false, look_load_average},
    {"virtual_machine", "virtual machine", "company", NULL, false, look_virtual},
    {"steal", "other guests", "company", "percent", false, look_steal},
    {"affinity", "usable CPUs", "limits", "cpus", false, look_affinity},
    {"cpu_quota", "CPU quota", "limits", "cpus", false, look_cpu_quota},
    {"memory_limit", "memory limit", "limits", "GiB", false, look_memory_limit},
    {"governor", "governor", "processor", NULL, false, look_governor},
    {"boost", "boost", "processor", NULL, false, look_boost},
    {"clock_limit", "clock limit", "processor", "percent", false, look_clock_limit},
    {"temperature", "temperature", "processor", "celsius", false, look_temperature},
    {"throttling", "slowed by heat", "processor", "times", false, look_throttling},
    {"smt", "cores", "processor", NULL, false, look_smt},
    {"memory_free", "free memory", "memory", "GiB", false, look_memory_free},
    {"swap", "swap", "memory", "GiB", false, look_swap},
    {"huge_pages", "huge pages", "memory", NULL, false, look_huge_pages},
    {"numa", "memory nodes", "memory", "nodes", false, look_numa},
    {"clock_source", "clock source", "clock", NULL, false, look_clock_source},
    {"timer_step", "clock step", "clock", "ns", false, look_timer_step},
    {"timer_cost", "clock cost", "clock", "ns", false, look_timer_cost},
    {"blas_threads", "BLAS threads", "software", NULL, false, look_blas_threads},
    {"blas_kernels", "BLAS kernels", "software", NULL, false, look_blas_kernels},
    {"environment", "environment", "software", "variables", false, look_environment},
    {"gpu_status", "GPU", "gpu", NULL, true, look_gpu_status},
    {"gpu_versions", "versions", "gpu", NULL, true, look_gpu_versions},
    {"gpu_processes", "other programs", "gpu", "processes", true, look_gpu_processes},
    {"gpu_persistence", "persistence", "gpu", NULL, true, look_gpu_persistence},
    {"gpu_mig", "MIG", "gpu", NULL, true, look_gpu_mig},
    {"gpu_ecc", "ECC", "gpu", NULL, true, look_gpu_ecc},
    {"gpu_display", "screen", "gpu", NULL, true, look_gpu_display},
    {"gpu_power_limit", "power limit", "gpu", "W", true, look_gpu_power_limit},
    {"gpu_temperature", "temperature", "gpu", "celsius", true, look_gpu_temperature},
    {"gpu_clock", "clock", "gpu", "MHz", true, look_gpu_clock},
    {"gpu_link", "PCIe link", "gpu", "lanes", true, look_gpu_link},
    {NULL, NULL, NULL, NULL, false, NULL},
};

const char *doctor_mark_name(enum doctor_mark mark)
{
    static const char *const name[] = {"good", "warn", "bad", "unknown"};
    return name[mark];
}

void doctor_found(struct doctor_finding *finding, enum doctor_mark mark, double value, const char *matters,
                  const char *next, const char *seen, ...)
{
    struct duel_why *why = &finding->why;
    va_list args;
    va_start(args, seen);
    vsnprintf(why->seen, sizeof why->seen, seen, args);
    va_end(args);
    bool advise = mark != DOCTOR_GOOD;
    snprintf(why->matters, sizeof why->matters, "%s", advise && matters ? matters : "");
    snprintf(why->next, sizeof why->next, "%s", advise && next ? next : "");
    finding->mark = mark;
    finding->value = value;
}

static void ask(struct doctor_scene *scene, const struct doctor_check *check, struct doctor_report *report)
{
    struct doctor_finding *finding = &report->finding[report->count++];
    memset(finding, 0, sizeof *finding);
    finding->check = check;
    snprintf(finding->where, sizeof finding->where, "%s", scene->place ? scene->place->id : "host");
    check->look(scene, finding);
    report->tally[finding->mark]++;
}

/* A GPU that cannot be used is asked one question only: why not? */
static void ask_gpu(struct doctor_scene *scene, const struct duel_place *place, struct doctor_report *report)
{
    struct doctor_gpu gpu;
    if (place->info.usable)
        doctor_gpu_ask(&gpu, place);
    scene->place = place;
    scene->gpu = &gpu;
    for (const struct doctor_check *check = doctor_check_table; check->name; check++)
        if (check->gpu && (place->info.usable || check->look == look_gpu_status))
            ask(scene, check, report);
    scene->place = NULL;
    scene->gpu = NULL;
}

/* Real GPUs, and the place that says why there is none. */
static bool is_gpu(const struct duel_place *place)
{
    return strcmp(place->id, "cpu") != 0 && strcmp(place->id, "emulated") != 0;
}

enum duel_status doctor_examine(struct doctor_scene *scene, struct doctor_report *report, struct duel_why *why)
{
    size_t checks = 0, places = scene->registry ? (size_t)scene->registry->count : 0;
    while (doctor_check_table[checks].name)
        checks++;
    memset(report, 0, sizeof *report);
    report->finding = calloc(checks * (places + 1) + 1, sizeof *report->finding);
    if (!report->finding)
        return duel_fail(why, DUEL_ENOMEM, "nothing was examined", "close other programs", "out of memory");
    scene->place = NULL;
    scene->gpu = NULL;
    for (const struct doctor_check *check = doctor_check_table; check->name; check++)
        if (!check->gpu)
            ask(scene, check, report);
    for (size_t p = 0; p < places; p++)
        if (is_gpu(&scene->registry->place[p]))
            ask_gpu(scene, &scene->registry->place[p], report);
    return DUEL_OK;
}

void doctor_free(struct doctor_report *report)
{
    free(report->finding);
    memset(report, 0, sizeof *report);
}
