#include "bench/commands/link.h"

#include <math.h>
#include <string.h>

static double property(const struct duel_device_info *info, const char *name)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, name) == 0 && !*info->property[i].text)
            return info->property[i].number;
    return NAN;
}

static const char *bus_id(const struct duel_device_info *info)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, "pci_bus_id") == 0 && *info->property[i].text)
            return info->property[i].text;
    return NULL;
}

void link_before(struct link_watch *watch, const struct duel_place *place, struct duel_link *link)
{
    struct duel_telemetry_options options = {.gpu = bus_id(&place->info)};
    struct duel_why why = {{0}, {0}, {0}};
    *watch = (struct link_watch){NULL, "the device tells neither PCIe generation nor lanes"};
    link_pcie(link, property(&place->info, "pcie_generation_max"), property(&place->info, "pcie_width_max"),
              watch->why);
    if (isfinite(link->gbps) || !options.gpu)
        return;
    if (telemetry_open(&watch->telemetry, &options, &why) != DUEL_OK)
        snprintf(watch->why, sizeof watch->why, "%.150s", why.seen);
    telemetry_begin(watch->telemetry);
}

void link_poll(struct link_watch *watch)
{
    telemetry_poll(watch->telemetry);
}

void link_after(struct link_watch *watch, struct duel_link *link)
{
    struct duel_telemetry_summary seen;
    if (!watch->telemetry)
        return;
    telemetry_end(watch->telemetry, &seen);
    link_pcie(link, seen.pcie_generation.max, seen.pcie_width.max,
              *seen.pcie_generation.why ? seen.pcie_generation.why : watch->why);
    telemetry_close(watch->telemetry);
    watch->telemetry = NULL;
}
