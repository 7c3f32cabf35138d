/* gemv.c: y = alpha A x + beta y: GEMM with one column, so its extents are m and k. Each element of A is used once:
 * reading it is all the work. */
#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

enum { A = 0, X = 1, Y = 2 };

/* A vector is a matrix of one column: its leading dimension is the increment of BLAS. */
static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = operand == X ? p->k : p->m;
    *columns = operand == A ? p->k : 1;
}

/* Weights may be narrower than what they are multiplied with: types.in is that of A alone. */
static enum duel_dtype type(const struct duel_problem *p, int operand)
{
    return operand == A ? p->types.in : p->types.out;
}

static double flops(const struct duel_problem *p)
{
    return 2.0 * (double)p->m * (double)p->k;
}

static double bytes(const struct duel_problem *p)
{
    const double m = (double)p->m, k = (double)p->k;
    const double passes_over_y = p->beta == 0 ? 1 : 2; /* written, and read only when beta asks for it */
    return m * k * (double)dtype_size(p->types.in) + (k + passes_over_y * m) * (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    return p->k;
}

/* Rows go through in strips that fit on the stack; eight sums side by side, because one alone would wait for its own
 * addition each time. */
enum { STRIP = 1024, LANES = 8 };

struct sums {
    double sum[LANES], size[LANES];
};

static void add_strip(const double *a, const double *x, int64_t count, struct sums *sums)
{
    for (int64_t j = 0; j < count; j++) {
        sums->sum[j % LANES] += a[j] * x[j];
        sums->size[j % LANES] += fabs(a[j] * x[j]);
    }
}

static double element(const struct duel_matrix *vector, int64_t i)
{
    return dtype_load(vector->type, vector->data, (size_t)(i * vector->ld));
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const struct duel_matrix *a = &operand[A];
    double row[STRIP], x[STRIP];
    for (int64_t i = 0; i < p->m; i++) { /* beta == 0: y may hold NaN then, and 0 * NaN is NaN */
        result[i] = p->beta == 0 ? 0 : p->beta * element(&before[Y], i);
        magnitude[i] = fabs(result[i]);
    }
    for (int64_t start = 0; start < p->k; start += STRIP) {
        const int64_t count = p->k - start < STRIP ? p->k - start : STRIP;
        for (int64_t j = 0; j < count; j++)
            x[j] = element(&operand[X], start + j);
        for (int64_t i = 0; i < p->m; i++) {
            struct sums sums = {{0}, {0}};
            const char *from = (const char *)a->data + (size_t)(i * a->ld + start) * dtype_size(a->type);
            dtype_convert(a->type, from, DUEL_FP64, row, (size_t)count);
            add_strip(row, x, count, &sums);
            for (int lane = 0; lane < LANES; lane++) {
                result[i] += p->alpha * sums.sum[lane];
                magnitude[i] += fabs(p->alpha) * sums.size[lane];
            }
        }
    }
}

/* What kernels do only where a row has more than a warp reads in one step, or a matrix fewer rows than cores. */
static const struct duel_zoo_shape zoo[] = {
    {.m = 5, .k = 127, .note = "one below what a warp reads at once"},
    {.m = 5, .k = 129, .note = "one above it"},
    {.m = 3, .k = 4099, .note = "few rows, each long"},
    {.m = 1031, .k = 3, .note = "many rows, each short"},
    {.m = 259, .k = 513, .note = "enough for several cores"},
    {.note = NULL},
};

const struct duel_workload gemv_workload = {
    .name = "gemv",
    .doc = "Multiplies a matrix with one vector: what a language model does for each word that it says.",
    .formula = "y = alpha A x + beta y",
    .lesson = "Every weight is read once for each vector, so bytes per second decide and not operations: this "
              "is one token of a language model, and why shorter weights make it faster. On a GPU the matrix "
              "must be there already: copied for a single vector it costs more than the work.",
    .extents = "mk",
    .by_n = "mk",
    .empty = "k",
    .sizes = {"512:8192:x2", "1024:16384:x2", "64,256"},
    .fixed = {.n = 1, .count = 1},
    .scalars = DUEL_ALPHA | DUEL_BETA,
    .zoo = zoo,
    .sums = true,
    .operands = 3,
    .operand_name = {"A", "x", "y"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .type = type,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .memory_bound = true,
    .split_by_rows = 1u << A | 1u << Y,
};
