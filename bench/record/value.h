/* value.h: what one field says about one result, and how each kind of member is read. A reader leaves VALUE_UNKNOWN
 * when the member holds "not known"; no reader ever yields NaN, Inf or a zero that was not measured. */
#ifndef DUEL_VALUE_H
#define DUEL_VALUE_H

#include "bench/record/result.h"

enum duel_value_kind { VALUE_UNKNOWN, VALUE_TEXT, VALUE_INTEGER, VALUE_REAL, VALUE_FLAG, VALUE_SAMPLES, VALUE_KINDS };

/* Not to be copied: `text` may point into the same value. */
struct duel_value {
    enum duel_value_kind kind;
    const char *text; /* into the result, a constant, or `scratch` */
    int64_t integer;
    double real;
    bool flag;
    const struct duel_samples *samples;
    char scratch[32];
};

/* `at` points to the member. */
typedef void duel_value_reader(const void *at, struct duel_value *value);

duel_value_reader value_text;     /* char[]; empty is unknown */
duel_value_reader value_status;   /* enum duel_row_status */
duel_value_reader value_cause;    /* enum duel_status */
duel_value_reader value_dtype;    /* enum duel_dtype */
duel_value_reader value_tier;     /* enum duel_tier */
duel_value_reader value_hash;     /* uint64_t as text "fnv1a:..."; 0 is unknown */
duel_value_reader value_seed;     /* uint64_t; as text from 2^63 on, which is more than JSON readers hold */
duel_value_reader value_extent;   /* int64_t from 0 */
duel_value_reader value_count;    /* int64_t from 1 */
duel_value_reader value_size;     /* size_t from 1 */
duel_value_reader value_threads;  /* int from 1 */
duel_value_reader value_real;     /* double, finite */
duel_value_reader value_positive; /* double, finite and above 0: a time of 0 is "too short to tell" */
duel_value_reader value_flag;     /* bool */
duel_value_reader value_samples;  /* struct duel_samples; empty is unknown */

/* Why an end of a 95 % interval is not there although its median is; NULL: it is, or nothing was measured. A rate has
 * no upper end where the interval of its time begins at 0. */
const char *value_why_no_end(double median, double end);

#endif
