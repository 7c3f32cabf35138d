/* workload.h: what is computed: operands with roles and shapes, costs, and an FP64 reference with its error bound.
 * One file per workload in bench/workload/; workload_table lists them (generated from the file names). */
#ifndef DUEL_WORKLOAD_H
#define DUEL_WORKLOAD_H

#include "bench/matrix/matrix.h"

enum duel_role { DUEL_IN, DUEL_OUT }; /* an OUT operand is read too when problem->beta != 0 */

/* Which of a problem's scalars the workload multiplies with; the others stay as `fixed` says. */
enum { DUEL_ALPHA = 1, DUEL_BETA = 2 };

/* A problem size and what is awkward about it. A count of 0 is 1. */
struct duel_zoo_shape {
    int64_t m, n, k;
    const char *note;
    int64_t count;
};

/* Sweeps of sizes when none is given: a GPU needs larger ones before it is busy, the emulated GPU much smaller ones. */
enum duel_sweep { DUEL_SWEEP_CPU, DUEL_SWEEP_GPU, DUEL_SWEEP_EMULATED, DUEL_SWEEPS };

struct duel_workload {
    const char *name;    /* "gemm" */
    const char *doc;     /* one sentence */
    const char *formula; /* "C = alpha A B + beta C" */
    const char *lesson;  /* optional: what it teaches that the others do not; a few sentences */
    /* The extents it has, as letters of m, n, k and c (count), in the order of --shape; "mnk" for GEMM. `by_n` are
     * those that --n sets, all to the same number; `fixed` has the others, and the scalars that cannot be changed. */
    const char *extents, *by_n;
    const char *empty;              /* those that may be 0; the others are at least 1 */
    const char *sizes[DUEL_SWEEPS]; /* --n where the user gives none; NULL: the same as the one before */
    struct duel_problem fixed;
    unsigned scalars; /* DUEL_ALPHA | DUEL_BETA */
    /* Optional: awkward sizes of its own, tried before those of the common zoo that differ in its extents; note NULL
     * ends them. `only` leaves the common ones out. */
    const struct duel_zoo_shape *zoo;
    bool zoo_only;
    int operands;
    const char *operand_name[DUEL_MAX_OPERANDS];
    enum duel_role role[DUEL_MAX_OPERANDS];
    /* Rows and columns of operand i. Exactly one operand is OUT. */
    void (*extent)(const struct duel_problem *problem, int operand, int64_t *rows, int64_t *columns);
    /* Optional: the type of operand i; without it types.in for IN and types.out for OUT. */
    enum duel_dtype (*type)(const struct duel_problem *problem, int operand);
    /* Optional: makes generated numbers fit the work (a symmetric positive definite A), in the operands' own types. */
    void (*prepare)(const struct duel_problem *problem, struct duel_matrix *operand);
    /* Optional, for --input: file i becomes operand i. take() sets the extents that follow from the headers of `count`
     * files; check() refuses what has no answer, once they are read. Without take() --input is refused. */
    enum duel_status (*take)(const struct duel_matrix *file, const char *const *name, int count,
                             struct duel_problem *problem, struct duel_why *why);
    enum duel_status (*check)(const struct duel_matrix *file, const char *const *name, struct duel_why *why);
    double (*flops)(const struct duel_problem *problem);
    double (*bytes)(
        const struct duel_problem *problem); /* compulsory: each input read once, each output written once */
    /* Products summed per output element: k of GEMM. The K of the error bound. */
    int64_t (*terms)(const struct duel_problem *problem);
    /* Every output is a sum of `terms` products and no more: whole numbers give it exactly, and random ones have errors
     * that tell the arithmetic. */
    bool sums;
    /* FP64 result and the magnitude that its rounding errors are measured by (for GEMM |alpha| (|A||B|) + |beta C|) of
     * every output element, from the rounded inputs that the device saw; both row-major, as many doubles as the output
     * has elements, no padding. `before` is the OUT operand before the call (for beta). */
    void (*reference)(const struct duel_problem *problem, const struct duel_matrix *operand,
                      const struct duel_matrix *before, double *result, double *magnitude);
    /* Freivalds: with a +-1 vector x, one sign for each column of the output, residual r = C x - (alpha A (B x) + beta
     * C0 x) and the magnitude of each of its entries, one for each row of the output, in FP64 and O(n^2). With
     * operand[OUT].data NULL it is minus the expected sums, which depend on the inputs alone. Optional; without it
     * large problems use the reference. */
    void (*probe)(const struct duel_problem *problem, const struct duel_matrix *operand,
                  const struct duel_matrix *before, const signed char *x, double *residual, double *magnitude);
    /* The residual is not C x less something that is known beforehand (L (L^T x) of a factor L): probe() is given each
     * output, never NULL, and its residuals are backward errors: of the inputs, not of the output. */
    bool probe_output;
    /* Optional, for work that has no result for some inputs: the implementation says so by a first NaN of the output,
     * row by row, at (row, column). True, with the reason in `text`, if a NaN there says that. */
    bool (*refused)(const struct duel_problem *problem, int64_t row, int64_t column, char *text, size_t size);
    /* Bandwidth decides its speed: --cache auto rotates buffers, so that the caches do not flatter it. */
    bool memory_bound;
    /* Bit i: rows of operand i belong to the same rows of the output, so m rows can be done in chunks and the copies of
     * one chunk overlap the kernel of another; operands without their bit are needed whole. 0: cannot be split. */
    unsigned split_by_rows;
};

/* Index and extents of the one OUT operand; the type of any operand. */
int workload_output(const struct duel_workload *workload);
int64_t workload_output_rows(const struct duel_workload *workload, const struct duel_problem *problem);
int64_t workload_output_columns(const struct duel_workload *workload, const struct duel_problem *problem);
enum duel_dtype workload_type(const struct duel_workload *workload, const struct duel_problem *problem, int operand);
/* One extent by its letter. */
int64_t *workload_extent(struct duel_problem *problem, char letter);
/* The smallest leading dimensions. */
void workload_tight(const struct duel_workload *workload, struct duel_problem *problem);
/* Extents and scalars that the workload does not have become what `fixed` says. */
void workload_normalise(const struct duel_workload *workload, struct duel_problem *problem);

extern const struct duel_workload *const workload_table[]; /* NULL ends it; generated */
const struct duel_workload *workload_find(const char *name, size_t length);
/* That of an implementation by its full name: "gemm" of "cpu/gemm/serial"; NULL when there is none. */
const struct duel_workload *workload_of(const char *name);

#endif
