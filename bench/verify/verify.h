/* verify.h: is the answer right? Three tiers (exact integers, sqrt(K) bound, Freivalds), all written so that NaN and
 * Inf fail. Sources: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1 (the K u bound) and
 * section 2.8 and Higham & Mary 2019 (the probabilistic sqrt(K) bound); Freivalds 1977. */
#ifndef DUEL_VERIFY_H
#define DUEL_VERIFY_H

#include "bench/record/verdict.h"
#include "bench/workload/workload.h"

/* m * n * k from which the O(n^3) reference gives way to Freivalds' check, and m * n from which the 16 bytes that it
 * keeps for each element would be too much. */
#define VERIFY_FREIVALDS_PRODUCTS 3.0e8
#define VERIFY_FREIVALDS_ELEMENTS 2.5e6

/* The expected result of one problem on one set of inputs, made once and used for every implementation with the same
 * input type. Zero-initialise; release with expectation_free. */
struct duel_expectation {
    const struct duel_workload *workload;
    struct duel_problem problem;                /* types.in and extents matter; alpha and beta too */
    const struct duel_matrix *operand, *before; /* borrowed: inputs as rounded; OUT operand before the call */
    bool exact;                                 /* inputs are whole numbers -2 .. 2: results must agree exactly */
    /* Set by the caller after expectation_make when the inputs are a user's own: their rounding errors need not cancel
     * as those of random numbers do, so only the classical bound holds, and relative errors prove no label. */
    bool any_data;
    double *result, *magnitude; /* NULL when Freivalds is used, */
    struct duel_probes *probes; /* and then this is not: what its sums should be, filled at the first verify_output */
};

/* Is a problem of this size judged by Freivalds' check instead of the reference? */
bool verify_by_probes(const struct duel_workload *workload, const struct duel_problem *problem);

enum duel_status expectation_make(struct duel_expectation *expectation, const struct duel_workload *workload,
                                  const struct duel_problem *problem, const struct duel_matrix *operand,
                                  const struct duel_matrix *before, bool exact, struct duel_why *why);
void expectation_free(struct duel_expectation *expectation);
/* Host memory that an expectation of this problem takes. */
uint64_t expectation_bytes(const struct duel_workload *workload, const struct duel_problem *problem);

/* Judges `output` (the OUT operand after the call, with padding). Padding that changed from NaN fails too. types.acc
 * and types.out of `problem` choose the bound. Returns a status only for lack of memory; the verdict tells right or
 * wrong. Freivalds' tier knows no single elements: its errors are estimates over the whole output, or NaN. */
enum duel_status verify_output(const struct duel_expectation *expectation, const struct duel_problem *problem,
                               const struct duel_matrix *output, uint64_t seed, struct duel_verdict *verdict,
                               struct duel_why *why);

/* rows.c: the same verdict on `rows` whole rows of an output of any size (the first, the last and others by `seed`; at
 * most VERIFY_MOST_ROWS), element by element against FP64: largest error, where it is, RMS and relative error, at the
 * cost of rows * n * k products. The hash is of those rows only.
 * For workloads whose row i depends on no other row of its operands with m rows, as GEMM's. */
#define VERIFY_MOST_ROWS 16
enum duel_status verify_rows(const struct duel_expectation *expectation, const struct duel_problem *problem,
                             const struct duel_matrix *output, int rows, uint64_t seed, struct duel_verdict *verdict,
                             struct duel_why *why);
/* Host memory that verify_rows takes for one row, while it runs. */
uint64_t verify_row_bytes(const struct duel_workload *workload, const struct duel_problem *problem);

#endif
