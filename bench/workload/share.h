/* share.h: how much of its magnitude a sum of products may lose by rounding. verify/ judges with it; a workload of
 * several layers, whose errors are sums of such errors, expresses them in it. */
#ifndef DUEL_WORKLOAD_SHARE_H
#define DUEL_WORKLOAD_SHARE_H

#include <math.h>

#include "bench/matrix/dtype.h"

/* u of the sums. Tensor Cores that take FP8 keep 13 bits of fraction in what is called FP32 (Zhang et al.,
 * SageAttention2, 2024; DeepSeek-V3 technical report, 2024, section 3.3): no label can promise more. */
static inline double workload_sum_roundoff(const struct duel_types *types)
{
    return types->in == DUEL_FP8 && types->acc == DUEL_FP32 ? 0x1p-14 : dtype_roundoff(types->acc);
}

/* Rounding of random data cancels: of K products a few sqrt(K) u remain, where K + 2 is the most there can be (see
 * verify/bounds.c). A user's own data promise nothing. Tensor cores take inputs narrower than their accumulator, and
 * cut its last place off instead of rounding it (Fasi et al., PeerJ Comput. Sci. 7:e330, 2021): twice the error. The
 * reference rounds too, which matters when FP64 is judged. */
static inline double workload_share(const struct duel_types *types, int64_t terms, bool any_data)
{
    const double lambda = 4.0, reference = 0x1p-53;
    const double k = (double)terms, wall = k + 2, acc = workload_sum_roundoff(types);
    const double factor = any_data ? wall : fmin(wall, lambda * sqrt(fmax(k, 1)));
    return factor * (acc * (dtype_roundoff(types->in) > acc ? 2 : 1) + reference);
}

#endif
