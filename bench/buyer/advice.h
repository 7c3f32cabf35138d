/* advice.h: cards and the CPU side by side for one piece of work: does it fit, how fast, at what cost. */
#ifndef DUEL_ADVICE_H
#define DUEL_ADVICE_H

#include "bench/buyer/choice.h"
#include "bench/buyer/evidence.h"
#include "bench/buyer/model.h"
#include "bench/record/sheet.h"
#include "bench/workload/workload.h"

/* One candidate. */
struct duel_advice {
    char name[80];                                         /* "RTX 4090", "2 x RTX 4090", "CPU only: AMD EPYC" */
    char kind[12];                                         /* "predicted"; "bound": at best; "measured"; "unknown" */
    const struct duel_card *card;                          /* NULL: the CPU */
    int cards;                                             /* 0: it does not fit, not even on 8 */
    double needs_gb, memory_gb;                            /* of one card, or of the machine */
    double speed, speed_lo, speed_hi, bound;               /* results per second: tokens, or runs; NaN: not known */
    double prefill, prefill_lo, prefill_hi, prefill_bound; /* tokens per second of a prompt */
    double crossing_s;                                     /* several cards: at least, for each token */
    double copies_share;        /* of the time of a run; NaN: nothing is copied, or not known */
    double power_w;             /* of all cards */
    double own_cost, rent_cost; /* of DUEL_ADVICE_RESULTS results; NaN: no price, or too slow to tell */
    double energy_j;            /* of one result, at the power limit */
    double break_even_hours;    /* of use, from which buying costs less than renting; NaN: not known; Inf: never */
    double day_hours;           /* for --runs-per-day; NaN: not given */
    char basis[200], prefill_basis[160]; /* what the speed rests on */
    bool best;                           /* nothing else is both cheaper and faster */
};
extern const struct duel_sheet advice_sheet;
#define ADVICE_TOKENS 1e6 /* costs are those of so many tokens, */
#define ADVICE_RUNS 1e3   /* or of so many runs */

struct duel_advices {
    struct duel_advice *row; /* room for every card, and the CPU */
    size_t count;
    double results;       /* that a cost is of: ADVICE_TOKENS or ADVICE_RUNS */
    const char *result;   /* "token" or "run" */
    char work[200];       /* what it is about, for people */
    char verdict[4][400]; /* what follows, one sentence or two each; empty: nothing */
};

/* For a language model. */
enum duel_status advise_model(struct duel_advices *advices, const struct duel_model_work *work,
                              const struct duel_choice *choice, const struct duel_evidence *evidence,
                              const struct duel_options *options, struct duel_why *why);
/* For one problem of a workload; problem->types.in is its precision. */
enum duel_status advise_work(struct duel_advices *advices, const struct duel_workload *workload,
                             const struct duel_problem *problem, const struct duel_choice *choice,
                             const struct duel_evidence *evidence, const struct duel_options *options,
                             struct duel_why *why);
void advices_free(struct duel_advices *advices);

/* advice_cost.c: fills power, energy, costs and break-even from the speed, and marks the best. */
void advice_cost(struct duel_advices *advices, const struct duel_choice *choice, const struct duel_options *options);
/* What one hour costs of a card that is bought: its price spread over its life, and its energy. */
double advice_own_hour(double price, double power_w, const struct duel_options *options);
/* Hours of use from which buying costs less than renting; INFINITY: never; NaN: a price is missing. */
double advice_break_even(double price, double rent_per_hour, double power_w, const struct duel_options *options);

/* advice_table.c */
void advices_print(FILE *stream, const struct duel_advices *advices, const struct duel_choice *choice,
                   const struct duel_options *options);
/* plot_pareto.c: cost against speed, DIR/plots/pareto.png and .svg. DUEL_SKIP without gnuplot. */
struct duel_plot_request;
enum duel_status plot_pareto(const struct duel_plot_request *request, const struct duel_advices *advices,
                             const struct duel_choice *choice, struct duel_why *why);

#endif
