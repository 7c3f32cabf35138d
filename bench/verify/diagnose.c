/* diagnose.c: the likely cause of a wrong answer. Each row of the table predicts the output under one fault; the fault
 * is named only when it explains every single element, so that a message never guesses. */
#include <math.h>

#include "bench/verify/trial.h"

/* What is known about one element of the output. `transposed` stands at (column, row); NaN if C is not square. */
struct clue {
    double right, before, transposed, alpha, beta;
};

struct fault {
    bool (*possible)(const struct duel_problem *problem);
    double (*predict)(const struct clue *clue);
    const char *words;
};

static bool reads_c(const struct duel_problem *p)
{
    return p->beta != 0;
}

static bool scales_c(const struct duel_problem *p)
{
    return p->beta != 0 && p->beta != 1;
}

static bool scales_product(const struct duel_problem *p)
{
    return p->alpha != 0 && p->alpha != 1;
}

static bool has_product(const struct duel_problem *p)
{
    return p->alpha != 0;
}

static bool square(const struct duel_problem *p)
{
    return p->m == p->n && p->m > 1;
}

static double unchanged(const struct clue *c)
{
    return c->before;
}

static double without_beta(const struct clue *c)
{
    return c->right - c->beta * c->before;
}

static double beta_as_one(const struct clue *c)
{
    return c->right - c->beta * c->before + c->before;
}

static double without_alpha(const struct clue *c)
{
    return (c->right - c->beta * c->before) / c->alpha + c->beta * c->before;
}

static double without_product(const struct clue *c)
{
    return c->beta * c->before;
}

static double transposed(const struct clue *c)
{
    return c->transposed;
}

static const struct fault fault_table[] = {
    {reads_c, unchanged, "the output is the old C: nothing was written"},
    {reads_c, without_beta, "beta C is missing"},
    {scales_c, beta_as_one, "C was added without beta"},
    {scales_product, without_alpha, "alpha was ignored"},
    {has_product, without_product, "alpha A B is missing"},
    {square, transposed, "the output is transposed"},
};

/* Both results carry rounding errors here, and a wrong one may be larger than the right one. */
static bool close_to(const struct duel_trial *trial, int64_t index, double value, double predicted)
{
    const double alpha = fabs(trial->problem->alpha), magnitude = trial->expectation->magnitude[index];
    const double larger = alpha > 0 && alpha < 1 ? magnitude / alpha : magnitude;
    return fabs(value - predicted) <= 2 * bounds_element(&trial->bounds, larger + fabs(predicted), predicted);
}

static bool explains(const struct duel_trial *trial, const struct fault *fault)
{
    const struct duel_matrix *output = trial->output;
    const double *right = trial->expectation->result;
    struct clue clue = {0, 0, 0, trial->problem->alpha, trial->problem->beta};
    double value;
    for (int64_t i = 0; i < output->rows; i++)
        for (int64_t j = 0; j < output->columns; j++) {
            trial_load(output, i, j, 1, &value);
            if (trial->before)
                trial_load(trial->before, i, j, 1, &clue.before);
            clue.right = right[i * output->columns + j];
            clue.transposed = output->rows == output->columns ? right[j * output->columns + i] : NAN;
            if (!close_to(trial, i * output->columns + j, value, fault->predict(&clue)))
                return false;
        }
    return true;
}

const char *trial_diagnose(const struct duel_trial *trial)
{
    for (size_t i = 0; i < sizeof fault_table / sizeof fault_table[0]; i++)
        if (fault_table[i].possible(trial->problem) && explains(trial, &fault_table[i]))
            return fault_table[i].words;
    return NULL;
}
