/* advice_work.c: candidates for runs of a workload. Each run copies its operands to the card and its result back, as a
 * program does that starts with data in memory; the CPU has them there already. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buyer/advice.h"
#include "bench/buyer/forecast.h"
#include "bench/matrix/dtype.h"
#include "bench/report/console.h"
#include "bench/workload/shape.h"

#define CARD_SHARE 0.95 /* of its memory that operands may fill: the driver keeps the rest */

static double operands_bytes(const struct duel_workload *workload, const struct duel_problem *problem)
{
    double bytes = 0;
    for (int i = 0; i < workload->operands; i++) {
        int64_t rows, columns;
        workload->extent(problem, i, &rows, &columns);
        bytes += (double)rows * (double)columns * (double)dtype_size(workload_type(workload, problem, i));
    }
    return bytes;
}

/* The implementation that is expected to be the fastest; rows without one stand for the bound. */
static const struct duel_forecast *best_of(const struct duel_forecasts *forecasts)
{
    const struct duel_forecast *best = &forecasts->row[0];
    for (size_t i = 1; i < forecasts->count; i++)
        if (forecasts->row[i].end_to_end_s < best->end_to_end_s)
            best = &forecasts->row[i];
    return best;
}

static void from_forecast(struct duel_advice *row, const struct duel_forecast *forecast)
{
    const bool calibrated = forecast->end_to_end_s > 0;
    row->bound = 1 / forecast->bound_end_to_end_s;
    row->speed = 1 / forecast->end_to_end_s;
    row->speed_lo = 1 / forecast->end_to_end_hi_s;
    row->speed_hi = 1 / forecast->end_to_end_lo_s;
    row->copies_share =
        calibrated ? forecast->link_s / forecast->end_to_end_s : forecast->bound_link_s / forecast->bound_end_to_end_s;
    if (isnan(forecast->bound_end_to_end_s)) {
        snprintf(row->kind, sizeof row->kind, "unknown");
        snprintf(row->basis, sizeof row->basis, "its rate for this type, its bandwidth or its link is not known");
    } else if (calibrated) {
        snprintf(row->kind, sizeof row->kind, "predicted");
        snprintf(row->basis, sizeof row->basis, "%.60s, %s", forecast->implementation, forecast->calibrated);
    } else {
        snprintf(row->kind, sizeof row->kind, "bound");
        snprintf(row->basis, sizeof row->basis, "%s", forecast->calibrated);
    }
}

static enum duel_status candidate(struct duel_advice *row, const struct duel_workload *workload,
                                  const struct duel_problem *problem, const struct duel_card *card,
                                  const struct duel_evidence *evidence, struct duel_why *why)
{
    struct duel_forecasts forecasts = {.count = 0};
    *row = (struct duel_advice){.card = card, .crossing_s = NAN, .copies_share = NAN};
    row->prefill = row->prefill_lo = row->prefill_hi = row->prefill_bound = NAN;
    row->speed = row->speed_lo = row->speed_hi = row->bound = NAN;
    row->memory_gb = card->memory_gb;
    snprintf(row->name, sizeof row->name, "%s", card->name);
    enum duel_status status = forecast_add(&forecasts, evidence, card, workload, problem, why);
    if (status == DUEL_OK) {
        row->needs_gb = operands_bytes(workload, &forecasts.row[0].problem) / 1e9;
        row->cards = row->needs_gb <= CARD_SHARE * card->memory_gb;
        from_forecast(row, best_of(&forecasts));
    }
    if (status == DUEL_OK && row->cards == 0) { /* cards in pieces are another program */
        row->speed = row->speed_lo = row->speed_hi = row->bound = NAN;
        snprintf(row->kind, sizeof row->kind, "unknown");
        snprintf(row->basis, sizeof row->basis, "its operands do not fit into the memory");
    }
    forecasts_free(&forecasts);
    return status;
}

/* ---- the CPU ---------------------------------------------------------------------------------------------------- */

/* The fastest row of this problem; else of the one whose amount of work is nearest. */
static const struct duel_cpu_row *cpu_row(const struct duel_evidence *evidence, const struct duel_workload *workload,
                                          const struct duel_problem *problem, bool *same)
{
    const struct duel_cpu_row *best = NULL;
    const double flops = workload->flops(problem);
    double least = INFINITY;
    *same = false;
    for (size_t i = 0; i < evidence->cpu_count; i++) {
        const struct duel_cpu_row *row = &evidence->cpu[i];
        if (strcmp(row->workload, workload->name) != 0 || row->problem.types.in != problem->types.in ||
            !(row->kernel_s > 0) || !(row->flops > 0))
            continue;
        const bool match = shape_same(&row->problem, problem);
        const double far = match ? -1 : fabs(log(row->flops / flops));
        if (far > least || (far == least && best && row->kernel_s / row->flops >= best->kernel_s / best->flops))
            continue;
        best = row;
        least = far;
        *same = match;
    }
    return best;
}

