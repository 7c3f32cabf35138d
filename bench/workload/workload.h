/* workload.h: what is computed: operands with roles and shapes, costs, and an FP64 reference with its error bound.
 * One file per workload in bench/workload/; workload_table lists them (generated from the file names). */
#ifndef DUEL_WORKLOAD_H
#define DUEL_WORKLOAD_H

#include "bench/matrix/matrix.h"

enum duel_role { DUEL_IN, DUEL_OUT }; /* an OUT operand is read too when problem->beta != 0 */

struct duel_workload {
    const char *name;    /* "gemm" */
    const char *doc;     /* one sentence */
    const char *formula; /* "C = alpha A B + beta C" */
    int operands;
    const char *operand_name[DUEL_MAX_OPERANDS];
    enum duel_role role[DUEL_MAX_OPERANDS];
    /* Rows and columns of operand i; the type of an operand is types.in for IN and types.out for OUT. */
    void (*extent)(const struct duel_problem *problem, int operand, int64_t *rows, int64_t *columns);
    double (*flops)(const struct duel_problem *problem);
    double (*bytes)(
        const struct duel_problem *problem); /* compulsory: each input read once, each output written once */
    /* Products summed per output element: k of GEMM. The K of the error bound. */
    int64_t (*terms)(const struct duel_problem *problem);
    /* FP64 result and the magnitude |alpha| (|A||B|) + |beta C| of every output element, from the rounded inputs that
     * the device saw; both row-major, m * n doubles, no padding. `before` is the OUT operand before the call (for
     * beta). */
    void (*reference)(const struct duel_problem *problem, const struct duel_matrix *operand,
                      const struct duel_matrix *before, double *result, double *magnitude);
    /* Freivalds: with a +-1 vector x (n of them), residual r = C x - (alpha A (B x) + beta C0 x) and the magnitude of
     * each of its m entries, in FP64 and O(n^2). With operand[OUT].data NULL it is minus the
     * expected sums, which depend on the inputs alone. Optional; without it large problems use the reference. */
    void (*probe)(const struct duel_problem *problem, const struct duel_matrix *operand,
                  const struct duel_matrix *before, const signed char *x, double *residual, double *magnitude);
    /* Bandwidth decides its speed: --cache auto rotates buffers, so that the caches do not flatter it. */
    bool memory_bound;
    /* Bit i: rows of operand i belong to the same rows of the output, so m rows can be done in chunks and the copies of
     * one chunk overlap the kernel of another; operands without their bit are needed whole. 0: cannot be split. */
    unsigned split_by_rows;
};

extern const struct duel_workload *const workload_table[]; /* NULL ends it; generated */
const struct duel_workload *workload_find(const char *name, size_t length);

#endif
