/* forecast.h: what a card would do with a problem: the bound of its published figures, and what is to be expected of an
 * implementation below that bound. Every row says "predicted"; nothing measured is ever among them. */
#ifndef DUEL_FORECAST_H
#define DUEL_FORECAST_H

#include "bench/buyer/calibrate.h"
#include "bench/buyer/roof.h"
#include "bench/record/sheet.h"

struct duel_forecast {
    char kind[12]; /* "predicted" */
    char card[64], workload[32], size[64], limit[16];
    char implementation[96]; /* empty: none is calibrated */
    struct duel_problem problem;
    double flops, bytes, copied_bytes;
    double bound_s, bound_link_s, bound_end_to_end_s;      /* NaN: a figure of the card is not known */
    double kernel_s, kernel_lo_s, kernel_hi_s;             /* NaN: calibrated says why */
    double link_s, link_lo_s, link_hi_s;                   /* the same for the copies */
    double end_to_end_s, end_to_end_lo_s, end_to_end_hi_s; /* one copy in, one kernel, one copy out */
    char calibrated[120], link_calibrated[120];
};
extern const struct duel_sheet forecast_sheet;

struct duel_forecasts {
    struct duel_forecast *row;
    size_t count, capacity;
};

/* Adds one row for each implementation that is calibrated for this problem, or one without any. */
enum duel_status forecast_add(struct duel_forecasts *forecasts, const struct duel_evidence *evidence,
                              const struct duel_card *card, const struct duel_workload *workload,
                              const struct duel_problem *problem, struct duel_why *why);
void forecasts_free(struct duel_forecasts *forecasts);
void forecasts_print(FILE *stream, const struct duel_forecasts *forecasts, const struct duel_evidence *evidence);

#endif
