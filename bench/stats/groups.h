/* groups.h: two independent groups of a few numbers, such as the sessions before and after an update, and what many
 * such comparisons prove together. */
#ifndef DUEL_GROUPS_H
#define DUEL_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* Of the logarithms of times: a factor and its inverse are equally far from 0. */
struct duel_group {
    size_t count;
    double mean, variance; /* NaN without a value; the variance below two */
};

struct duel_welch {
    double difference;  /* mean of b less mean of a */
    double error;       /* standard error of it */
    double freedom;     /* degrees of freedom */
    double half;        /* half of its 95 % interval */
    double probability; /* of such a difference, or a larger one, where there is none */
};

/* All values must be positive. */
struct duel_group groups_of_logs(const double *value, size_t count);
/* Welch's t: the groups may scatter differently. Swapping them changes the sign of the difference and nothing else.
 * false and NaN where a group has fewer than two values. */
bool groups_welch(const struct duel_group *a, const struct duel_group *b, struct duel_welch *welch);
/* The probability that the same two groups would give if each had `count` values. */
double groups_forecast(const struct duel_group *a, const struct duel_group *b, double difference, size_t count);
/* Many comparisons at once find something by chance. adjusted[i] is the smallest share of false findings at which the
 * i-th is still among the findings (Benjamini & Hochberg, J. R. Statist. Soc. B 57, 1995). NaN are left out and stay.
 * false: out of memory. */
bool groups_adjust(const double *probability, size_t count, double *adjusted);

#endif
