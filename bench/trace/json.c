/* json.c: a trace as data. The page of page.c shows nothing else. Names carry units; what was not counted is left out.
 */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/trace/trace.h"

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, json_string(text));
}

/* Whole numbers stay whole; what is not known is not there. */
static void set_number(json_t *object, const char *key, double value)
{
    if (!isfinite(value))
        return;
    const bool whole = value == floor(value) && fabs(value) < 9e15;
    json_object_set_new(object, key, whole ? json_integer((json_int_t)value) : json_real(value));
}

/* Of a kind of work that nothing was seen of, nothing is known either. */
static void set_count(json_t *object, const char *key, double value)
{
    if (value > 0)
        set_number(object, key, value);
}

static void set_place(json_t *object, const struct duel_trace_place *place)
{
    if (!*place->file)
        return;
    set_text(object, "file", trace_file(place->file));
    set_number(object, "line", place->line);
}

static json_t *line_json(const struct duel_trace_line *line)
{
    static const char *const access[] = {"load", "store", "atomic"};
    json_t *object = json_object();
    set_place(object, &line->place);
    set_text(object, "access", access[line->access]);
    set_text(object, "space", line->shared ? "shared" : "global");
    set_number(object, "bytes_per_lane", line->bytes);
    set_number(object, "requests", (double)line->requests);
    set_number(object, "lanes", (double)line->lanes);
    set_number(object, line->shared ? "rounds" : "sectors", (double)line->units);
    set_number(object, line->shared ? "rounds_best" : "sectors_best", (double)line->units_best);
    set_number(object, "worst", line->worst);
    set_number(object, "uncertain_requests", (double)line->uncertain);
    return object;
}

static json_t *flops_json(const struct duel_trace_flops *flops)
{
    json_t *object = json_object();
    set_place(object, &flops->place);
    for (int type = 1; type < DUEL_DTYPES; type++)
        if (flops->count[type] > 0)
            set_number(object, dtype_name((enum duel_dtype)type), (double)flops->count[type]);
    if (flops->tensor > 0)
        set_number(object, "tensor", (double)flops->tensor);
    return object;
}

static json_t *meeting_json(const struct duel_trace_meeting *meeting)
{
    json_t *object = json_object();
    set_place(object, &meeting->place);
    set_text(object, "kind", meeting->barrier ? "barrier" : "warp");
    set_number(object, "blocks", (double)meeting->blocks);
    set_number(object, "warps", (double)meeting->warps);
    return object;
}

/* Operand of this name; -1 for other arrays. */
static int operand_of(const struct duel_trace *trace, const char *array)
{
    for (int i = 0; i < trace->workload->operands; i++)
        if (strcmp(trace->workload->operand_name[i], array) == 0)
            return i;
    return -1;
}

/* Row and column of a matrix for operands, the number of the byte for other arrays. */
static json_t *element_json(const struct duel_trace *trace, int operand, int64_t offset)
{
    if (operand < 0)
        return json_integer(offset);
    const int64_t size = (int64_t)dtype_size(workload_type(trace->workload, &trace->problem, operand));
    const int64_t ld = trace->problem.ld[operand] > 0 ? trace->problem.ld[operand] : 1;
    return json_pack("[I, I]", (json_int_t)(offset / size / ld), (json_int_t)(offset / size % ld));
}

static json_t *sample_json(const struct duel_trace *trace, const struct duel_traced *kernel,
                           const struct duel_trace_sample *sample)
{
    json_t *object = json_object(), *lanes = json_array();
    const int operand = operand_of(trace, sample->array);
    set_number(object, "row", (double)sample->line);
    set_number(object, "warp", sample->warp);
    set_number(object, "round", sample->round);
    if (operand >= 0)
        set_number(object, "elements_per_lane",
                   kernel->line[sample->line].bytes /
                       (double)dtype_size(workload_type(trace->workload, &trace->problem, operand)));
    set_text(object, "array", *sample->array ? sample->array : "not known");
    for (int lane = 0; lane < 32; lane++)
        json_array_append_new(lanes, sample->lanes >> lane & 1U ? element_json(trace, operand, sample->offset[lane])
                                                                : json_null());
    json_object_set_new(object, operand < 0 ? "lane_offset_bytes" : "lane_row_column", lanes);
    return object;
}

static json_t *occupancy_json(const struct duel_trace *trace, const struct duel_trace_kernel *about, int capability)
{
    const struct duel_processor_limits *limits = occupancy_limits(capability);
    const int registers = trace_registers(trace->impl->name, about->name, capability);
    const struct duel_launch launch = {(int64_t)about->block[0] * about->block[1] * about->block[2], registers,
                                       (int64_t)(about->shared_bytes + about->dynamic_bytes)};
    json_t *object = json_object();
    if (!limits)
        return object;
    const struct duel_occupancy occupancy = occupancy_of(limits, &launch);
    set_number(object, "compute_capability", capability);
    if (registers > 0) {
        set_number(object, "registers", registers);
        set_number(object, "spilled_bytes", 0);
    } else {
        set_text(object, "registers_why", "not measured: gpu/static.csv has none for it");
    }
    set_number(object, "blocks_per_processor", occupancy.blocks);
    set_number(object, "share_most", occupancy.share);
    set_text(object, "limit", occupancy.limit);
    return object;
}

