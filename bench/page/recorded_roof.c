/* recorded_roof.c: ceilings and what stands under them, as `duel roofline` wrote them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/page/recorded.h"
#include "bench/record/reader.h"

enum { MOST = 20000 };

static void take_text(const json_t *record, const char *name, char *out, size_t size)
{
    const char *text = reader_text(record, name);
    snprintf(out, size, "%s", text ? text : "");
}

static int64_t take_count(const json_t *record, const char *name)
{
    const int64_t count = reader_count(record, name);
    return count > 0 ? count : 0;
}

enum duel_dtype recorded_type(const json_t *record)
{
    const char *name = reader_text(record, "precision");
    for (int type = 0; name && type < DUEL_DTYPES; type++)
        if (strcmp(dtype_name((enum duel_dtype)type), name) == 0)
            return (enum duel_dtype)type;
    return DUEL_NONE;
}

/* The levels of a CPU by their distance from the arithmetic; the memory is the farthest. */
static int rank_of(const char *level)
{
    return level[0] == 'L' && level[1] >= '1' && level[1] <= '9' ? level[1] - '1' : 9;
}

enum duel_status recorded_roof(struct duel_recorded *recorded, const json_t *record)
{
    if (recorded->roofs == MOST)
        return DUEL_OK;
    struct duel_roof *grown = realloc(recorded->roof, (recorded->roofs + 1) * sizeof *grown);
    if (!grown)
        return DUEL_ENOMEM;
    recorded->roof = grown;
    struct duel_roof *roof = &grown[recorded->roofs++];
    *roof = (struct duel_roof){.in = recorded_type(record),
                               .threads = (int)(take_count(record, "threads") & 0xffff),
                               .working_set_bytes = take_count(record, "working_set_bytes"),
                               .capacity_bytes = take_count(record, "capacity_bytes"),
                               .gflops = reader_real(record, "gflops"),
                               .gbps = reader_real(record, "gbps"),
                               .tries = take_count(record, "tries")};
    take_text(record, "device", roof->device, sizeof roof->device);
    take_text(record, "kind", roof->kind, sizeof roof->kind);
    take_text(record, "level", roof->level, sizeof roof->level);
    take_text(record, "loop", roof->loop, sizeof roof->loop);
    roof->rank = rank_of(roof->level);
    return DUEL_OK;
}

enum duel_status recorded_placement(struct duel_recorded *recorded, const json_t *record)
{
    if (recorded->placements == MOST)
        return DUEL_OK;
    struct duel_placement *grown = realloc(recorded->placement, (recorded->placements + 1) * sizeof *grown);
    if (!grown)
        return DUEL_ENOMEM;
    recorded->placement = grown;
    struct duel_placement *place = &grown[recorded->placements++];
    *place = (struct duel_placement){.gflops = reader_real(record, "gflops"),
                                     .gflops_lo = reader_real(record, "gflops_lo"),
                                     .gflops_hi = reader_real(record, "gflops_hi"),
                                     .intensity = reader_real(record, "intensity"),
                                     .no_reuse_intensity = reader_real(record, "no_reuse_intensity"),
                                     .roof_gflops = reader_real(record, "roof_gflops"),
                                     .roof_percent = reader_real(record, "roof_percent"),
                                     .modelled_bytes = reader_real(record, "modelled_bytes"),
                                     .modelled_intensity = reader_real(record, "modelled_intensity"),
                                     .modelled_roof_gflops = reader_real(record, "modelled_roof_gflops"),
                                     .modelled_roof_percent = reader_real(record, "modelled_roof_percent"),
                                     .threads = (int)(take_count(record, "threads") & 0xffff),
                                     .status = ROW_FAILED};
    place->problem.types.in = recorded_type(record);
    place->problem.m = take_count(record, "m");
    place->problem.n = take_count(record, "n");
    place->problem.k = take_count(record, "k");
    place->problem.count = take_count(record, "count");
    take_text(record, "implementation", place->implementation, sizeof place->implementation);
    take_text(record, "device", place->device, sizeof place->device);
    take_text(record, "status", place->status_text, sizeof place->status_text);
    take_text(record, "reason", place->reason, sizeof place->reason);
    take_text(record, "limit", place->limit, sizeof place->limit);
    take_text(record, "home", place->home, sizeof place->home);
    take_text(record, "feeds_without_reuse", place->no_reuse, sizeof place->no_reuse);
    if (strcmp(place->status_text, "ok") == 0)
        place->status = ROW_OK;
    return DUEL_OK;
}
