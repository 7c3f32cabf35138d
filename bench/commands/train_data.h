/* train_data.h: a data set for `duel train`: one sample in each row of a NumPy file, its class in the last column. */
#ifndef DUEL_TRAIN_DATA_H
#define DUEL_TRAIN_DATA_H

#include "bench/matrix/matrix.h"

struct train_data {
    struct duel_matrix samples, labels; /* FP64, count x inputs and count x 1, in random order; owned */
    int64_t count, learn;               /* samples in all, and those in front that are learnt from */
    int64_t inputs, classes;
    double largest; /* every input was divided by it */
};

/* Refuses what nobody could learn from: numbers that are not finite, labels that are no whole numbers from 0 on, a
 * single class, too few samples. */
enum duel_status train_data_read(struct train_data *data, const char *path, uint64_t seed, struct duel_why *why);
void train_data_free(struct train_data *data); /* safe on a zeroed one */

#endif
