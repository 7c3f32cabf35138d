/* roof.c: the fields of the records about ceilings. */
#include "bench/record/roof.h"

#define ROOF(member) offsetof(struct duel_roof, member)
#define PLACE(member) offsetof(struct duel_placement, member)

static const char *why_no_ceiling(const void *row)
{
    const struct duel_roof *roof = row;
    return roof->tries > 0 ? NULL : roof->why;
}

static const char *why_no_roof(const void *row)
{
    return ((const struct duel_placement *)row)->roof_why;
}

static const char *why_no_model(const void *row)
{
    return ((const struct duel_placement *)row)->modelled_why;
}

static const char *why_no_lo(const void *row)
{
    return value_why_no_end(((const struct duel_placement *)row)->gflops,
                            ((const struct duel_placement *)row)->gflops_lo);
}

static const char *why_no_hi(const void *row)
{
    return value_why_no_end(((const struct duel_placement *)row)->gflops,
                            ((const struct duel_placement *)row)->gflops_hi);
}

static const struct duel_cell roof_cells[] = {
    {"device", "", true, value_text, ROOF(device), NULL, "`cpu`, `cuda:0`"},
    {"kind", "", true, value_text, ROOF(kind), NULL, "`arithmetic` or `memory`"},
    {"precision", "", true, value_dtype, ROOF(in), NULL,
     "input type of the multiply-adds; fp16 and the like on a GPU "
     "run on Tensor Cores"},
    {"level", "", true, value_text, ROOF(level), NULL, "`L1`, `L2`, `L3` or `memory`"},
    {"loop", "", true, value_text, ROOF(loop), NULL, "`copy` (c = a), `triad` (a = b + s c) or `read` (sum of a)"},
    {"threads", "", true, value_threads, ROOF(threads), NULL, "CPU threads; empty on a GPU"},
    {"working_set_bytes", "B", true, value_count, ROOF(working_set_bytes), NULL, "of all arrays of the loop together"},
    {"capacity_bytes", "B", true, value_count, ROOF(capacity_bytes), NULL, "of this level for so many threads"},
    {"gflops", "GFLOP/s", true, value_positive, ROOF(gflops), NULL, "highest rate of multiply-adds in registers"},
    {"gbps", "GB/s", true, value_positive, ROOF(gbps), why_no_ceiling,
     "highest rate, counted as STREAM does: what the loop names, without write-allocate"},
    {"tries", "", true, value_count, ROOF(tries), NULL, "measurements of which this is the highest"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet roof_sheet = {"roof", roof_cells};

static const struct duel_cell placement_cells[] = {
    {"implementation", "", true, value_text, PLACE(implementation), NULL, "full name"},
    {"device", "", true, value_text, PLACE(device), NULL, "where it ran"},
    {"status", "", true, value_text, PLACE(status_text), NULL, "`ok`, or `FAILED` when it is wrong or above its roof"},
    {"reason", "", true, value_text, PLACE(reason), NULL, "why it failed"},
    {"m", "", true, value_extent, PLACE(problem.m), NULL, "as in a result"},
    {"n", "", true, value_extent, PLACE(problem.n), NULL, "as in a result"},
    {"k", "", true, value_extent, PLACE(problem.k), NULL, "as in a result"},
    {"count", "", true, value_extent, PLACE(problem.count), NULL, "as in a result"},
    {"precision", "", true, value_dtype, PLACE(problem.types.in), NULL, "type of the inputs"},
    {"threads", "", true, value_threads, PLACE(threads), NULL, "CPU threads; empty on a GPU"},
    {"gflops", "GFLOP/s", true, value_positive, PLACE(gflops), NULL, "from the median of the kernel alone"},
    {"gflops_lo", "GFLOP/s", true, value_positive, PLACE(gflops_lo), why_no_lo, "lower end of its 95 % interval"},
    {"gflops_hi", "GFLOP/s", true, value_positive, PLACE(gflops_hi), why_no_hi, "upper end of its 95 % interval"},
    {"intensity", "FLOP/B", true, value_positive, PLACE(intensity), NULL,
     "at compulsory traffic: every input fetched once, every output written once"},
    {"no_reuse_intensity", "FLOP/B", true, value_positive, PLACE(no_reuse_intensity), NULL,
     "when nothing is reused: both factors of every multiply-add are fetched for it alone"},
    {"modelled_bytes", "B", true, value_positive, PLACE(modelled_bytes), why_no_model,
     "that cross from `home` into the cache before it, by a model of the implementation's own blocking: not measured"},
    {"modelled_intensity", "FLOP/B", true, value_positive, PLACE(modelled_intensity), NULL, "at that traffic"},
    {"modelled_cache", "", true, value_text, PLACE(modelled_cache), NULL,
     "the cache before `home`; empty: the model lets nothing stay from one tile to the next"},
    {"modelled_roof_gflops", "GFLOP/s", true, value_positive, PLACE(modelled_roof_gflops), NULL,
     "as roof_gflops, at modelled_intensity"},
    {"modelled_roof_percent", "%", true, value_positive, PLACE(modelled_roof_percent), NULL,
     "gflops of that; above 100 the caches kept more than the model assumes"},
    {"traffic_model", "", false, value_text, PLACE(traffic_model), NULL, "what the model assumes"},
    {"home", "", true, value_text, PLACE(home), NULL, "nearest level that holds all operands"},
    {"roof_gflops", "GFLOP/s", true, value_positive, PLACE(roof_gflops), why_no_roof,
     "the lower one of the arithmetic peak and intensity times the bandwidth of `home`"},
    {"roof_percent", "%", true, value_positive, PLACE(roof_percent), NULL, "gflops of that"},
    {"limit", "", true, value_text, PLACE(limit), NULL, "which of the two is the lower one: `arithmetic` or the level"},
    {"feeds_without_reuse", "", true, value_text, PLACE(no_reuse), NULL,
     "farthest level whose bandwidth would do if nothing were reused; `registers`: no level's would, so operands are "
     "kept in registers"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet placement_sheet = {"placement", placement_cells};
