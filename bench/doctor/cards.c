/* cards.c: is this GPU fit to measure on? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doctor/checks.h"
#include "bench/doctor/gpu.h"

static const struct doctor_fact *fact_of(const struct doctor_scene *scene, const char *name)
{
    return doctor_gpu_fact(scene->gpu, name);
}

/* The driver was asked and did not tell. */
static void not_told(struct doctor_finding *finding, const char *reason, const char *matters)
{
    doctor_found(finding, DOCTOR_UNKNOWN, NAN, matters, "see `nvidia-smi -q`", "not told: %s", reason);
}

/* States in which there simply is no GPU: no fault of the machine. */
static const char *const no_gpu[] = {"no driver", "no device", "plug-in missing"};

/* A GPU that cannot be used makes no number of the CPU wrong: it is never bad. */
void look_gpu_status(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct duel_device_info *info = &scene->place->info;
    bool absent = false;
    for (size_t i = 0; i < sizeof no_gpu / sizeof *no_gpu; i++)
        absent = absent || strcmp(info->status, no_gpu[i]) == 0;
    if (info->usable)
        doctor_found(finding, DOCTOR_GOOD, NAN, NULL, NULL, "%s, ready", info->name);
    else if (absent)
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, info->why.matters, info->why.next, "none here: %s", info->status);
    else
        doctor_found(finding, DOCTOR_WARN, NAN, info->why.matters, info->why.next, "%s: %s", info->status,
                     info->why.seen);
}

void look_gpu_versions(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct duel_property *driver = doctor_property(scene->place, "cuda_driver_version");
    const struct duel_property *runtime = doctor_property(scene->place, "cuda_runtime_version");
    const char *matters = "kernels may have to be compiled by the driver, and new functions are missing";
    if (!driver || !runtime)
        not_told(finding, "no version of driver or runtime", matters);
    else if (strtod(driver->text, NULL) < strtod(runtime->text, NULL))
        doctor_found(finding, DOCTOR_WARN, NAN, matters, "update the driver, or build duel with an older toolkit",
                     "the driver knows CUDA %s, this build is of %s", driver->text, runtime->text);
    else
        doctor_found(finding, DOCTOR_GOOD, NAN, NULL, NULL, "the driver knows CUDA %s, this build is of %s",
                     driver->text, runtime->text);
}

void look_gpu_processes(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct doctor_fact *others = fact_of(scene, "gpu_processes_other");
    const char *matters = "kernels of two programs take turns, and share memory, power and the link";
    if (isnan(others->number))
        not_told(finding, others->why, matters);
    else if (others->number > 0)
        doctor_found(finding, DOCTOR_BAD, others->number, matters, "see who it is with `nvidia-smi`, end it or wait",
                     "%.0f other program%s on this GPU", others->number, others->number > 1 ? "s" : "");
    else
        doctor_found(finding, DOCTOR_GOOD, 0, NULL, NULL, "no other program on this GPU");
}

/* ---- modes ------------------------------------------------------------------------------------------------ */

/* A mode that is on or off, and what the one that is not wanted means. */
static void judge_mode(const struct doctor_scene *scene, struct doctor_finding *finding, const char *name,
                       const char *wanted, const char *matters, const char *next)
{
    const struct doctor_fact *mode = fact_of(scene, name);
    bool on = strcmp(mode->text, "on") == 0;
    if (!mode->text[0])
        not_told(finding, mode->why, matters);
    else
        doctor_found(finding, !wanted || strcmp(mode->text, wanted) == 0 ? DOCTOR_GOOD : DOCTOR_WARN, on, matters, next,
                     "%s", mode->text);
}

void look_gpu_persistence(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    judge_mode(scene, finding, "persistence", "on",
               "the driver forgets the GPU when nobody uses it: the first call of a run pays seconds, and clocks that "
               "were set are lost",
               "sudo nvidia-smi -pm 1");
}

void look_gpu_mig(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    judge_mode(scene, finding, "mig", "off", "this is a part of a GPU, and the other parts share its power and clock",
               "name the part beside the numbers; whole GPU: ask the administrator to switch MIG off");
}

void look_gpu_ecc(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    judge_mode(scene, finding, "ecc", NULL, "on cards without HBM it costs memory and bandwidth", NULL);
}

