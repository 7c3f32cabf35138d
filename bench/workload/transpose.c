/* transpose.c: B = A^T, out of place: no arithmetic at all, and yet rows that are read are columns that are written. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

enum { A = 0, B = 1 };

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = operand == A ? p->m : p->n;
    *columns = operand == A ? p->n : p->m;
}

static double flops(const struct duel_problem *p)
{
    (void)p;
    return 0;
}

static double bytes(const struct duel_problem *p)
{
    return (double)p->m * (double)p->n * (double)(dtype_size(p->types.in) + dtype_size(p->types.out));
}

/* Each element is one of the input. */
static int64_t terms(const struct duel_problem *p)
{
    (void)p;
    return 1;
}

/* Row i of A as double, a strip at a time. */
enum { STRIP = 512 };

static int64_t load_strip(const struct duel_matrix *a, int64_t i, int64_t start, double *to)
{
    const int64_t count = a->columns - start < STRIP ? a->columns - start : STRIP;
    const char *from = (const char *)a->data + (size_t)(i * a->ld + start) * dtype_size(a->type);
    dtype_convert(a->type, from, DUEL_FP64, to, (size_t)count);
    return count;
}

/* Nothing is rounded but, perhaps, on the way to a narrower output: no magnitude, no error. */
static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    double strip[STRIP];
    (void)before;
    memset(magnitude, 0, (size_t)(p->m * p->n) * sizeof *magnitude);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t start = 0, count; start < p->n; start += count) {
            count = load_strip(&operand[A], i, start, strip);
            for (int64_t j = 0; j < count; j++)
                result[(start + j) * p->m + i] = strip[j];
        }
}

/* Row j of B times the signs, less the signed sum of column j of A. */
static void probe(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                  const signed char *x, double *residual, double *magnitude)
{
    const struct duel_matrix *b = &operand[B];
    double strip[STRIP];
    (void)before;
    memset(residual, 0, (size_t)p->n * sizeof *residual);
    memset(magnitude, 0, (size_t)p->n * sizeof *magnitude);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t start = 0, count; start < p->n; start += count) {
            count = load_strip(&operand[A], i, start, strip);
            for (int64_t j = 0; j < count; j++) {
                residual[start + j] -= x[i] * strip[j];
                magnitude[start + j] += fabs(strip[j]);
            }
        }
    for (int64_t j = 0; j < p->n && b->data; j++)
        for (int64_t start = 0, count; start < p->m; start += count) {
            count = load_strip(b, j, start, strip);
            for (int64_t i = 0; i < count; i++)
                residual[j] += x[start + i] * strip[i];
        }
}

/* k says nothing here, so most shapes of the common zoo are one; these are around tiles of 32 and 64. */
static const struct duel_zoo_shape zoo[] = {
    {.m = 31, .n = 97, .note = "around tiles of 32, and odd"},
    {.m = 127, .n = 65, .note = "around tiles of 64"},
    {.m = 192, .n = 128, .note = "whole tiles only"},
    {.m = 1, .n = 1000, .note = "a row becomes a column"},
    {.m = 1000, .n = 1, .note = "a column becomes a row"},
    {.m = 260, .n = 132, .note = "multiples of 4 and not of a tile"},
    {.note = NULL},
};

const struct duel_workload transpose_workload = {
    .name = "transpose",
    .doc = "Turns rows into columns: what it costs that memory is read and written in rows only.",
    .formula = "B = A^T",
    .lesson = "No arithmetic at all: what is read in rows must be written in columns. A cache line, or the "
              "sectors of a warp's request, of which one number is used wastes the rest. Tiles in caches or in "
              "shared memory make rows of both sides, and a padded tile keeps its columns in different banks. "
              "The mark is a plain copy.",
    .extents = "mn",
    .by_n = "mn",
    .empty = "",
    .sizes = {"512:8192:x2", "512:16384:x2", "96,256"},
    .fixed = {.k = 1, .count = 1, .alpha = 1},
    .zoo = zoo,
    .sums = true,
    .operands = 2,
    .operand_name = {"A", "B"},
    .role = {DUEL_IN, DUEL_OUT},
    .extent = extent,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .probe = probe,
    .memory_bound = true,
};
