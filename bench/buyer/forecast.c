#include "bench/buyer/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/shape.h"

/* What starting costs, whatever the size. A launch and the wait for its end took 4 to 6 us (RTX 5070 Ti, CUDA 13.0), a
 * synchronous copy 30 to 40 us before its first byte counted (V100); copies in a queue cost less. So a run with a copy
 * in, a kernel and a copy out costs at least the first of these, and at most all of them; between them the expected one
 * is their geometric mean. */
#define START_LEAST_S 4e-6
#define START_MOST_S 86e-6
#define START_S 18.5e-6

#define CELL(member, type, unit, name, help)                                               \
    {                                                                                      \
        name, unit, true, value_##type, offsetof(struct duel_forecast, member), NULL, help \
    }
static const struct duel_cell cells[] = {
    CELL(kind, text, "", "kind", "`predicted`: nothing in this row was measured"),
    CELL(card, text, "", "card", "as in gpu-specs.csv"),
    CELL(workload, text, "", "workload", "what would be computed"),
    CELL(problem.m, extent, "", "m", "as in a result"),
    CELL(problem.n, extent, "", "n", "as in a result"),
    CELL(problem.k, extent, "", "k", "as in a result"),
    CELL(problem.count, extent, "", "count", "as in a result"),
    CELL(problem.types.in, dtype, "", "precision", "type of the inputs"),
    CELL(flops, positive, "FLOP", "flops", "arithmetic by the definition of the workload"),
    CELL(bytes, positive, "B", "bytes", "compulsory traffic: inputs read once, outputs written once"),
    CELL(copied_bytes, positive, "B", "copied_bytes", "inputs in and output out over the link"),
    CELL(limit, text, "", "limit", "what makes the bound: `arithmetic` or `memory`"),
    CELL(bound_s, positive, "s", "bound_kernel_s", "no kernel can be faster by the published figures"),
    CELL(bound_link_s, positive, "s", "bound_link_s", "the copies at the rate of the link after encoding"),
    CELL(bound_end_to_end_s, positive, "s", "bound_end_to_end_s",
         "the sum of both, and 4 us to start and end a kernel"),
    CELL(implementation, text, "", "implementation", "that the prediction is calibrated for"),
    CELL(kernel_s, positive, "s", "predicted_kernel_s", "to be expected of it"),
    CELL(kernel_lo_s, positive, "s", "predicted_kernel_lo_s", "lower end of the 95 % error bar"),
    CELL(kernel_hi_s, positive, "s", "predicted_kernel_hi_s", "upper end of it"),
    CELL(link_s, positive, "s", "predicted_link_s", "the copies from pinned memory"),
    CELL(link_lo_s, positive, "s", "predicted_link_lo_s", "lower end of the error bar"),
    CELL(link_hi_s, positive, "s", "predicted_link_hi_s", "upper end of it"),
    CELL(end_to_end_s, positive, "s", "predicted_end_to_end_s",
         "copies and kernel, one after the other, with what starting them costs"),
    CELL(end_to_end_lo_s, positive, "s", "predicted_end_to_end_lo_s", "the sum of the lower ends"),
    CELL(end_to_end_hi_s, positive, "s", "predicted_end_to_end_hi_s", "the sum of the upper ends"),
    CELL(calibrated, text, "", "calibrated_on", "measurements behind the kernel's prediction; or `uncalibrated`"),
    CELL(link_calibrated, text, "", "link_calibrated_on", "measurements behind that of the copies"),
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet forecast_sheet = {"prediction", cells};

/* The name that calibrates the card's link to the host. */
static void name_link(const struct duel_card *card, char *out, size_t size)
{
    snprintf(out, size, card->pcie_gen > 0 ? "link/pcie%.0f" : "link/other", card->pcie_gen);
}

static void predict_link(const struct duel_evidence *evidence, const struct duel_card *card, struct duel_forecast *row)
{
    char name[32];
    struct duel_calibration calibration;
    name_link(card, name, sizeof name);
    calibrate(evidence, name, "copy", NAN, NULL, &calibration);
    row->link_s = row->bound_link_s / calibration.share;
    row->link_lo_s = row->bound_link_s / calibration.hi;
    row->link_hi_s = row->bound_link_s / calibration.lo;
    snprintf(row->link_calibrated, sizeof row->link_calibrated, "%s", calibration.words);
}

static void fill(const struct duel_evidence *evidence, const struct duel_card *card,
                 const struct duel_workload *workload, const struct duel_problem *problem, struct duel_forecast *row)
{
    struct duel_card_roof roof;
    *row = (struct duel_forecast){.kind = "predicted", .problem = *problem};
    card_roof(card, workload, &row->problem, &roof);
    snprintf(row->card, sizeof row->card, "%s", card->name);
    snprintf(row->workload, sizeof row->workload, "%s", workload->name);
    snprintf(row->limit, sizeof row->limit, "%s", roof.limit ? roof.limit : "");
    shape_words(workload->name, &row->problem, row->size, sizeof row->size);
    row->flops = roof.flops;
    row->bytes = roof.bytes;
    row->copied_bytes = roof.in_bytes + roof.out_bytes;
    row->bound_s = roof.kernel_s;
    row->bound_link_s = roof.h2d_s + roof.d2h_s;
    row->bound_end_to_end_s = row->bound_s + row->bound_link_s + START_LEAST_S;
    row->kernel_s = row->kernel_lo_s = row->kernel_hi_s = NAN;
    row->end_to_end_s = row->end_to_end_lo_s = row->end_to_end_hi_s = NAN;
    predict_link(evidence, card, row);
    snprintf(row->calibrated, sizeof row->calibrated, "%s",
             isnan(roof.kernel_s)    ? "uncalibrated: a figure of the card is not known, or it has no such type"
             : card->capability == 0 ? "uncalibrated: it runs no CUDA, and all that was measured is of cards that do"
                                     : "uncalibrated: nothing like it was measured");
}

static void predict_kernel(const struct duel_calibration *calibration, const char *implementation,
                           struct duel_forecast *row)
{
    snprintf(row->implementation, sizeof row->implementation, "%s", implementation);
    row->kernel_s = row->bound_s / calibration->share;
    row->kernel_lo_s = row->bound_s / calibration->hi;
    row->kernel_hi_s = row->bound_s / calibration->lo;
    row->end_to_end_s = row->kernel_s + row->link_s + START_S;
    row->end_to_end_lo_s = row->kernel_lo_s + row->link_lo_s + START_LEAST_S;
    row->end_to_end_hi_s = row->kernel_hi_s + row->link_hi_s + START_MOST_S;
    snprintf(row->calibrated, sizeof row->calibrated, "%s", calibration->words);
}

static struct duel_forecast *grow(struct duel_forecasts *forecasts)
{
    if (forecasts->count == forecasts->capacity) {
        const size_t capacity = forecasts->capacity ? 2 * forecasts->capacity : 64;
        struct duel_forecast *grown = realloc(forecasts->row, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        forecasts->row = grown;
        forecasts->capacity = capacity;
    }
    return &forecasts->row[forecasts->count];
}

/* Is the share at `at` the first one with its name? */
static bool is_first(const struct duel_evidence *evidence, size_t at, const char *name, const char *precision)
{
    for (size_t i = 0; i < at; i++)
        if (share_applies(&evidence->share[i], name, precision))
            return false;
    return true;
}

enum duel_status forecast_add(struct duel_forecasts *forecasts, const struct duel_evidence *evidence,
                              const struct duel_card *card, const struct duel_workload *workload,
                              const struct duel_problem *problem, struct duel_why *why)
{
    const char *precision = dtype_name(problem->types.in);
    struct duel_forecast plain;
    size_t added = 0;
    fill(evidence, card, workload, problem, &plain);
    for (size_t i = 0; i <= evidence->count; i++) {
        const bool last = i == evidence->count;
        struct duel_calibration calibration = {.known = false};
        char name[128] = "";
        if (!last) {
            share_name(&evidence->share[i], precision, name, sizeof name);
            if (workload_of(name) != workload || !share_applies(&evidence->share[i], name, precision) ||
                !is_first(evidence, i, name, precision) || isnan(plain.bound_s) || card->capability == 0)
                continue;
            calibrate(evidence, name, precision, plain.bound_s, NULL, &calibration);
            if (!calibration.known) {
                snprintf(plain.calibrated, sizeof plain.calibrated, "%s", calibration.words);
                continue;
            }
        } else if (added > 0) {
            break;
        }
        struct duel_forecast *row = grow(forecasts);
        if (!row)
            return duel_fail(why, DUEL_ENOMEM, "not all of it can be predicted", "name fewer cards or sizes",
                             "out of memory for predictions");
        *row = plain;
        if (calibration.known)
            predict_kernel(&calibration, name, row);
        forecasts->count++;
        added++;
    }
    return DUEL_OK;
}

void forecasts_free(struct duel_forecasts *forecasts)
{
    free(forecasts->row);
    *forecasts = (struct duel_forecasts){.count = 0};
}
