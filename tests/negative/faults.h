/* faults.h: implementations that are wrong on purpose, each for one fault that real kernels have had. */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include "bench/verify/zoo.h"

struct fault {
    const char *name;                                      /* what goes wrong */
    enum duel_status (*run)(const struct duel_call *call); /* the wrong implementation */
    int64_t m, n, k;                                       /* it must be rejected on this problem, */
    double alpha, beta;
    enum duel_data data;
    enum duel_dtype in;
    enum duel_tier tier; /* by this tier, */
    const char *words;   /* and with these words in the reason */
};

extern const struct fault fault_table[]; /* ended by name == NULL */

/* The implementation without a fault: FP32, FP64, and FP16 inputs with FP32 sums. */
enum duel_status fault_right(const struct duel_call *call);

#endif
