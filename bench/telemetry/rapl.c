/* rapl.c: sums the energy counters of all processor packages. */
#include "bench/telemetry/rapl.h"

#include <string.h>

#include "bench/telemetry/root_file.h"

#define POWERCAP "/sys/class/powercap/intel-rapl:"

/* Reads the file `leaf` of zone `number`. Zones of the memory-mapped interface (intel-rapl-mmio) show the same packages
 * a second time and are left alone; so are the parts inside a package (intel-rapl:0:1), which its own counter holds. */
static bool read_zone(const struct rapl *rapl, int number, const char *leaf, uint64_t *value, char *why, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, POWERCAP "%d/%s", number, leaf);
    return root_file_count(rapl->root, path, value, why, size);
}

/* "package-0" or "package-0-die-1"; a zone "psys" is the whole platform and would count the packages again. */
static bool is_package(const struct rapl *rapl, int number)
{
    char path[96], name[64], why[120];
    snprintf(path, sizeof path, POWERCAP "%d/name", number);
    return root_file_line(rapl->root, path, name, sizeof name, why, sizeof why) && strncmp(name, "package", 7) == 0;
}

void rapl_open(struct rapl *rapl, const char *root)
{
    char unused[120];
    memset(rapl, 0, sizeof *rapl);
    rapl->root = root;
    for (int number = 0; number < RAPL_PACKAGES; number++) {
        if (!is_package(rapl, number))
            continue;
        int at = rapl->packages++;
        rapl->number[at] = number;
        if (!read_zone(rapl, number, "max_energy_range_uj", &rapl->range_uj[at], unused, sizeof unused))
            rapl->range_uj[at] = 0;
    }
    if (!rapl->packages)
        snprintf(rapl->why, sizeof rapl->why, "no energy counter of the processor is visible (powercap)");
}

void rapl_begin(struct rapl *rapl)
{
    rapl->joules = 0;
    if (!rapl->packages)
        return;
    *rapl->why = '\0';
    for (int i = 0; i < rapl->packages && !*rapl->why; i++)
        read_zone(rapl, rapl->number[i], "energy_uj", &rapl->last_uj[i], rapl->why, sizeof rapl->why);
}

/* What one package used since its last reading; a smaller count than before means that the counter wrapped round. */
static bool add_package(struct rapl *rapl, int i)
{
    uint64_t now, last = rapl->last_uj[i], range = rapl->range_uj[i];
    if (!read_zone(rapl, rapl->number[i], "energy_uj", &now, rapl->why, sizeof rapl->why))
        return false;
    if (now < last && range < last) {
        snprintf(rapl->why, sizeof rapl->why, "energy_uj ran backwards and its range is unknown");
        return false;
    }
    uint64_t used = now >= last ? now - last : range - last + now;
    rapl->joules += (double)used * 1e-6;
    rapl->last_uj[i] = now;
    return true;
}

void rapl_poll(struct rapl *rapl)
{
    /* A part of the packages is not the machine's energy: after one failure the whole interval is unknown. */
    for (int i = 0; i < rapl->packages && !*rapl->why; i++)
        if (!add_package(rapl, i))
            return;
}
