/* doctor_gpu.c: cards that are not here: facts and readings made up by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/doctor/doctor_look.h"
#include "tests/telemetry/machine.h"
#include "tests/unit/run_dir.h"

static struct duel_place place;
static struct doctor_gpu gpu;

static void fact(const char *name, const char *text, double number)
{
    struct doctor_fact *to = (struct doctor_fact *)doctor_gpu_fact(&gpu, name);
    if (!gpu.facts || strcmp(to->name, name) != 0)
        to = &gpu.fact[gpu.facts++];
    snprintf(to->name, sizeof to->name, "%s", name);
    snprintf(to->text, sizeof to->text, "%s", text);
    to->number = number;
}

static void property(const char *name, const char *text, double number)
{
    struct duel_property *to = &place.info.property[place.info.property_count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    snprintf(to->text, sizeof to->text, "%s", text);
    to->number = number;
}

/* A GPU of which nothing is known yet. */
static struct doctor_scene scene_gpu(void)
{
    struct doctor_scene scene = scene_unknown();
    memset(&place, 0, sizeof place);
    memset(&gpu, 0, sizeof gpu);
    telemetry_unknown(&gpu.now, "no permission");
    scene.place = &place;
    scene.gpu = &gpu;
    return scene;
}

static void unknown_is_not_good(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_gpu();
    for (const struct doctor_check *check = doctor_check_table; check->name; check++)
        if (check->gpu && strcmp(check->name, "gpu_status") != 0)
            look(&scene, check->name, DOCTOR_UNKNOWN, "not told: no");
}

static void judges_status_and_versions(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_gpu();
    place.info = (struct duel_device_info){.name = "NVIDIA H200", .usable = true};
    look(&scene, "gpu_status", DOCTOR_GOOD, "NVIDIA H200, ready");
    place.info = (struct duel_device_info){.status = "no driver", .why = {"x", "it is skipped", "install it"}};
    look(&scene, "gpu_status", DOCTOR_UNKNOWN, "none here: no driver");
    property("cuda_driver_version", "13.0", 0);
    property("cuda_runtime_version", "12.4", 0);
    look(&scene, "gpu_versions", DOCTOR_GOOD, "CUDA 13.0, this build is of 12.4");
    snprintf(place.info.property[0].text, sizeof place.info.property[0].text, "12.2");
    look(&scene, "gpu_versions", DOCTOR_WARN, "CUDA 12.2");
    property("display_watchdog", "", 1);
    look(&scene, "gpu_display", DOCTOR_WARN, "screen");
}

static void judges_modes_and_company(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_gpu();
    fact("persistence", "off", NAN);
    fact("mig", "on", NAN);
    fact("ecc", "off", NAN);
    fact("gpu_processes_other", "", 2);
    look(&scene, "gpu_persistence", DOCTOR_WARN, "off");
    look(&scene, "gpu_mig", DOCTOR_WARN, "on");
    look(&scene, "gpu_ecc", DOCTOR_GOOD, "off");
    look(&scene, "gpu_processes", DOCTOR_BAD, "2 other programs");
    fact("persistence", "on", NAN);
    fact("mig", "off", NAN);
    fact("gpu_processes_other", "", 0);
    look(&scene, "gpu_persistence", DOCTOR_GOOD, "on");
    look(&scene, "gpu_mig", DOCTOR_GOOD, "off");
    look(&scene, "gpu_processes", DOCTOR_GOOD, "no other");
}

static struct duel_reading reading(double value)
{
    return (struct duel_reading){.count = 2, .min = value, .median = value, .max = value};
}

