/* calibrate.h: from a bound to a prediction. Of the shares of the bound that were reached, those at a like amount of
 * work count most; their geometric mean is the prediction, and their spread its error bar: 95 % of further measurements
 * of the same kind would lie inside it (Student's t of logarithms). */
#ifndef DUEL_CALIBRATE_H
#define DUEL_CALIBRATE_H

#include "bench/buyer/evidence.h"

struct duel_calibration {
    bool known;           /* else `why` says why not */
    double share, lo, hi; /* of the bound; hi is at most 1 */
    int measurements, cards;
    bool recorded;   /* from run files; else from measurements that others published */
    char words[120]; /* "17 published measurements on 7 cards", or why it is not calibrated */
};

/* For work that would take `roof_s` at the bound. `without`: a card whose measurements are left out, or NULL. Run files
 * are preferred to what others published; there must be two measurements, and `roof_s` not far below all of them: a
 * small problem is another one. */
void calibrate(const struct duel_evidence *evidence, const char *implementation, const char *precision, double roof_s,
               const char *without, struct duel_calibration *calibration);
/* Is this share one of `implementation` at this precision? */
bool share_applies(const struct duel_share *share, const char *implementation, const char *precision);
/* "gpu/gemm/cublas_*" and "fp16" are "gpu/gemm/cublas_fp16". */
void share_name(const struct duel_share *share, const char *precision, char *out, size_t size);
bool share_has_precision(const struct duel_share *share, const char *precision);

#endif
