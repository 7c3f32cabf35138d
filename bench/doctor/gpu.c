#include "bench/doctor/gpu.h"

#include <math.h>
#include <string.h>
#include <time.h>

static void keep(void *context, const struct duel_telemetry_fact *fact)
{
    struct doctor_gpu *gpu = context;
    if (gpu->facts == DOCTOR_FACTS)
        return;
    struct doctor_fact *to = &gpu->fact[gpu->facts++];
    snprintf(to->name, sizeof to->name, "%s", fact->name);
    snprintf(to->text, sizeof to->text, "%s", fact->why || !fact->text ? "" : fact->text);
    snprintf(to->why, sizeof to->why, "%s", fact->why ? fact->why : "");
    to->number = fact->why || fact->text ? NAN : fact->number;
}

const struct duel_property *doctor_property(const struct duel_place *place, const char *name)
{
    for (int i = 0; i < place->info.property_count; i++)
        if (strcmp(place->info.property[i].name, name) == 0)
            return &place->info.property[i];
    return NULL;
}

void doctor_gpu_ask(struct doctor_gpu *gpu, const struct duel_place *place)
{
    const struct duel_property *bus = doctor_property(place, "pci_bus_id");
    const struct timespec rest = {0, 60000000}; /* a little longer than telemetry rests between readings */
    struct duel_telemetry *telemetry = NULL;
    struct duel_why why = {{0}, {0}, {0}};
    memset(gpu, 0, sizeof *gpu);
    telemetry_unknown(&gpu->now, "the device does not tell its address");
    if (!bus)
        return;
    const struct duel_telemetry_options options = {.gpu = bus->text};
    telemetry_open(&telemetry, &options, &why); /* a failure is the reason of every field */
    telemetry_facts(telemetry, keep, gpu);
    telemetry_begin(telemetry);
    for (int i = 0; i < 2; i++) {
        nanosleep(&rest, NULL);
        telemetry_poll(telemetry);
    }
    if (telemetry)
        telemetry_end(telemetry, &gpu->now);
    telemetry_close(telemetry);
}

const struct doctor_fact *doctor_gpu_fact(const struct doctor_gpu *gpu, const char *name)
{
    static const struct doctor_fact unknown = {.number = (double)NAN, .why = "not told"};
    for (int i = 0; i < gpu->facts; i++)
        if (strcmp(gpu->fact[i].name, name) == 0)
            return &gpu->fact[i];
    return &unknown;
}
