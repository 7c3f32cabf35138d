/* trial.h: an output before its judges, made by hand. */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include "bench/verify/verify.h"

/* Operands of one problem with rows padded by two, and the output under judgement, which starts as the right answer. */
struct trial {
    struct duel_problem problem;
    struct duel_matrix operand[3], before[3], output;
    struct duel_expectation expectation;
    bool any_data;
};

/* Fills A, B and the old C with `data`; alpha is 1. */
void trial_open(struct trial *t, int64_t m, int64_t n, int64_t k, double beta, struct duel_types types,
                enum duel_data data);
/* Works out the expectation from the operands as they are now, and gives the output the right values where there is an
 * expected result (below Freivalds' sizes). */
void trial_expect(struct trial *t, bool exact);
struct duel_verdict trial_verdict(const struct trial *t, uint64_t seed);
void trial_close(struct trial *t);

void trial_set(const struct duel_matrix *matrix, int64_t row, int64_t column, double value);
double trial_get(const struct duel_matrix *matrix, int64_t row, int64_t column);

#endif
