/* fingerprint.h: what the errors of an answer say about the arithmetic that made it, whatever its label says. */
#ifndef DUEL_FINGERPRINT_H
#define DUEL_FINGERPRINT_H

#include "bench/verify/zoo.h"

/* Products per element in the two problems that a fingerprint is taken from, and their rows and columns. */
enum { FINGERPRINT_SHORT = 64, FINGERPRINT_LONG = 1024, FINGERPRINT_EXTENT = 32 };

struct duel_fingerprint {
    double short_error, long_error; /* relative Frobenius errors with few and many products; NaN when not known */
    bool sums;                      /* they grow with the number of products: the accumulator's, not the inputs' */
    enum duel_dtype like;           /* the type whose roundings are that large; DUEL_NONE: larger than any of them */
    char words[96];                 /* "computes like inputs rounded to tf32 or fp16" */
};

/* The errors are against FP64 on the inputs as stored, so the rounding that a label admits is not in them: FP16 inputs
 * with FP32 sums must look like FP32. This is what that rounding costs a user whose data are FP32 (or FP64), as a share
 * of the Frobenius norm: 2.6e-4 for TF32 and FP16, 2.1e-3 for BF16. */
double fingerprint_of_rounding(enum duel_dtype in);

/* Does a relative Frobenius error on random signed data fit these types with k products? DUEL_OK; DUEL_EVERIFY with
 * what it looks like; DUEL_SKIP when the error is NaN. */
enum duel_status fingerprint_check(const struct duel_types *types, double relative, int64_t k, struct duel_why *why);

/* Runs `impl` on two small random problems of its own, so that the label is proven also where a run's own data cannot
 * (whole numbers, zeros, a user's matrices), and fills *print. DUEL_OK: fits the label; DUEL_EVERIFY: does not, or the
 * answer is wrong in another way; DUEL_SKIP: it takes no such problem. */
enum duel_status fingerprint_take(const struct duel_place *place, const struct duel_impl *impl,
                                  const struct duel_workload *workload, const struct duel_types *types, uint64_t seed,
                                  struct duel_fingerprint *print, struct duel_why *why);
/* Names what two errors look like; the part of fingerprint_take that needs no device. */
void fingerprint_name(struct duel_fingerprint *print);

#endif
