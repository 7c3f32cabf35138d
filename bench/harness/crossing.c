#include "bench/harness/crossing.h"

#include <math.h>
#include <stdio.h>

/* Half way on the logarithmic scale of sizes, at a multiple of 8 where one lies between: odd sizes have costs of their
 * own, which are not the question here. */
static int64_t between(int64_t below, int64_t above)
{
    int64_t middle = (int64_t)llround(sqrt((double)below * (double)above));
    int64_t even = (middle + 4) / 8 * 8;
    if (even > below && even < above)
        middle = even;
    return middle > below && middle < above ? middle : 0;
}

static void narrow(struct duel_crossing *crossing, double tolerance, int most, duel_speedup_at *measure, void *context)
{
    while (crossing->measured < most && (double)crossing->above > (1 + tolerance) * (double)crossing->below) {
        int64_t middle = between(crossing->below, crossing->above);
        double speedup;
        if (middle == 0 || !measure(context, middle, &speedup) || !(speedup > 0))
            return;
        crossing->measured++;
        if (speedup < 1)
            crossing->below = middle;
        else
            crossing->above = middle;
    }
}

struct duel_crossing crossing_find(const int64_t *n, const double *speedup, size_t count, double tolerance, int most,
                                   duel_speedup_at *measure, void *context)
{
    struct duel_crossing crossing = {false, 0, 0, 0, ""};
    size_t last = count; /* the last size that does not pay */
    for (size_t i = 0; i < count; i++)
        if (speedup[i] < 1)
            last = i;
    if (count == 0) {
        snprintf(crossing.why, sizeof crossing.why, "nothing was measured");
    } else if (last == count) {
        snprintf(crossing.why, sizeof crossing.why, "not in the range measured: it pays from n = %lld, the smallest",
                 (long long)n[0]);
    } else if (last + 1 == count) {
        snprintf(crossing.why, sizeof crossing.why,
                 "not in the range measured: it does not pay up to n = %lld, the largest", (long long)n[last]);
    } else {
        crossing = (struct duel_crossing){true, n[last], n[last + 1], 0, ""};
        if (measure)
            narrow(&crossing, tolerance, most, measure, context);
    }
    return crossing;
}
