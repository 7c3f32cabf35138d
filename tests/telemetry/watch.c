/* watch.c: watching the GPU behind the stand-in library. */
#include "tests/telemetry/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/run_dir.h"

static double tick(void *context)
{
    struct watch *watch = context;
    return watch->clock += watch->tick;
}

int watch_make(void **state)
{
    struct watch *watch = *state = calloc(1, sizeof *watch);
    if (!watch || run_dir_make(state) != 0)
        return -1;
    *state = watch;
    watch->gpu = "0000:17:00.0";
    watch->seconds = 4;
    watch->energy_step_mj = 1000000;
    watch_library(watch, library_path(NULL));
    /* In a container, unless a test says otherwise. */
    machine_put("proc/self/ns/mark", "");
    return symlink("pid:[4026532001]", run_dir_path("proc/self/ns/pid"));
}

int watch_drop(void **state)
{
    struct watch *watch = *state;
    telemetry_close(watch->telemetry);
    library_close(watch->handle);
    free((char *)(uintptr_t)watch->library);
    free(watch);
    return run_dir_drop(state);
}

void watch_library(struct watch *watch, const char *path)
{
    telemetry_close(watch->telemetry);
    watch->telemetry = NULL;
    if (watch->handle)
        library_close(watch->handle);
    free((char *)(uintptr_t)watch->library);
    watch->library = strdup(path);
    watch->script = library_script(path, &watch->handle);
}

void watch_open(struct watch *watch)
{
    telemetry_close(watch->telemetry);
    struct duel_telemetry_options options = {
        .gpu = watch->gpu, .library = watch->library, .root = run_dir(), .now = tick, .now_context = watch};
    watch->status = telemetry_open(&watch->telemetry, &options, &watch->why);
    assert_non_null(watch->telemetry);
}

const struct duel_telemetry_summary *watch_end(struct watch *watch)
{
    telemetry_end(watch->telemetry, &watch->summary);
    return &watch->summary;
}

static void add(char *text, const char *name, const char *separator, const char *value)
{
    size_t at = strlen(text);
    snprintf(text + at, 4000 - at, "%s%s%s ", name, separator, value);
}

static void gather(void *context, const struct duel_telemetry_fact *fact)
{
    struct watch *watch = context;
    char number[32];
    snprintf(number, sizeof number, "%g", fact->number);
    if (fact->why) {
        assert_true(*fact->why && !fact->text && isnan(fact->number));
        add(watch->facts_why, fact->name, ": ", fact->why);
    }
    add(watch->facts, fact->name, fact->why ? "?" : "=", fact->why ? "" : fact->text ? fact->text : number);
}

void watch_run(struct watch *watch)
{
    watch_open(watch);
    telemetry_begin(watch->telemetry);
    telemetry_poll(watch->telemetry);
    watch->clock += watch->seconds;
    watch->script->energy_mj += (unsigned long long)watch->energy_step_mj;
    telemetry_poll(watch->telemetry);
    watch_end(watch);
    *watch->facts = *watch->facts_why = '\0';
    telemetry_facts(watch->telemetry, gather, watch);
}

/* ---- what is unknown -------------------------------------------------------------------------------------------- */

struct named {
    const char *name;
    double value;
    const char *why;
};

/* The GPU's part of a summary. */
static size_t list(const struct duel_telemetry_summary *of, struct named *named)
{
    const struct named all[] = {
        {"sm_clock_mhz", of->sm_clock_mhz.median, of->sm_clock_mhz.why},
        {"memory_clock_mhz", of->memory_clock_mhz.median, of->memory_clock_mhz.why},
        {"temperature_c", of->temperature_c.median, of->temperature_c.why},
        {"power_w", of->power_w.median, of->power_w.why},
        {"gpu_busy_percent", of->gpu_busy_percent.median, of->gpu_busy_percent.why},
        {"pcie_generation", of->pcie_generation.median, of->pcie_generation.why},
        {"pcie_width", of->pcie_width.median, of->pcie_width.why},
        {"sm_clock_of_max", of->sm_clock_of_max.value, of->sm_clock_of_max.why},
        {"clock_reasons", of->clock_limited_share.value, of->clock_limited_share.why},
        {"gpu_energy_j", of->gpu_energy_j.value, of->gpu_energy_j.why},
    };
    memcpy(named, all, sizeof all);
    return sizeof all / sizeof *all;
}

const char *watch_unknown(const struct watch *watch)
{
    static char unknown[4000];
    struct named named[16];
    size_t count = list(&watch->summary, named);
    *unknown = '\0';
    assert_true(isnan(watch->summary.clock_limited_share.value) == (*watch->summary.clock_reasons == '\0'));
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(named[i].value) && !(isnan(named[i].value) && *named[i].why))
            fail_msg("%s is unknown without a reason", named[i].name);
        if (isnan(named[i].value))
            add(unknown, named[i].name, "", "");
    }
    char facts[4000], *rest = facts;
    snprintf(facts, sizeof facts, "%s", watch->facts);
    for (const char *word; (word = strtok_r(rest, " ", &rest));)
        if (word[strlen(word) - 1] == '?')
            add(unknown, word, "", "");
    return unknown;
}

const char *watch_why(const struct watch *watch, const char *names)
{
    struct named named[16];
    size_t count = list(&watch->summary, named);
    for (size_t i = 0; i < count; i++)
        if (strncmp(named[i].name, names, strcspn(names, " ")) == 0 && strlen(named[i].name) == strcspn(names, " "))
            return named[i].why;
    return watch->facts_why;
}
