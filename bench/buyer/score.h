/* score.h: what devices of run files reached, and what share of their own specification that is: "is my card performing
 * as it should?" Everything here was measured; specifications and prices only divide it. */
#ifndef DUEL_SCORE_H
#define DUEL_SCORE_H

#include "bench/buyer/choice.h"
#include "bench/record/sheet.h"

/* The best of one device in one type, in one run file. */
struct duel_score {
    char kind[12]; /* "measured" */
    char device[128], id[32], card[64], file[200], workload[32], implementation[96];
    struct duel_problem problem; /* of the best row */
    int threads;
    bool soaked;             /* burst, sustained and load are those of `duel soak` */
    double burst_gflops;     /* in its fastest sample */
    double sustained_gflops; /* in the median of the last third of its samples */
    double sustained_s;      /* how long it was under this load; a cooler fills up in minutes */
    double gbps;             /* the highest of rows that bandwidth decides, and of the roofline's loops; NaN */
    double power_w;          /* median while it ran; NaN: not known */
    double gflops_per_w, gflops_per_price;
    double spec_gflops, spec_percent; /* dense, at boost clock; NaN: no card of the table, or not told apart */
    double spec_gbps, spec_gbps_percent;
};
extern const struct duel_sheet score_sheet;

struct duel_scores {
    struct duel_score *row;
    size_t count, capacity;
    char currency[8];
};

/* Adds the scores of one run file. `as`: the card that its GPUs are, for devices that the table does not tell apart;
 * NULL: what they say they are. */
enum duel_status score_file(struct duel_scores *scores, const struct duel_choice *choice, const char *path,
                            const struct duel_card *as, struct duel_why *why);
void scores_free(struct duel_scores *scores);
void scores_print(FILE *stream, const struct duel_scores *scores);

#endif
