/* copies_share.c: a time budget, shared out to the sizes of copies. Beside its samples every size has to be made: its
 * memory is allocated and filled, every way of copying is proven twice. That grows with the size; samples do not. */
#include <math.h>

#include "bench/harness/copies.h"

#define MAKING_SHARE 0.6 /* of what is left at most: the rest is for samples */
#define SHORTEST_S 0.005 /* for the samples of one way */

double copies_making_s(int64_t bytes, int kinds, double bytes_per_s)
{
    /* Memory to copy from and to, and each kind's proofs. */
    return (double)bytes * (2 + kinds) / bytes_per_s + kinds * SHORTEST_S;
}

struct duel_copies_share copies_share(const int64_t *size, int sizes, int kinds, double left_s, double bytes_per_s,
                                      double limit_s)
{
    struct duel_copies_share share = {0, limit_s};
    double making_s = 0;
    for (int i = 0; i < sizes; i++) {
        double own_s = copies_making_s(size[i], kinds, bytes_per_s);
        if (making_s + own_s > (i == 0 ? left_s : MAKING_SHARE * left_s))
            break;
        making_s += own_s;
        share.fit++;
    }
    if (share.fit > 0)
        share.timeout_s = fmin(limit_s, fmax(SHORTEST_S, (left_s - making_s) / (share.fit * kinds)));
    return share;
}

double copies_rate(const struct duel_transfer *rows, int count, double spent_s, double bytes_per_s)
{
    double sampling_s = 0, bytes = count > 0 ? (double)rows[0].bytes : 0;
    for (int i = 0; i < count; i++) {
        sampling_s += isfinite(rows[i].warmup_s) ? rows[i].warmup_s : 0;
        for (size_t j = 0; j < rows[i].host_time_s.count; j++)
            sampling_s += rows[i].host_time_s.value[j] * (double)rows[i].batch;
    }
    bool tells = bytes >= COPIES_TELLING && spent_s > sampling_s;
    return tells ? bytes * (2 + count) / (spent_s - sampling_s) : bytes_per_s;
}
