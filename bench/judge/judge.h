/* judge.h: did a time change? The verdict on one case, from a few sessions (fresh processes) before and a few after.
 *
 * A difference counts when four things hold: it is beyond the threshold that anybody would act on; it is beyond what
 * a clock can tell (the absolute floor); it is beyond what the same code shows against itself (the noise floor); and
 * chance is no explanation, also when many cases are looked at together. `same` is a proof too: all of the interval
 * lies within the threshold. What is neither is inconclusive, with the number of further sessions that may tell. */
#ifndef DUEL_JUDGE_H
#define DUEL_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

enum judge_verdict { JUDGE_INCONCLUSIVE, JUDGE_SAME, JUDGE_FASTER, JUDGE_SLOWER, JUDGE_INCOMPARABLE, JUDGE_VERDICTS };
const char *judge_verdict_name(enum judge_verdict verdict); /* "inconclusive", "same", "faster", ... */

struct judge_limits {
    double threshold; /* relative: 0.03 */
    double floor_s;   /* absolute: a difference of less is none */
    double alpha;     /* share of false findings among all findings that is put up with */
};
extern const struct judge_limits judge_usual_limits; /* 3 %, 100 ns, 5 % */

#define JUDGE_MOST_FURTHER 100 /* sessions that anybody would wait for */

struct judge_finding {
    enum judge_verdict verdict;
    size_t sessions[2];      /* of A and B */
    double typical_s[2];     /* geometric mean of each */
    double variance[2];      /* of the logarithms of each; NaN below two sessions */
    double ratio, lo, hi;    /* time of B over that of A with its 95 % interval; NaN: unknown */
    double margin;           /* relative difference that nobody acts on: threshold or absolute floor, the larger one */
    double noise;            /* relative difference that the same code shows against itself; NaN: unknown */
    double chance, adjusted; /* probability by chance: of this case alone, and corrected for all of them */
    int further;             /* inconclusive: further sessions on each side that may tell; -1: more than anybody waits
                              * for, because the difference lies at the threshold itself or the noise is too large */
};

/* What the same code shows against itself: half of the 95 % interval of the ratio of two baselines of so many sessions,
 * when they scatter as these do. NaN below two. */
double judge_noise(const double *median_s, size_t sessions);

/* One case alone, from the median of each session. Times must be positive; a side without one is incomparable. */
void judge_case(const double *a, size_t a_sessions, const double *b, size_t b_sessions,
                const struct judge_limits *limits, struct judge_finding *finding);
/* The verdicts on many cases that judge_case() has looked at, corrected for their number. false: out of memory. */
bool judge_together(struct judge_finding *const *finding, size_t count, const struct judge_limits *limits);

#endif