static void cpu_candidate(struct duel_advice *row, const struct duel_workload *workload,
                          const struct duel_problem *problem, const struct duel_evidence *evidence)
{
    bool same;
    struct duel_problem own = *problem;
    const struct duel_cpu_row *cpu = cpu_row(evidence, workload, problem, &same);
    *row = (struct duel_advice){.card = NULL, .cards = 1, .crossing_s = NAN, .copies_share = NAN};
    row->prefill = row->prefill_lo = row->prefill_hi = row->prefill_bound = NAN;
    row->speed = row->speed_lo = row->speed_hi = row->bound = row->memory_gb = NAN;
    row->needs_gb = operands_bytes(workload, &own) / 1e9;
    snprintf(row->name, sizeof row->name, cpu ? "CPU only: %.60s" : "CPU only", cpu ? cpu->machine : "");
    if (!cpu) {
        snprintf(row->kind, sizeof row->kind, "unknown");
        snprintf(row->basis, sizeof row->basis,
                 "no run file has this workload on a CPU in this type: `duel run %s` "
                 "makes one",
                 workload->name);
        return;
    }
    const double seconds = same ? cpu->kernel_s : cpu->kernel_s * workload->flops(&own) / cpu->flops;
    row->speed = 1 / seconds;
    snprintf(row->kind, sizeof row->kind, "%s", same ? "measured" : "predicted");
    if (same) {
        snprintf(row->basis, sizeof row->basis, "%.60s, %d threads", cpu->implementation, cpu->threads);
    } else {
        char size[80];
        snprintf(row->basis, sizeof row->basis, "%.60s at the rate that it had at %s", cpu->implementation,
                 shape_words(workload->name, &cpu->problem, size, sizeof size));
    }
}

/* ---- what follows ----------------------------------------------------------------------------------------------- */

static const struct duel_advice *fastest_card(const struct duel_advices *advices)
{
    const struct duel_advice *best = NULL;
    for (size_t i = 0; i + 1 < advices->count; i++) {
        const struct duel_advice *row = &advices->row[i];
        const double speed = row->speed > 0 ? row->speed : row->bound;
        if (row->cards > 0 && speed > 0 && (!best || speed > (best->speed > 0 ? best->speed : best->bound)))
            best = row;
    }
    return best;
}

static void compare(struct duel_advices *advices, const struct duel_advice *card, const struct duel_advice *cpu)
{
    char *out = advices->verdict[0];
    const size_t size = sizeof advices->verdict[0];
    const double speed = card->speed > 0 ? card->speed : card->bound, copies = 100 * card->copies_share;
    const char *how = card->speed > 0 ? "predicted" : "at best";
    if (!(cpu->speed > 0))
        snprintf(out, size,
                 "The fastest card is %s: %s runs/s (%s); %.0f %% of that time would be copies. Whether you "
                 "need one is not known: the CPU was not measured.",
                 card->name, number_words(speed).text, how, copies);
    else if (cpu->speed >= speed)
        snprintf(out, size,
                 "You do not need a GPU for this: %.0f %% of the time on the %s would be copies, and it would "
                 "do %s runs/s (%s), this CPU %s (%s).",
                 copies, card->name, number_words(speed).text, how, number_words(cpu->speed).text, cpu->kind);
    else
        snprintf(out, size,
                 "The %s would be %s times as fast as this CPU: %s runs/s (%s) against %s (%s); %.0f %% "
                 "of its time would be copies.",
                 card->name, number_words(speed / cpu->speed).text, number_words(speed).text, how,
                 number_words(cpu->speed).text, cpu->kind, copies);
}

static void conclude(struct duel_advices *advices, const struct duel_options *options)
{
    const struct duel_advice *card = fastest_card(advices), *cpu = &advices->row[advices->count - 1];
    if (card)
        compare(advices, card, cpu);
    else
        snprintf(advices->verdict[0], sizeof advices->verdict[0], "No card of these is known to do this work.");
    if (cpu->day_hours > 0 && cpu->day_hours <= options->hours)
        snprintf(
            advices->verdict[1], sizeof advices->verdict[1],
            "This CPU does the %.6g runs of a day in %.3g hours of the %.3g: for that alone you do not need a GPU.",
            options->runs_per_day, cpu->day_hours, options->hours);
    else if (cpu->day_hours > options->hours)
        snprintf(advices->verdict[1], sizeof advices->verdict[1],
                 "This CPU would need %.3g hours for the %.6g runs of a day, and has %.3g.", cpu->day_hours,
                 options->runs_per_day, options->hours);
}

enum duel_status advise_work(struct duel_advices *advices, const struct duel_workload *workload,
                             const struct duel_problem *problem, const struct duel_choice *choice,
                             const struct duel_evidence *evidence, const struct duel_options *options,
                             struct duel_why *why)
{
    char size[100];
    enum duel_status status = DUEL_OK;
    struct duel_problem own = *problem;
    struct duel_card_roof roof;
    *advices = (struct duel_advices){.results = ADVICE_RUNS, .result = "run"};
    advices->row = calloc(choice->count + 1, sizeof *advices->row);
    if (!advices->row)
        return duel_fail(why, DUEL_ENOMEM, "there is no advice", "free some memory", "out of memory for candidates");
    card_roof(choice->shown[0], workload, &own, &roof); /* completes the problem: types, extents, leading dimensions */
    snprintf(advices->work, sizeof advices->work, "%s, %s, %s: %.4g GFLOP, %.4g MB of operands", workload->name,
             shape_words(workload->name, &own, size, sizeof size), dtype_name(own.types.in), roof.flops / 1e9,
             operands_bytes(workload, &own) / 1e6);
    for (size_t i = 0; i < choice->count && status == DUEL_OK; i++)
        status = candidate(&advices->row[advices->count++], workload, &own, choice->shown[i], evidence, why);
    if (status != DUEL_OK)
        return status;
    cpu_candidate(&advices->row[advices->count++], workload, &own, evidence);
    advice_cost(advices, choice, options);
    conclude(advices, options);
    return DUEL_OK;
}
