/* occupancy.c: how many blocks of a kernel one multiprocessor holds at once. Warps that are there together hide each
 * other's waiting; this says how many there can be, not how many are needed. */
#include <stdlib.h>
#include <string.h>

#include "bench/cards/cards.h"

enum { WARP = 32, REGISTERS = 65536, REGISTER_UNIT = 256, REGISTERS_MOST = 255, PARTS_OF_SM = 4, BLOCK_MOST = 1024 };

static const struct duel_processor_limits limits_table[] = {
    {70, 2048, 32, 96, 96, 256, 0},      {75, 1024, 16, 64, 64, 256, 0},       {80, 2048, 32, 164, 163, 128, 1024},
    {86, 1536, 16, 100, 99, 128, 1024},  {87, 1536, 16, 164, 163, 128, 1024},  {89, 1536, 24, 100, 99, 128, 1024},
    {90, 2048, 32, 228, 227, 128, 1024}, {100, 2048, 32, 228, 227, 128, 1024}, {103, 2048, 32, 228, 227, 128, 1024},
    {120, 1536, 24, 100, 99, 128, 1024}, {121, 1536, 24, 100, 99, 128, 1024},
};
#define KNOWN (sizeof limits_table / sizeof *limits_table)

const struct duel_processor_limits *occupancy_limits(int capability)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (limits_table[i].capability == capability)
            return &limits_table[i];
    return NULL;
}

int occupancy_capability(const char *text)
{
    const char *digits = strncmp(text, "sm_", 3) == 0 ? text + 3 : text;
    for (size_t i = 0; i < KNOWN; i++) {
        const int capability = limits_table[i].capability;
        char whole[16], dotted[16];
        snprintf(whole, sizeof whole, "%d", capability);
        snprintf(dotted, sizeof dotted, "%d.%d", capability / 10, capability % 10);
        if (strcmp(digits, whole) == 0 || strcmp(text, dotted) == 0)
            return capability;
    }
    return 0;
}

void occupancy_names(char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < KNOWN && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%ssm_%d", i ? ", " : "", limits_table[i].capability);
}

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Each part of the multiprocessor has a quarter of the registers and whole warps only. */
static int64_t blocks_by_registers(int registers, int64_t warps)
{
    if (registers <= 0)
        return INT32_MAX;
    const int64_t per_warp = round_up((int64_t)registers * WARP, REGISTER_UNIT);
    return REGISTERS / PARTS_OF_SM / per_warp * PARTS_OF_SM / warps;
}

static int64_t blocks_by_shared(const struct duel_processor_limits *limits, int64_t bytes)
{
    const int64_t share = round_up(bytes + limits->shared_reserved, limits->shared_unit);
    return share > 0 ? (int64_t)limits->shared_kib * 1024 / share : INT32_MAX;
}

struct duel_occupancy occupancy_of(const struct duel_processor_limits *limits, const struct duel_launch *launch)
{
    const int64_t warps = (launch->threads + WARP - 1) / WARP;
    struct duel_occupancy occupancy = {.most_warps = limits->threads / WARP, .limit = "threads"};
    if (launch->threads < 1 || launch->threads > BLOCK_MOST || launch->registers > REGISTERS_MOST ||
        launch->shared_bytes < 0 || launch->shared_bytes > (int64_t)limits->shared_per_block_kib * 1024) {
        occupancy.limit = launch->threads < 1 || launch->threads > BLOCK_MOST ? "threads"
                          : launch->registers > REGISTERS_MOST                ? "registers"
                                                                              : "shared memory";
        return occupancy;
    }
    const struct {
        const char *what;
        int64_t blocks;
    } bounds[] = {{"threads", occupancy.most_warps / warps},
                  {"blocks", limits->blocks},
                  {"registers", blocks_by_registers(launch->registers, warps)},
                  {"shared memory", blocks_by_shared(limits, launch->shared_bytes)}};
    int64_t blocks = INT32_MAX;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (bounds[i].blocks < blocks) {
            blocks = bounds[i].blocks;
            occupancy.limit = bounds[i].what;
        }
    occupancy.blocks = (int)blocks;
    occupancy.warps = (int)(blocks * warps);
    occupancy.share = (double)occupancy.warps / occupancy.most_warps;
    return occupancy;
}
