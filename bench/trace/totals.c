/* totals.c: adds the lines of all kernels up. */
#include <math.h>
#include <string.h>

#include "bench/trace/trace.h"

#define SECTOR 32.0
#define PASS_SECTORS 4 /* the load units deliver 128 bytes per clock */

static void add_line(struct duel_trace_totals *total, const struct duel_trace_line *line)
{
    const double bytes = (double)line->lanes * line->bytes;
    if (line->shared) {
        total->shared_requests += (double)line->requests;
        total->shared_bytes += bytes;
        total->rounds += (double)line->units;
        total->rounds_best += (double)line->units_best;
        total->passes += (double)line->units;
    } else {
        total->requests += (double)line->requests;
        total->lanes += (double)line->lanes;
        total->sectors += (double)line->units;
        total->sectors_best += (double)line->units_best;
        total->asked_bytes += bytes;
        total->passes += fmax((double)line->requests, (double)line->units / PASS_SECTORS);
    }
    if (line->access == DUEL_TRACE_ATOMIC)
        total->atomics += (double)line->lanes;
    total->uncertain += (double)line->uncertain;
}

void trace_add_up(struct duel_trace *trace)
{
    struct duel_trace_totals *total = &trace->total;
    double issues = 0, active = 0;
    *total = (struct duel_trace_totals){0};
    for (size_t k = 0; k < trace->kernels; k++) {
        const struct duel_traced *kernel = &trace->kernel[k];
        for (int64_t i = 0; i < kernel->about.lines; i++)
            add_line(total, &kernel->line[i]);
        for (int64_t i = 0; i < kernel->about.flops; i++) {
            for (int type = 0; type < DUEL_DTYPES; type++)
                total->flops[type] += (double)kernel->flops[i].count[type];
            total->tensor_flops += (double)kernel->flops[i].tensor;
        }
        for (int64_t i = 0; i < kernel->about.meetings; i++)
            total->barriers += kernel->meeting[i].barrier ? (double)kernel->meeting[i].blocks : 0;
        issues += (double)kernel->about.issues;
        active += (double)kernel->about.active;
    }
    total->global_bytes = SECTOR * total->sectors;
    total->efficiency = issues > 0 ? active / (32 * issues) : NAN;
    total->all_flops = total->tensor_flops;
    for (int type = 0; type < DUEL_DTYPES; type++)
        total->all_flops += total->flops[type];
    if (!(total->all_flops > 0)) /* nobody told of any: the kernel was compiled without counting */
        total->all_flops = NAN;
    trace->compulsory_bytes = trace->workload->bytes(&trace->problem);
    trace->defined_flops = trace->workload->flops(&trace->problem);
}

struct duel_work trace_work(const struct duel_trace *trace)
{
    const struct duel_trace_totals *total = &trace->total;
    struct duel_work work = {
        .tensor_flops = total->tensor_flops,
        .tensor_in = trace->problem.types.in,
        .global_bytes = total->global_bytes,
        .compulsory_bytes = trace->compulsory_bytes,
        .passes = total->passes,
    };
    for (int type = 0; type < DUEL_DTYPES; type++)
        work.flops[type] = total->flops[type];
    if (isnan(total->all_flops) && trace->defined_flops > 0)
        work.flops[DUEL_FP32] = NAN;
    return work;
}

const char *trace_file(const char *path)
{
    static const char *const roots[] = {"gpu/", "cpu/", "tests/"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        for (const char *at = strstr(path, roots[i]); at; at = strstr(at + 1, roots[i]))
            if ((at == path || at[-1] == '/') && at > found)
                found = at;
    return found ? found : path;
}

const char *trace_source_file(const struct duel_trace *trace)
{
    const char *file = "";
    uint64_t most = 0;
    for (size_t k = 0; k < trace->kernels; k++)
        for (int64_t i = 0; i < trace->kernel[k].about.lines; i++) {
            const struct duel_trace_line *line = &trace->kernel[k].line[i];
            if (line->requests > most && *line->place.file) {
                most = line->requests;
                file = trace_file(line->place.file);
            }
        }
    return file;
}

const char *trace_number(double value, char *out, size_t size)
{
    static const char *const unit[] = {"", " k", " M", " G", " T", " P"};
    size_t step = 0;
    if (isnan(value)) {
        snprintf(out, size, "not measured");
        return out;
    }
    while (value >= (step ? 999.5 : 9999.5) && step + 1 < sizeof unit / sizeof *unit) {
        value /= 1000;
        step++;
    }
    snprintf(out, size,
             step == 0 && value == floor(value) ? "%.0f%s"
             : value < 99.95                    ? "%.2f%s"
                                                : "%.1f%s",
             value, unit[step]);
    return out;
}

const char *trace_bytes(double value, char *out, size_t size)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t step = 0;
    if (isnan(value)) {
        snprintf(out, size, "not measured");
        return out;
    }
    while (value >= 999.5 && step + 1 < sizeof unit / sizeof *unit) {
        value /= 1000;
        step++;
    }
    snprintf(out, size, step == 0 ? "%.0f %s" : value < 9.95 ? "%.1f %s" : "%.0f %s", value, unit[step]);
    return out;
}
