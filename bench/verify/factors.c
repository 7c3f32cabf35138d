/* factors.c: what was multiplied instead? A product P = A' B with a known B of full rank has one A'. If that A' is made
 * of small whole numbers and gives P exactly, the mistake is in how A got into the sum; and the same with A and B'. */
#include <math.h>
#include <stdlib.h>

#include "bench/verify/pattern.h"

/* Numbers are -2 .. 2, and some may have been added several times. Beyond MOST_TERMS the work is not worth it. */
enum { LARGEST = 16, MOST_TERMS = 160 };
#define SINGULAR 1e-7

/* F X = Y, seen from either side: for B' all three are transposed, which `side` takes into account. */
struct side {
    int64_t rows, terms, columns; /* F is rows x terms, Y rows x columns */
    const double *x, *y, *right;  /* `right` is what F should be */
    int64_t x_row, x_column;      /* steps from element to element */
    int64_t y_row, y_column, f_row, f_column;
    enum duel_cause read; /* the cause if other elements stand in F */
};

static double x_at(const struct side *s, int64_t l, int64_t j)
{
    return s->x[l * s->x_row + j * s->x_column];
}

/* The lower triangle of X X^T = L L^T, in place. False when X has no full rank. */
static bool decompose(const struct side *s, double *L)
{
    const int64_t k = s->terms;
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0;
            for (int64_t j = 0; j < s->columns; j++)
                sum += x_at(s, a, j) * x_at(s, b, j);
            for (int64_t l = 0; l < b; l++)
                sum -= L[a * k + l] * L[b * k + l];
            if (a == b && sum < SINGULAR)
                return false;
            L[a * k + b] = a == b ? sqrt(sum) : sum / L[b * k + b];
        }
    return true;
}

/* One row of F as whole numbers. False when it is none, or does not give the row of Y. */
static bool solve_row(const struct side *s, const double *L, int64_t row, double *f)
{
    const int64_t k = s->terms;
    const double *y = s->y + row * s->y_row;
    for (int64_t a = 0; a < k; a++) {
        double sum = 0;
        for (int64_t j = 0; j < s->columns; j++)
            sum += x_at(s, a, j) * y[j * s->y_column];
        for (int64_t l = 0; l < a; l++)
            sum -= L[a * k + l] * f[l];
        f[a] = sum / L[a * k + a];
    }
    for (int64_t a = k - 1; a >= 0; a--) {
        for (int64_t l = a + 1; l < k; l++)
            f[a] -= L[l * k + a] * f[l];
        f[a] /= L[a * k + a];
    }
    for (int64_t a = 0; a < k; a++) {
        if (!(fabs(f[a]) <= LARGEST && fabs(f[a] - round(f[a])) < 1e-3))
            return false;
        f[a] = round(f[a]);
    }
    for (int64_t j = 0; j < s->columns; j++) {
        double sum = 0;
        for (int64_t l = 0; l < k; l++)
            sum += f[l] * x_at(s, l, j);
        if (fabs(sum - y[j * s->y_column]) > 1e-6)
            return false;
    }
    return true;
}

/* How F differs from what it should be. */
struct change {
    int64_t missing, twice, other;
};

static bool compare(const struct side *s, struct change *change)
{
    const size_t k = (size_t)s->terms;
    double *L = malloc(k * k * sizeof *L + 1), *f = malloc(k * sizeof *f + 1);
    bool found = L && f && decompose(s, L);
    for (int64_t i = 0; found && i < s->rows; i++) {
        found = solve_row(s, L, i, f);
        for (int64_t l = 0; found && l < s->terms; l++) {
            const double right = s->right[i * s->f_row + l * s->f_column];
            change->missing += f[l] == 0 && right != 0;
            change->twice += f[l] != right && right != 0 && f[l] != 0 && fmod(f[l], right) == 0 && f[l] / right > 1;
            change->other +=
                f[l] != right && (right == 0 || (f[l] != 0 && !(fmod(f[l], right) == 0 && f[l] / right > 1)));
        }
    }
    free(L);
    free(f);
    return found;
}

/* A value twice as large as the right one may as well be another value: `other` tells, where there are any. */
static void judge(const struct side *s, const struct change *c, double weight, struct duel_suspects *suspects)
{
    const int64_t all = c->missing + c->twice + c->other;
    if (c->other > 0) {
        suspects->weight[s->read] += 0.8 * weight;
        suspects->weight[CAUSE_STALE] += 0.2 * weight;
    } else if (c->missing == all) {
        suspects->weight[CAUSE_SUM_TERMS] += 0.7 * weight;
        suspects->weight[s->read] += 0.3 * weight;
    } else if (c->twice == all) {
        suspects->weight[CAUSE_SUM_TWICE] += weight;
    } else {
        suspects->weight[CAUSE_STALE] += 0.6 * weight;
        suspects->weight[CAUSE_SUM_TERMS] += 0.4 * weight;
    }
}

bool factors_find(const struct duel_pattern *p, const double *product, double weight, struct duel_suspects *suspects)
{
    const struct side sides[] = {
        {p->m, p->k, p->n, p->B, product, p->A, p->n, 1, p->n, 1, p->k, 1, CAUSE_READ_A},
        {p->n, p->k, p->m, p->A, product, p->B, 1, p->k, 1, p->n, 1, p->n, CAUSE_READ_B},
    };
    struct change change[2] = {{0, 0, 0}, {0, 0, 0}};
    bool found[2] = {false, false};
    for (int i = 0; i < 2 && p->k <= MOST_TERMS; i++)
        found[i] = sides[i].columns >= p->k && compare(&sides[i], &change[i]);
    /* Both an A' with B and an A with B' give it: each is right, only not together. */
    if (found[0] && found[1] && change[0].other > 0 && change[1].other > 0)
        suspects->weight[CAUSE_PAIR] += weight;
    else if (found[0] || found[1])
        judge(&sides[!found[0]], &change[!found[0]], weight, suspects);
    return found[0] || found[1];
}
