/* train_run.h: one implementation of mlp_train through a whole training run. */
#ifndef DUEL_TRAIN_RUN_H
#define DUEL_TRAIN_RUN_H

#include "bench/commands/train_data.h"
#include "bench/harness/plan.h"

/* What a network knows after an epoch, worked out in FP64 on the host, the same for all implementations. */
struct train_point {
    double loss;  /* cross entropy, mean over the samples that were learnt from */
    double right; /* share of the other samples that get the right class */
};

/* Trains from the start that follows from the seed. point[0] is before the first epoch, point[epochs] the end; `done`
 * counts those that were filled, fewer after an interrupt or an error. */
enum duel_status train_run(const struct duel_case *item, const struct duel_workload *workload,
                           const struct train_data *data, uint64_t seed, int64_t epochs, struct train_point *point,
                           int64_t *done, struct duel_why *why);

#endif