void look_gpu_display(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct duel_property *watchdog = doctor_property(scene->place, "display_watchdog");
    if (!watchdog)
        not_told(finding, "no such property", "a screen takes time of the GPU");
    else if (watchdog->number > 0)
        doctor_found(finding, DOCTOR_WARN, 1,
                     "the screen is drawn between kernels, and kernels of more than some seconds are ended",
                     "measure without a desktop, or on another card", "it drives a screen, with a watchdog");
    else
        doctor_found(finding, DOCTOR_GOOD, 0, NULL, NULL, "no screen, no watchdog");
}

/* ---- power, heat, clock, link ----------------------------------------------------------------------------- */

void look_gpu_power_limit(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct doctor_fact *limit = fact_of(scene, "power_limit_w"), *usual = fact_of(scene, "power_limit_default_w");
    const char *matters = "the card is measured below what it was built for";
    if (isnan(limit->number))
        not_told(finding, limit->why, matters);
    else if (limit->number < 0.99 * usual->number)
        doctor_found(finding, DOCTOR_WARN, limit->number, matters,
                     "sudo nvidia-smi -pl with the default, unless the limit is what you study",
                     "%.0f W, where %.0f W is the default", limit->number, usual->number);
    else
        doctor_found(finding, DOCTOR_GOOD, limit->number, NULL, NULL, "%.0f W", limit->number);
}

void look_gpu_temperature(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct duel_reading *heat = &scene->gpu->now.temperature_c;
    const char *matters = "near its limit a GPU lowers its clock, and later samples are slower than earlier ones";
    if (heat->count == 0)
        not_told(finding, heat->why, matters);
    else
        doctor_found(finding,
                     heat->max >= 87   ? DOCTOR_BAD
                     : heat->max >= 78 ? DOCTOR_WARN
                                       : DOCTOR_GOOD,
                     heat->max, matters, "let it cool down, clean the fans", "%.0f degrees C", heat->max);
}

void look_gpu_clock(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct duel_telemetry_summary *now = &scene->gpu->now;
    const struct doctor_fact *most = fact_of(scene, "clock_sm_max_mhz");
    const char *matters = "the clock decides every rate of this GPU";
    const char *next =
        "`nvidia-smi -q -d CLOCK,PERFORMANCE` tells more; sudo nvidia-smi -rgc and -rac give clocks free";
    if (now->sm_clock_mhz.count == 0 || isnan(most->number)) {
        not_told(finding, now->sm_clock_mhz.count == 0 ? now->sm_clock_mhz.why : most->why, matters);
        return;
    }
    const char *reasons = now->clock_reasons[0] ? now->clock_reasons : "not told";
    bool held = now->clock_limited_share.value > 0; /* false for NaN */
    bool chosen = strstr(reasons, "application clocks") != NULL;
    doctor_found(finding,
                 held     ? DOCTOR_BAD
                 : chosen ? DOCTOR_WARN
                          : DOCTOR_GOOD,
                 now->sm_clock_mhz.median,
                 held ? "power or heat holds the clock back before anything was measured"
                      : "someone chose this clock, and it may not be the highest",
                 next, "%.0f of %.0f MHz now, held back by: %s", now->sm_clock_mhz.median, most->number, reasons);
}

void look_gpu_link(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct duel_telemetry_summary *now = &scene->gpu->now;
    const struct doctor_fact *width = fact_of(scene, "pcie_width_max");
    const struct doctor_fact *generation = fact_of(scene, "pcie_generation_max");
    const char *matters = "every copy is slower than the card could do, and end-to-end times with it";
    if (now->pcie_width.count == 0 || now->pcie_generation.count == 0 || isnan(width->number))
        not_told(finding, now->pcie_width.count == 0 ? now->pcie_width.why : width->why, matters);
    else if (now->pcie_width.max < width->number)
        doctor_found(finding, DOCTOR_BAD, now->pcie_width.max, matters,
                     "put the card into a slot with all lanes; look at the riser and the mainboard's manual",
                     "%.0f of %.0f lanes", now->pcie_width.max, width->number);
    else /* an idle link rests in a lower generation; only `duel transfer` can tell what it does under load */
        doctor_found(finding, DOCTOR_GOOD, now->pcie_width.max, NULL, NULL,
                     "%.0f lanes of generation %.0f at most, %.0f while idle", now->pcie_width.max, generation->number,
                     now->pcie_generation.max);
}
