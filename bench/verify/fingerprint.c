/* fingerprint.c: arithmetic recognised by its errors.
 *
 * Rounding the inputs moves every product by about u, and so does the sum: the relative error of the whole output is
 * 0.53 u on uniform data however many products there are. Rounding each partial sum adds an error with every product,
 * which grows like the root of their number or faster. So two lengths of sums tell inputs and accumulator apart, and
 * the size of the error tells the type: neighbouring types are three bits (FP16 and BF16) or more apart. Whole numbers
 * are not rounded at all. */
#include "bench/verify/fingerprint.h"

#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/verify/bounds.h"

/* Of both operands together, for numbers uniform in [-1, 1): the error is uniform within half a last place, the last
 * place a power of two below the number. */
#define OF_ROUNDING 0.53
/* One after the other, sums of random signs have an error of about 0.4 u sqrt(K); in tiles or pairs it is less. */
#define OF_SUMS 0.4
#define GROWTH 2.0 /* 16 times the products make at least the error of sums grow fourfold, and that of inputs not */

static const struct {
    enum duel_dtype type;
    const char *inputs, *sums;
} kinds[] = {
    {DUEL_FP64, "fp64 arithmetic", "fp64 arithmetic"},
    {DUEL_FP32, "fp32 arithmetic", "fp32 arithmetic"},
    {DUEL_FP16, "inputs rounded to tf32 or fp16", "sums kept in fp16"},
    {DUEL_BF16, "inputs rounded to bf16", "sums kept in bf16"},
    {DUEL_FP8, "inputs rounded to fp8", "sums kept in fp8"},
};

double fingerprint_of_rounding(enum duel_dtype in)
{
    return OF_ROUNDING * dtype_roundoff(in);
}

/* The kind whose unit roundoff is nearest in magnitude; beyond the coarsest one it is no rounding at all. FP64 that
 * sums as the reference does has no error, which is closest to FP64. */
void fingerprint_name(struct duel_fingerprint *print)
{
    const double few = print->short_error, many = print->long_error, least = 0x1p-60;
    const bool known = few >= 0 && many >= 0;
    print->sums = known && many > GROWTH * fmax(few, least);
    print->like = DUEL_NONE;
    snprintf(print->words, sizeof print->words, "%s", known ? "larger errors than those of any rounding" : "not known");
    if (!known)
        return;
    const double u = fmax(few, least) / (print->sums ? OF_SUMS * sqrt((double)FINGERPRINT_SHORT) : OF_ROUNDING);
    double nearest = 32; /* in bits: FP64 in sums of any length */
    if (u > 2 * dtype_roundoff(DUEL_FP8))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const double bits = fabs(log2(u / dtype_roundoff(kinds[i].type)));
        if (bits >= nearest)
            continue;
        nearest = bits;
        print->like = kinds[i].type;
        snprintf(print->words, sizeof print->words, "computes like %s", print->sums ? kinds[i].sums : kinds[i].inputs);
    }
}

enum duel_status fingerprint_check(const struct duel_types *types, double relative, int64_t k, struct duel_why *why)
{
    const struct duel_problem problem = {.m = 1, .n = 1, .k = k, .alpha = 1, .types = *types};
    const double limit = bounds_make(&problem, k, 1, false).fingerprint;
    if (isnan(relative))
        return duel_fail(why, DUEL_SKIP, "a label that is not proven may be another precision",
                         "use random data (--data uniform)", "the relative error of the output is not known");
    if (relative <= limit)
        return DUEL_OK;
    const char *words = bounds_fingerprint_words(relative, 1, types->in);
    return duel_fail(why, DUEL_EVERIFY, "under a wrong label its speed is compared with the wrong rows",
                     "give the row the types that it computes with, or make it compute with these",
                     "relative error %.2g where %s inputs and %s sums stay below %.2g%s%s", relative,
                     dtype_name(types->in), dtype_name(types->acc), limit, words ? ": " : "", words ? words : "");
}

static enum duel_status error_of(const struct duel_place *place, struct duel_zoo_case *which, int64_t k, double *error,
                                 struct duel_why *why)
{
    struct duel_zoo_outcome outcome;
    which->problem.k = k;
    for (int i = 0; i < which->workload->operands; i++) {
        int64_t rows;
        which->workload->extent(&which->problem, i, &rows, &which->problem.ld[i]);
    }
    zoo_case_run(place, which, &outcome);
    *error = outcome.status == DUEL_OK || outcome.status == DUEL_EVERIFY ? outcome.verdict.relative_frobenius : NAN;
    if (why && outcome.status != DUEL_OK)
        *why = outcome.why;
    return outcome.status;
}

enum duel_status fingerprint_take(const struct duel_place *place, const struct duel_impl *impl,
                                  const struct duel_workload *workload, const struct duel_types *types, uint64_t seed,
                                  struct duel_fingerprint *print, struct duel_why *why)
{
    struct duel_zoo_case which = {.workload = workload, .impl = impl, .data = DUEL_UNIFORM, .seed = seed, .threads = 1};
    which.problem = (struct duel_problem){
        .m = FINGERPRINT_EXTENT, .n = FINGERPRINT_EXTENT, .count = 1, .alpha = 1, .beta = 0, .types = *types};
    *print = (struct duel_fingerprint){.short_error = NAN, .long_error = NAN};
    enum duel_status few = error_of(place, &which, FINGERPRINT_SHORT, &print->short_error, why);
    enum duel_status many = few == DUEL_OK || few == DUEL_EVERIFY
                                ? error_of(place, &which, FINGERPRINT_LONG, &print->long_error, few ? NULL : why)
                                : few;
    fingerprint_name(print);
    if (types->acc == DUEL_INT32 && print->short_error <= 0 && print->long_error <= 0) {
        print->like = DUEL_INT32;
        snprintf(print->words, sizeof print->words, "computes in whole numbers, without an error");
    }
    return few != DUEL_OK ? few : many;
}
