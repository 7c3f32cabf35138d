/* pattern.c: mistakes that show in what stands in the wrong elements. Each test of the table explains all of them or
 * none: a mistake that explains only most of the numbers is not the one that was made. */
#include "bench/verify/pattern_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_WEIGHT 0.2

/* Do the wrong elements lie along the last rows or columns, without being all of C? */
static bool at_edge(const struct pattern_view *v)
{
    const struct duel_pattern *p = v->p;
    const bool high = 2 * (v->bottom - v->top + 1) > p->m, wide = 2 * (v->right - v->left + 1) > p->n;
    return (v->bottom == p->m - 1 && v->top > 0 && wide) || (v->right == p->n - 1 && v->left > 0 && high);
}

/* One factor f with a == f b in every wrong element; NaN if there is none, or only one element that tells it. */
static double factor(const struct pattern_view *v, const double *a, const double *b)
{
    double f = NAN;
    int64_t seen = 0;
    for (int64_t e = 0; e < v->p->m * v->p->n; e++) {
        if (!v->wrong[e])
            continue;
        if (isnan(f) && b[e] != 0)
            f = a[e] / b[e];
        if (!equal(a[e], isnan(f) ? 0 : f * b[e]))
            return NAN;
        seen += b[e] != 0;
    }
    return seen > 1 || equal(f, 0) || equal(f, 1) ? f : NAN;
}

static bool untouched(const struct pattern_view *v)
{
    if (!v->p->before || !equal(factor(v, v->p->value, v->p->before), 1))
        return false;
    blame_two(v, at_edge(v) ? CAUSE_EDGE : CAUSE_PLACE, at_edge(v) ? CAUSE_PLACE : CAUSE_EDGE);
    return true;
}

/* value = right + f C, or f times beta C alone where the product is right. */
static bool old_c(const struct pattern_view *v)
{
    const struct duel_pattern *p = v->p;
    double f = NAN;
    int64_t seen = 0;
    for (int64_t e = 0; p->before && e < p->m * p->n; e++) {
        if (!v->wrong[e])
            continue;
        if (isnan(f) && p->before[e] != 0)
            f = (p->value[e] - p->right[e]) / p->before[e];
        if (isnan(f) || !equal(p->value[e] - p->right[e], f * p->before[e]))
            return false;
        seen += p->before[e] != 0;
    }
    if (seen < 2 && !equal(f, -p->beta))
        return false;
    blame(v, CAUSE_BETA, 1);
    return true;
}

static bool scaled(const struct pattern_view *v)
{
    const double f = factor(v, v->product, v->wanted);
    if (isnan(f))
        return false;
    if (equal(f, 0) && v->p->k == 1)
        blame_two(v, CAUSE_SUM_END, CAUSE_SUM_LOST);
    else if (equal(f, 0))
        blame_two(v, at_edge(v) ? CAUSE_EDGE : CAUSE_SUM_LOST, at_edge(v) ? CAUSE_SUM_LOST : CAUSE_EDGE);
    else if (f > 1.5 && equal(f, round(f)))
        blame_two(v, CAUSE_SUM_TWICE, CAUSE_ALPHA);
    else
        blame(v, CAUSE_ALPHA, 1);
    return true;
}

/* Sums that leave out the last or the first terms, the same number of them in every wrong element. */
static bool shortened(const struct pattern_view *v)
{
    const struct duel_pattern *p = v->p;
    double *rest = malloc((size_t)(p->m * p->n) * sizeof *rest + 1);
    for (int end = 0; rest && end < 2; end++) {
        memcpy(rest, v->wanted, (size_t)(p->m * p->n) * sizeof *rest);
        for (int64_t step = 0; step < p->k - 1; step++) {
            const int64_t l = end ? p->k - 1 - step : step;
            bool all = true;
            for (int64_t e = 0; e < p->m * p->n; e++) {
                rest[e] -= p->A[e / p->n * p->k + l] * p->B[l * p->n + e % p->n];
                all = all && (!v->wrong[e] || equal(v->product[e], rest[e]));
            }
            if (!all)
                continue;
            blame_two(v, end ? CAUSE_SUM_END : CAUSE_SUM_START, CAUSE_SUM_TERMS);
            free(rest);
            return true;
        }
    }
    free(rest);
    return false;
}

static bool other_factors(const struct pattern_view *v)
{
    return factors_find(v->p, v->product, v->weight, v->suspects);
}

/* From the simple to the far-fetched: the first that explains everything is taken. */
static bool (*const test_table[])(const struct pattern_view *view) = {
    untouched,     old_c,          scaled,        shortened,       moved_rows,
    moved_columns, moved_anywhere, other_factors, borrowed_in_row, borrowed_in_column,
};

static void look(struct pattern_view *v)
{
    const struct duel_pattern *p = v->p;
    v->top = p->m, v->left = p->n, v->bottom = v->right = -1;
    for (int64_t e = 0; e < p->m * p->n; e++) {
        const double old = p->before ? p->beta * p->before[e] : 0;
        const int64_t i = e / p->n, j = e % p->n;
        v->product[e] = (p->value[e] - old) / p->alpha;
        v->wanted[e] = (p->right[e] - old) / p->alpha;
        v->wrong[e] = !equal(p->value[e], p->right[e]);
        if (!v->wrong[e])
            continue;
        v->count++;
        v->top = i < v->top ? i : v->top;
        v->bottom = i;
        v->left = j < v->left ? j : v->left;
        v->right = j > v->right ? j : v->right;
    }
    v->weight = v->count >= ENOUGH_ELEMENTS && p->k >= ENOUGH_TERMS ? 1 : FEW_WEIGHT;
}

bool pattern_find(const struct duel_pattern *p, struct duel_suspects *suspects)
{
    const size_t elements = (size_t)(p->m * p->n);
    struct pattern_view v = {.p = p, .suspects = suspects};
    v.product = malloc(elements * sizeof(double) + 1);
    v.wanted = malloc(elements * sizeof(double) + 1);
    v.wrong = malloc(elements + 1);
    const bool enough = v.product && v.wanted && v.wrong;
    if (enough && p->alpha != 0)
        look(&v);
    bool found = v.count == 0;
    for (size_t i = 0; !found && i < sizeof test_table / sizeof test_table[0]; i++)
        found = test_table[i](&v);
    if (!found)
        blame(&v, CAUSE_UNKNOWN, 1);
    free(v.product);
    free(v.wanted);
    free(v.wrong);
    return enough;
}