#define LIST(object, key, count, item)              \
    do {                                            \
        json_t *list = json_array();                \
        for (int64_t i = 0; i < (count); i++)       \
            json_array_append_new(list, (item));    \
        json_object_set_new((object), (key), list); \
    } while (0)

static json_t *kernel_json(const struct duel_trace *trace, const struct duel_traced *kernel, int capability)
{
    const struct duel_trace_kernel *about = &kernel->about;
    json_t *object = json_object();
    set_text(object, "name", about->name);
    json_object_set_new(object, "grid",
                        json_pack("[i, i, i]", (int)about->grid[0], (int)about->grid[1], (int)about->grid[2]));
    json_object_set_new(object, "block",
                        json_pack("[i, i, i]", (int)about->block[0], (int)about->block[1], (int)about->block[2]));
    set_number(object, "shared_bytes", (double)about->shared_bytes);
    set_number(object, "dynamic_shared_bytes", (double)about->dynamic_bytes);
    set_number(object, "launches", (double)about->launches);
    set_number(object, "blocks", (double)about->blocks);
    set_number(object, "warps", (double)about->warps);
    set_number(object, "block_issues", (double)about->issues);
    set_number(object, "active_lanes", (double)about->active);
    json_object_set_new(object, "occupancy", occupancy_json(trace, about, capability));
    LIST(object, "lines", about->lines, line_json(&kernel->line[i]));
    LIST(object, "flops", about->flops, flops_json(&kernel->flops[i]));
    LIST(object, "meetings", about->meetings, meeting_json(&kernel->meeting[i]));
    LIST(object, "first_block", about->samples, sample_json(trace, kernel, &kernel->sample[i]));
    return object;
}

static json_t *totals_json(const struct duel_trace *trace)
{
    const struct duel_trace_totals *total = &trace->total;
    json_t *object = json_object();
    set_number(object, "global_requests", total->requests);
    set_number(object, "global_sectors", total->sectors);
    set_number(object, "global_sectors_best", total->sectors_best);
    set_number(object, "global_bytes", total->global_bytes);
    set_number(object, "global_asked_bytes", total->asked_bytes);
    set_count(object, "shared_requests", total->shared_requests);
    set_count(object, "shared_asked_bytes", total->shared_bytes);
    set_count(object, "shared_rounds", total->rounds);
    set_count(object, "shared_rounds_best", total->rounds_best);
    set_number(object, "flops", total->all_flops);
    if (isnan(total->all_flops))
        set_text(object, "flops_why", "not measured: this kernel told of no arithmetic");
    set_count(object, "tensor_flops", total->tensor_flops);
    set_count(object, "barriers", total->barriers);
    set_count(object, "atomics", total->atomics);
    set_number(object, "busy_lanes_share", total->efficiency);
    set_number(object, "uncertain_requests", total->uncertain);
    set_number(object, "compulsory_bytes", trace->compulsory_bytes);
    set_number(object, "defined_flops", trace->defined_flops);
    return object;
}

static json_t *prediction_json(const struct duel_trace *trace, const struct duel_card *card)
{
    const struct duel_work work = trace_work(trace);
    struct duel_prediction p;
    struct duel_why why;
    json_t *object = json_object();
    set_text(object, "card", card->name);
    set_text(object, "what", "predicted, not measured");
    if (card_predict(card, &work, &p, &why) != DUEL_OK) {
        set_text(object, "predicted_why", why.seen);
        return object;
    }
    set_number(object, "predicted_least_s", p.least_s);
    set_text(object, "limit", duel_part_name[p.limit]);
    set_number(object, "predicted_without_caches_s", p.most_s);
    set_text(object, "limit_without_caches", duel_part_name[p.limit_most]);
    return object;
}

json_t *trace_json(const struct duel_trace *trace, int capability, const struct duel_card *card)
{
    json_t *object = json_object(), *kernels = json_array();
    set_text(object, "record", "trace");
    set_text(object, "implementation", trace->impl->name);
    set_text(object, "source_file", trace_source_file(trace));
    set_text(object, "model", "source-level: no caches, no clocks; counted on the emulated GPU");
    set_text(object, "precision", dtype_name(trace->problem.types.in));
    set_number(object, "m", (double)trace->problem.m);
    set_number(object, "n", (double)trace->problem.n);
    set_number(object, "k", (double)trace->problem.k);
    json_object_set_new(object, "total", totals_json(trace));
    for (size_t i = 0; i < trace->kernels; i++)
        json_array_append_new(kernels, kernel_json(trace, &trace->kernel[i], capability));
    json_object_set_new(object, "kernels", kernels);
    if (card)
        json_object_set_new(object, "prediction", prediction_json(trace, card));
    return object;
}
