/* judge.c: the verdict on one case, and on many together. Everything is in logarithms, where a factor and its inverse
 * are equally far from 0: swapping A and B turns faster into slower and changes nothing else. */
#include "bench/judge/judge.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats/groups.h"
#include "bench/stats/student.h"

#define USUAL_SESSIONS 5 /* what mostly tells: it is asked for where nothing is known of the scatter */

const struct judge_limits judge_usual_limits = {.threshold = 0.03, .floor_s = 1e-7, .alpha = 0.05};

const char *judge_verdict_name(enum judge_verdict verdict)
{
    static const char *const name[JUDGE_VERDICTS] = {[JUDGE_INCONCLUSIVE] = "inconclusive",
                                                     [JUDGE_SAME] = "same",
                                                     [JUDGE_FASTER] = "faster",
                                                     [JUDGE_SLOWER] = "slower",
                                                     [JUDGE_INCOMPARABLE] = "incomparable"};
    return (unsigned int)verdict < JUDGE_VERDICTS ? name[verdict] : name[JUDGE_INCONCLUSIVE];
}

/* Of two groups of `sessions` values with this variance, by Student's t with what one group knows of it. */
static double noise_log(double variance, size_t sessions)
{
    const double n = (double)sessions;
    return sessions > 1 ? student_quantile(n - 1) * sqrt(variance * 2 / n) : NAN;
}

double judge_noise(const double *median_s, size_t sessions)
{
    const struct duel_group group = groups_of_logs(median_s, sessions);
    return expm1(noise_log(group.variance, sessions));
}

/* Of both sides: neither may decide alone, or swapping them would change the verdict. */
static double noise_of(const struct duel_group *a, const struct duel_group *b)
{
    return hypot(noise_log(a->variance, a->count), noise_log(b->variance, b->count)) / M_SQRT2;
}

/* ---- how many more ---------------------------------------------------------------------------------------------- */

/* Would so many sessions on each side tell, when scatter and difference stay as they are? */
static bool would_tell(const struct duel_group *a, const struct duel_group *b, const struct judge_finding *finding,
                       const struct judge_limits *limits, size_t sessions)
{
    const double n = (double)sessions, away = fabs(log(finding->ratio)), margin = log1p(finding->margin);
    const double error = sqrt((a->variance + b->variance) / n);
    if (away <= margin)
        return away + student_quantile(2 * n - 2) * error <= margin;
    const double strictness = finding->adjusted > finding->chance ? finding->adjusted / finding->chance : 1;
    return groups_forecast(a, b, away, sessions) * strictness <= limits->alpha &&
           noise_log((a->variance + b->variance) / 2, sessions) < away;
}

/* A side of one session is taken to scatter like the other one. */
static int further_sessions(const struct judge_finding *finding, const struct judge_limits *limits)
{
    struct duel_group a = {finding->sessions[0], 0, finding->variance[0]};
    struct duel_group b = {finding->sessions[1], 0, finding->variance[1]};
    const size_t fewer = a.count < b.count ? a.count : b.count, more = a.count + b.count - fewer;
    a.variance = isnan(a.variance) ? b.variance : a.variance;
    b.variance = isnan(b.variance) ? a.variance : b.variance;
    if (isnan(a.variance))
        return fewer < USUAL_SESSIONS ? (int)(USUAL_SESSIONS - fewer) : 1;
    size_t sessions = fewer > 1 ? more : 2;
    while (sessions <= fewer + JUDGE_MOST_FURTHER && !would_tell(&a, &b, finding, limits, sessions))
        sessions++;
    const size_t further = sessions > fewer ? sessions - fewer : 1;
    return further <= JUDGE_MOST_FURTHER ? (int)further : -1;
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

/* `adjusted` must be set. */
static void decide(struct judge_finding *finding, const struct judge_limits *limits)
{
    const double away = log(finding->ratio), margin = log1p(finding->margin);
    if (finding->verdict == JUDGE_INCOMPARABLE)
        return;
    finding->verdict = JUDGE_INCONCLUSIVE;
    if (fabs(away) > margin && finding->adjusted <= limits->alpha && fabs(away) > log1p(finding->noise))
        finding->verdict = away > 0 ? JUDGE_SLOWER : JUDGE_FASTER;
    else if (log(finding->lo) >= -margin && log(finding->hi) <= margin)
        finding->verdict = JUDGE_SAME;
    finding->further = finding->verdict == JUDGE_INCONCLUSIVE ? further_sessions(finding, limits) : 0;
}

static bool all_positive(const double *value, size_t count)
{
    size_t i = 0;
    while (i < count && value[i] > 0 && isfinite(value[i]))
        i++;
    return i == count && count > 0;
}

void judge_case(const double *a, size_t a_sessions, const double *b, size_t b_sessions,
                const struct judge_limits *limits, struct judge_finding *finding)
{
    *finding = (struct judge_finding){.verdict = JUDGE_INCOMPARABLE,
                                      .sessions = {a_sessions, b_sessions},
                                      .typical_s = {NAN, NAN},
                                      .variance = {NAN, NAN},
                                      .ratio = NAN,
                                      .lo = NAN,
                                      .hi = NAN,
                                      .margin = limits->threshold,
                                      .noise = NAN,
                                      .chance = NAN,
                                      .adjusted = NAN};
    if (!all_positive(a, a_sessions) || !all_positive(b, b_sessions))
        return;
    const struct duel_group of_a = groups_of_logs(a, a_sessions), of_b = groups_of_logs(b, b_sessions);
    struct duel_welch welch;
    finding->verdict = JUDGE_INCONCLUSIVE;
    finding->typical_s[0] = exp(of_a.mean);
    finding->typical_s[1] = exp(of_b.mean);
    finding->variance[0] = of_a.variance;
    finding->variance[1] = of_b.variance;
    finding->ratio = exp(of_b.mean - of_a.mean);
    finding->margin = fmax(limits->threshold, limits->floor_s / fmin(finding->typical_s[0], finding->typical_s[1]));
    if (groups_welch(&of_a, &of_b, &welch)) {
        finding->lo = exp(welch.difference - welch.half);
        finding->hi = exp(welch.difference + welch.half);
        finding->noise = expm1(noise_of(&of_a, &of_b));
        finding->chance = finding->adjusted = welch.probability;
    }
    decide(finding, limits);
}

bool judge_together(struct judge_finding *const *finding, size_t count, const struct judge_limits *limits)
{
    double *chance = calloc(2 * count + 1, sizeof *chance), *adjusted = chance ? chance + count : NULL;
    for (size_t i = 0; chance && i < count; i++)
        chance[i] = finding[i]->chance;
    const bool done = chance && groups_adjust(chance, count, adjusted);
    for (size_t i = 0; done && i < count; i++) {
        finding[i]->adjusted = adjusted[i];
        decide(finding[i], limits);
    }
    free(chance);
    return done;
}
