/* summary.c: totals of several implementations side by side, occupancy, and predicted times. */
#include <math.h>
#include <string.h>

#include "bench/trace/trace.h"

#define COLUMN 24

static double per(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* One row of the table for all traces; `kind` is 'b' for bytes, 'n' for a number, '%' for a share. */
struct row {
    const char *label;
    char kind;
    double (*value)(const struct duel_trace *trace);
};

static double global_bytes(const struct duel_trace *t)
{
    return t->total.global_bytes;
}
static double requests(const struct duel_trace *t)
{
    return t->total.requests;
}
static double sectors_each(const struct duel_trace *t)
{
    return per(t->total.sectors, t->total.requests);
}
static double sectors_best(const struct duel_trace *t)
{
    return per(t->total.sectors_best, t->total.requests);
}
static double shared_bytes(const struct duel_trace *t)
{
    return t->total.shared_requests > 0 ? t->total.shared_bytes : NAN;
}
static double rounds(const struct duel_trace *t)
{
    return t->total.shared_requests > 0 ? t->total.rounds : NAN;
}
static double conflicts(const struct duel_trace *t)
{
    return t->total.shared_requests > 0 ? t->total.rounds - t->total.rounds_best : NAN;
}
static double flops(const struct duel_trace *t)
{
    return t->total.all_flops;
}
static double tensor(const struct duel_trace *t)
{
    return t->total.tensor_flops > 0 ? t->total.tensor_flops : NAN;
}
static double intensity(const struct duel_trace *t)
{
    return per(t->total.all_flops, t->total.global_bytes);
}
static double efficiency(const struct duel_trace *t)
{
    return 100 * t->total.efficiency;
}
static double barriers(const struct duel_trace *t)
{
    return t->total.barriers > 0 ? t->total.barriers : NAN;
}
static double atomics(const struct duel_trace *t)
{
    return t->total.atomics > 0 ? t->total.atomics : NAN;
}

static const struct row rows[] = {
    {"global traffic", 'b', global_bytes},
    {"global requests", 'n', requests},
    {"  sectors per request", 'n', sectors_each},
    {"  the best possible", 'n', sectors_best},
    {"shared memory asked", 'b', shared_bytes},
    {"shared rounds", 'n', rounds},
    {"  of them conflicts", 'n', conflicts},
    {"flops", 'n', flops},
    {"  of Tensor Cores", 'n', tensor},
    {"flop per global byte", 'n', intensity},
    {"lanes busy, %", 'n', efficiency},
    {"barriers", 'n', barriers},
    {"atomics", 'n', atomics},
};

void trace_print_totals(const struct duel_trace *const *trace, size_t count)
{
    char text[40];
    printf("%-*s", COLUMN, "");
    for (size_t i = 0; i < count; i++)
        printf("%*s", COLUMN, trace[i]->impl->name);
    printf("\n");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        bool any = false;
        for (size_t i = 0; i < count; i++)
            any = any || !isnan(rows[r].value(trace[i]));
        if (!any && rows[r].value != flops)
            continue;
        printf("%-*s", COLUMN, rows[r].label);
        for (size_t i = 0; i < count; i++) {
            const double value = rows[r].value(trace[i]);
            printf("%*s", COLUMN,
                   isnan(value) && rows[r].value != flops ? "-"
                   : rows[r].kind == 'b'                  ? trace_bytes(value, text, sizeof text)
                                                          : trace_number(value, text, sizeof text));
        }
        printf("\n");
    }
}

void trace_print_occupancy(const struct duel_trace *trace, int capability)
{
    const struct duel_processor_limits *limits = occupancy_limits(capability);
    for (size_t k = 0; k < trace->kernels; k++) {
        const struct duel_trace_kernel *about = &trace->kernel[k].about;
        const int registers = trace_registers(trace->impl->name, about->name, capability);
        const struct duel_launch launch = {(int64_t)about->block[0] * about->block[1] * about->block[2], registers,
                                           (int64_t)(about->shared_bytes + about->dynamic_bytes)};
        const struct duel_occupancy occupancy = occupancy_of(limits, &launch);
        printf("%s on sm_%d: %lld threads a block, %lld bytes of shared memory, ", about->name, capability,
               (long long)launch.threads, (long long)launch.shared_bytes);
        if (registers > 0)
            printf("%d registers, none spilled: ", registers);
        else
            printf("registers not measured (gpu/static.csv has none for it); without their limit ");
        printf("occupancy %.0f %% at most (%d of %d warps, by %s)\n", 100 * occupancy.share, occupancy.warps,
               occupancy.most_warps, occupancy.limit);
    }
}

static const char *time_text(double seconds, char *out, size_t size)
{
    if (isnan(seconds))
        snprintf(out, size, "not known");
    else if (seconds < 1e-3)
        snprintf(out, size, "%.2f us", seconds * 1e6);
    else
        snprintf(out, size, "%.2f ms", seconds * 1e3);
    return out;
}

void trace_print_prediction(const struct duel_trace *trace, const struct duel_card *card)
{
    const struct duel_work work = trace_work(trace);
    struct duel_prediction p;
    struct duel_why why;
    char least[32], most[32];
    if (card_predict(card, &work, &p, &why) != DUEL_OK) {
        printf("%s on the %s: nothing predicted: %s\n", trace->impl->name, card->name, why.seen);
        return;
    }
    printf("%s on the %s, predicted, not measured: at least %s (%s)", trace->impl->name, card->name,
           time_text(p.least_s, least, sizeof least), duel_part_name[p.limit]);
    if (p.most_s > p.least_s)
        printf(", without caches %s (%s)", time_text(p.most_s, most, sizeof most), duel_part_name[p.limit_most]);
    printf("\n");
    for (int part = 0; part < PARTS; part++)
        if (p.part_s[part] > 0)
            printf("    %-36s %12s\n", duel_part_name[part], time_text(p.part_s[part], least, sizeof least));
}
