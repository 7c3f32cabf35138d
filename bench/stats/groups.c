/* groups.c: Welch's comparison of two groups, and its correction for many of them. */
#include "bench/stats/groups.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats/student.h"

struct duel_group groups_of_logs(const double *value, size_t count)
{
    struct duel_group group = {count, NAN, NAN};
    const double n = (double)count;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += log(value[i]);
    group.mean = count > 0 ? sum / n : NAN;
    for (size_t i = 0; i < count; i++)
        squares += pow(log(value[i]) - group.mean, 2);
    group.variance = count > 1 ? squares / (n - 1) : NAN;
    return group;
}

/* Values that are all the same leave nothing to chance. */
static double probability_of(double difference, double error, double freedom)
{
    if (error > 0)
        return student_tail(difference / error, freedom);
    return difference == 0 ? 1 : 0;
}

/* Satterthwaite's degrees of freedom (Biometrics Bulletin 2, 1946). */
bool groups_welch(const struct duel_group *a, const struct duel_group *b, struct duel_welch *welch)
{
    const double na = (double)a->count, nb = (double)b->count;
    *welch = (struct duel_welch){NAN, NAN, NAN, NAN, NAN};
    if (a->count < 2 || b->count < 2)
        return false;
    const double of_a = a->variance / na, of_b = b->variance / nb, both = of_a + of_b;
    welch->difference = b->mean - a->mean;
    welch->error = sqrt(both);
    welch->freedom = both > 0 ? both * both / (of_a * of_a / (na - 1) + of_b * of_b / (nb - 1)) : na + nb - 2;
    welch->half = student_quantile(welch->freedom) * welch->error;
    welch->probability = probability_of(welch->difference, welch->error, welch->freedom);
    return true;
}

double groups_forecast(const struct duel_group *a, const struct duel_group *b, double difference, size_t count)
{
    struct duel_group one = {count, 0, a->variance}, other = {count, difference, b->variance};
    struct duel_welch welch;
    return groups_welch(&one, &other, &welch) ? welch.probability : NAN;
}

static int ascending(const void *left, const void *right)
{
    const double a = **(const double *const *)left, b = **(const double *const *)right;
    return (a > b) - (a < b);
}

bool groups_adjust(const double *probability, size_t count, double *adjusted)
{
    const double **sorted = malloc((count + 1) * sizeof *sorted);
    size_t known = 0;
    double least = 1;
    for (size_t i = 0; sorted && i < count; i++) {
        adjusted[i] = NAN;
        if (!isnan(probability[i]))
            sorted[known++] = &probability[i];
    }
    if (sorted)
        qsort(sorted, known, sizeof *sorted, ascending);
    for (size_t rank = known; sorted && rank > 0; rank--) {
        least = fmin(least, *sorted[rank - 1] * (double)known / (double)rank);
        adjusted[sorted[rank - 1] - probability] = least;
    }
    const bool done = sorted != NULL;
    free(sorted);
    return done;
}
