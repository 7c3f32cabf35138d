/* paired.h: comparing two implementations: a speed-up with its interval, and what may be said about it. */
#ifndef DUEL_PAIRED_H
#define DUEL_PAIRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Speed-up of b over a: median(a) / median(b), with its 95 % interval from a bootstrap of blocks of pairs. a[i] and
 * b[i] are times taken next to each other, in the order they were taken. The same seed gives the same interval. Times
 * that are put together (end to end, amortised over reuses) are put together by the caller, element by element.
 * Fewer than six pairs, or a time that is not positive: false, and NaN in all three. */
bool stats_ratio(const double *a, const double *b, size_t pairs, uint64_t seed, double *ratio, double *lo, double *hi);

/* Share of a price, paid once, that each use earns back: (median(base) - median(use)) / median(price), with its 95 %
 * interval; not above 0 where a use is no faster than the base. Price paid and R uses cost less than R times the base
 * from R = 1 / share on. Taken, and unknown, as above. */
bool stats_share(const double *base, const double *use, const double *price, size_t rounds, uint64_t seed,
                 double *share, double *lo, double *hi);

/* The same speed-up from several sessions (fresh processes), which are the unit of replication: geometric mean, and
 * Student's t interval of the logarithms. Fewer than two sessions: the interval is NaN, and the result false. */
bool stats_session_ratio(const double *session_ratio, size_t sessions, double *ratio, double *lo, double *hi);

enum duel_comparison { DUEL_INCONCLUSIVE = 0, DUEL_SAME, DUEL_FASTER, DUEL_SLOWER };
const char *stats_comparison_name(enum duel_comparison comparison); /* "inconclusive", "same", "faster", "slower" */

/* Differences that nobody should act on: what the placement of code and data alone does to a run (Mytkowicz et al.,
 * Producing wrong data without doing anything obviously wrong, ASPLOS 2009). */
#define STATS_THRESHOLD 0.01

/* What a speed-up with its 95 % interval proves, for differences beyond `threshold`. FASTER or SLOWER: all of the
 * interval, stretched to about 99 %, lies beyond it. SAME: the 95 % interval lies within. INCONCLUSIVE: neither, or
 * something is NaN; more samples or sessions may tell. */
enum duel_comparison stats_verdict(double ratio, double lo, double hi, double threshold);

#endif
