#include "bench/selftest/coverage.h"

#include <math.h>

#include "bench/selftest/tests.h"
#include "bench/stats/random.h"

/* ---- samples of a known median ---------------------------------------------------------------------------- */

/* A first-order autoregression with variance 1. */
static void normal(double *value, size_t count, double correlation, uint64_t *state)
{
    const double fresh = sqrt(1 - correlation * correlation);
    value[0] = random_normal(state);
    for (size_t i = 1; i < count; i++)
        value[i] = correlation * value[i - 1] + fresh * random_normal(state);
}

static void lognormal(double *value, size_t count, double correlation, uint64_t *state)
{
    normal(value, count, correlation, state);
    for (size_t i = 0; i < count; i++)
        value[i] = exp(value[i]);
}

static void exponential(double *value, size_t count, double correlation, uint64_t *state)
{
    (void)correlation;
    for (size_t i = 0; i < count; i++)
        value[i] = -log(random_unit(state));
}

/* This share of the runs at full clock, the others a fifth slower. */
static void two_modes(double *value, size_t count, double share, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        value[i] = random_unit(state) < share ? 1 + 0.01 * random_normal(state) : 1.2 + 0.02 * random_normal(state);
}

static void nine_of_ten(double *value, size_t count, double correlation, uint64_t *state)
{
    (void)correlation;
    two_modes(value, count, 0.9, state);
}

static void half(double *value, size_t count, double correlation, uint64_t *state)
{
    (void)correlation;
    two_modes(value, count, 0.5, state);
}

/* Half the variance is noise of each sample, half wanders slowly: the first lag alone says little. */
static void wandering(double *value, size_t count, double correlation, uint64_t *state)
{
    normal(value, count, correlation, state);
    for (size_t i = 0; i < count; i++)
        value[i] += random_normal(state);
}

const struct coverage_sequence coverage_table[] = {
    {"normal", normal, 0, 0, true},
    {"lognormal", lognormal, 0, 1, true},
    {"exponential", exponential, 0, M_LN2, true},
    /* The normal quantile of 0.5 / 0.9 is 0.139710298881862. */
    {"two modes 90/10", nine_of_ten, 0, 1.00139710298881862, true},
    /* Between the modes, as many standard deviations from one as from the other. */
    {"two modes 50/50", half, 0, 1 + 0.2 / 3, true},
    {"normal, 0.3", normal, 0.3, 0, true},
    {"normal, 0.6", normal, 0.6, 0, true},
    {"lognormal, 0.6", lognormal, 0.6, 1, true},
    {"normal, -0.4", normal, -0.4, 0, true},
    {"normal, 0.8", normal, 0.8, 0, false},
    {"wandering, 0.8", wandering, 0.8, 0, false},
    {NULL, NULL, 0, 0, false},
};

double coverage_fixed(const struct coverage_sequence *sequence, size_t count, int trials, uint64_t seed)
{
    double value[COVERAGE_MOST], lo, hi;
    int covered = 0;
    for (int trial = 0; trial < trials; trial++) {
        sequence->make(value, count, sequence->correlation, &seed);
        covered += stats_median_ci(value, count, &lo, &hi) && lo <= sequence->median && sequence->median <= hi;
    }
    return 100.0 * covered / trials;
}

double coverage_stopped(const struct duel_sampler_rules *rules, double noise, double correlation, int trials,
                        uint64_t seed)
{
    double value[COVERAGE_MOST], lo, hi;
    int covered = 0;
    for (int trial = 0; trial < trials; trial++) {
        struct duel_sampler sampler;
        struct duel_samples samples = {value, 0, COVERAGE_MOST};
        normal(value, COVERAGE_MOST, correlation, &seed);
        sampler_init(&sampler, rules);
        while (!sampler.done && samples.count < COVERAGE_MOST) {
            value[samples.count] = exp(noise * value[samples.count]);
            samples.count++;
            sampler_sample(&sampler, &samples, 0, 1);
        }
        covered += stats_median_ci(value, samples.count, &lo, &hi) && lo <= 1 && 1 <= hi;
    }
    return 100.0 * covered / trials;
}

/* ---- the tests -------------------------------------------------------------------------------------------- */

struct extremes {
    double least, most;
    char where[64]; /* of the one that is further from 95 */
};

static void take(struct extremes *extremes, double share, const char *name, size_t count)
{
    const bool worst = extremes->least > extremes->most ||
                       fabs(share - 95) > fmax(fabs(extremes->least - 95), fabs(extremes->most - 95));
    extremes->least = fmin(extremes->least, share);
    extremes->most = fmax(extremes->most, share);
    if (worst)
        snprintf(extremes->where, sizeof extremes->where, "%s, %zu samples", name, count);
}

static void report(struct selftest_finding *finding, const struct extremes *extremes, double least, double most,
                   const char *what)
{
    const bool kept = extremes->least >= least && extremes->most <= most;
    selftest_found(finding, kept ? SELFTEST_TRUE : SELFTEST_FALSE, extremes->least,
                   "intervals promise more, or less, than they hold",
                   "trust no interval of this build; run `make test` and report what it says",
                   "%s: %.1f to %.1f %%, furthest at %s; %.0f to %.0f", what, extremes->least, extremes->most,
                   extremes->where, least, most);
}

/* From the default --min-samples on. Seeds are fixed: the figure is the same on every machine. */
void test_coverage(struct selftest_scene *scene, struct selftest_finding *finding)
{
    enum { TRIALS = 8000, SIZES = 3 };
    static const size_t sizes[SIZES] = {20, 30, 100};
    struct extremes extremes = {100, 0, ""};
    int rows = 0;
    while (coverage_table[rows].name)
        rows++;
    for (int row = 0; row < rows; row++)
        for (int s = 0; s < SIZES && coverage_table[row].promised; s++) {
            selftest_doing(scene, "simulating measurements", (row * SIZES + s) / (double)(rows * SIZES));
            take(&extremes, coverage_fixed(&coverage_table[row], sizes[s], TRIALS, (uint64_t)(100 * row + s)),
                 coverage_table[row].name, sizes[s]);
        }
    report(finding, &extremes, 93, 97, "skewed, bimodal, autocorrelated");
}

/* Whoever stops when an interval is narrow stops a little more often where it is too narrow. */
void test_stopping(struct selftest_scene *scene, struct selftest_finding *finding)
{
    enum { TRIALS = 4000 };
    static const double correlation[] = {-0.4, 0, 0.3, 0.6};
    const struct duel_sampler_rules rules = {
        .target_ci = 0.01, .min_samples = 20, .max_samples = COVERAGE_MOST, .timeout_s = INFINITY};
    struct extremes extremes = {100, 0, ""};
    for (int c = 0; c < 4; c++)
        for (int percent = 1; percent <= 2; percent++) {
            char name[40];
            snprintf(name, sizeof name, "noise %d %%, correlation %g", percent, correlation[c]);
            selftest_doing(scene, "simulating measurements that end by themselves", (2 * c + percent - 1) / 8.0);
            take(&extremes,
                 coverage_stopped(&rules, 0.01 * percent, correlation[c], TRIALS, (uint64_t)(10 * c + percent)), name,
                 20);
        }
    report(finding, &extremes, 91, 98, "stopped by the sampler");
}
