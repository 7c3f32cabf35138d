/* faults.h: what real kernels have done wrong, put into an answer that was right. */
#ifndef DUEL_FAULTS_H
#define DUEL_FAULTS_H

#include "bench/matrix/matrix.h"

struct selftest_fault {
    const char *name;
    int64_t m, n, k;
    enum duel_data data;
    /* Spoils the answer; `operand` holds A, B and C, and C is the answer. */
    void (*spoil)(const struct duel_problem *problem, const struct duel_matrix *operand);
};
extern const struct selftest_fault selftest_fault_table[]; /* ended by name == NULL */

#endif
