/* rate.h: how fast a row is in the unit that fits its workload: bytes per second where bandwidth decides, else
 * arithmetic.
 */
#ifndef DUEL_REPORT_RATE_H
#define DUEL_REPORT_RATE_H

#include "bench/record/result.h"

/* In 10^9 per second, with its 95 % interval; NaN = unknown. */
struct duel_rate {
    double value, lo, hi;
};

/* Does bandwidth decide the speed of this workload? Then rates are GB/s of compulsory traffic, else GFLOP/s. */
bool rate_is_bytes(const char *workload);
struct duel_rate rate_of(const struct duel_result *row);
/* "123 GFLOP/s", "12.3 TFLOP/s", "18.5 GB/s"; empty when unknown. */
void rate_words(const struct duel_result *row, char *out, size_t size);

#endif