static void judges_power_heat_clock_and_link(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_gpu();
    fact("power_limit_w", "", 500);
    fact("power_limit_default_w", "", 700);
    look(&scene, "gpu_power_limit", DOCTOR_WARN, "500 W, where 700 W");
    fact("power_limit_w", "", 700);
    look(&scene, "gpu_power_limit", DOCTOR_GOOD, "700 W");
    gpu.now.temperature_c = reading(45);
    look(&scene, "gpu_temperature", DOCTOR_GOOD, "45 degrees");
    gpu.now.temperature_c = reading(88);
    look(&scene, "gpu_temperature", DOCTOR_BAD, "88 degrees");
    fact("clock_sm_max_mhz", "", 1980);
    gpu.now.sm_clock_mhz = reading(345);
    snprintf(gpu.now.clock_reasons, sizeof gpu.now.clock_reasons, "idle");
    look(&scene, "gpu_clock", DOCTOR_GOOD, "345 of 1980 MHz now, held back by: idle");
    snprintf(gpu.now.clock_reasons, sizeof gpu.now.clock_reasons, "application clocks");
    look(&scene, "gpu_clock", DOCTOR_WARN, "application clocks");
    snprintf(gpu.now.clock_reasons, sizeof gpu.now.clock_reasons, "thermal slowdown by the hardware");
    gpu.now.clock_limited_share.value = 1;
    look(&scene, "gpu_clock", DOCTOR_BAD, "thermal slowdown");
    fact("pcie_width_max", "", 16);
    fact("pcie_generation_max", "", 5);
    gpu.now.pcie_generation = reading(1);
    gpu.now.pcie_width = reading(16);
    look(&scene, "gpu_link", DOCTOR_GOOD, "16 lanes of generation 5 at most, 1 while idle");
    gpu.now.pcie_width = reading(8);
    look(&scene, "gpu_link", DOCTOR_BAD, "8 of 16 lanes");
}

/* From the driver's library to the finding: the names that telemetry gives its facts are the ones looked for here. */
static void asks_the_driver(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_gpu();
    void *handle = NULL;
    struct script *script = library_script(library_path(NULL), &handle);
    property("pci_bus_id", script->gpu, 0);
    script->generation = 4;
    script->width = 8;
    script->temperature_c = 91;
    script->ecc = 1;
    script->processes = 0;
    assert_int_equal(setenv("DUEL_NVML", library_path(NULL), 1), 0);
    doctor_gpu_ask(&gpu, &place);
    assert_int_equal(unsetenv("DUEL_NVML"), 0);
    library_close(handle);
    look(&scene, "gpu_ecc", DOCTOR_GOOD, "on");
    look(&scene, "gpu_processes", DOCTOR_GOOD, "no other");
    look(&scene, "gpu_temperature", DOCTOR_BAD, "91 degrees");
    static const char *const known[] = {
        "persistence",     "mig", "power_limit_w", "power_limit_default_w", "pcie_generation_max", "pcie_width_max",
        "clock_sm_max_mhz"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct doctor_fact *fact_known = doctor_gpu_fact(&gpu, known[i]);
        if (strcmp(fact_known->name, known[i]) != 0 || fact_known->why[0])
            fail_msg("%s: %s", known[i], fact_known->why);
    }
    assert_true(gpu.now.pcie_width.max == 8 && gpu.now.sm_clock_mhz.count > 0);
}

static void a_card_that_cannot_be_asked_is_unknown(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_gpu();
    assert_int_equal(setenv("DUEL_NVML", "/nowhere/management.so", 1), 0);
    doctor_gpu_ask(&gpu, &place); /* without an address */
    look(&scene, "gpu_temperature", DOCTOR_UNKNOWN, "address");
    property("pci_bus_id", "0000:17:00.0", 0);
    doctor_gpu_ask(&gpu, &place); /* without a library */
    look(&scene, "gpu_temperature", DOCTOR_UNKNOWN, "/nowhere/management.so");
    look(&scene, "gpu_processes", DOCTOR_UNKNOWN, "/nowhere/management.so");
    assert_int_equal(unsetenv("DUEL_NVML"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(unknown_is_not_good),      RUN_DIR_TEST(judges_status_and_versions),
        RUN_DIR_TEST(judges_modes_and_company), RUN_DIR_TEST(judges_power_heat_clock_and_link),
        RUN_DIR_TEST(asks_the_driver),          RUN_DIR_TEST(a_card_that_cannot_be_asked_is_unknown),
    };
    return cmocka_run_group_tests(tests, library_make, library_drop);
}
