/* value.c: one reader per kind of member. */
#include "bench/record/value.h"

#include <inttypes.h>
#include <math.h>

#include "bench/matrix/dtype.h"

static void set_text(struct duel_value *value, const char *text)
{
    value->text = text;
    value->kind = text && *text ? VALUE_TEXT : VALUE_UNKNOWN;
}

static void set_integer(struct duel_value *value, int64_t integer, int64_t lowest)
{
    value->kind = integer >= lowest ? VALUE_INTEGER : VALUE_UNKNOWN;
    value->integer = integer;
}

void value_text(const void *at, struct duel_value *value)
{
    set_text(value, at);
}

void value_status(const void *at, struct duel_value *value)
{
    set_text(value, row_status_name(*(const enum duel_row_status *)at));
}

void value_cause(const void *at, struct duel_value *value)
{
    static const char *const name[] = {[DUEL_EINVAL] = "input",   [DUEL_ENOMEM] = "memory", [DUEL_EDEVICE] = "device",
                                       [DUEL_EVERIFY] = "answer", [DUEL_EIO] = "file",      [DUEL_EINTR] = "interrupt"};
    enum duel_status cause = *(const enum duel_status *)at;
    set_text(value, (size_t)cause < sizeof name / sizeof *name ? name[cause] : NULL);
}

void value_dtype(const void *at, struct duel_value *value)
{
    enum duel_dtype type = *(const enum duel_dtype *)at;
    set_text(value, type == DUEL_NONE ? NULL : dtype_name(type));
}

void value_tier(const void *at, struct duel_value *value)
{
    enum duel_tier tier = *(const enum duel_tier *)at;
    set_text(value, tier == DUEL_TIER_NONE ? NULL : verdict_tier_name(tier));
}

/* The prefix keeps spreadsheets from reading hexadecimal digits as a number with an exponent. */
void value_hash(const void *at, struct duel_value *value)
{
    uint64_t hash = *(const uint64_t *)at;
    snprintf(value->scratch, sizeof value->scratch, "fnv1a:%016" PRIx64, hash);
    set_text(value, hash ? value->scratch : NULL);
}

void value_seed(const void *at, struct duel_value *value)
{
    uint64_t seed = *(const uint64_t *)at;
    snprintf(value->scratch, sizeof value->scratch, "%" PRIu64, seed);
    if (seed <= INT64_MAX)
        set_integer(value, (int64_t)seed, 0);
    else
        set_text(value, value->scratch);
}

void value_extent(const void *at, struct duel_value *value)
{
    set_integer(value, *(const int64_t *)at, 0);
}

void value_count(const void *at, struct duel_value *value)
{
    set_integer(value, *(const int64_t *)at, 1);
}

void value_size(const void *at, struct duel_value *value)
{
    const size_t *size = at;
    set_integer(value, (int64_t)*size, 1);
}

void value_threads(const void *at, struct duel_value *value)
{
    set_integer(value, *(const int *)at, 1);
}

void value_real(const void *at, struct duel_value *value)
{
    value->real = *(const double *)at;
    value->kind = isfinite(value->real) ? VALUE_REAL : VALUE_UNKNOWN;
}

void value_positive(const void *at, struct duel_value *value)
{
    value_real(at, value);
    if (!(value->real > 0))
        value->kind = VALUE_UNKNOWN;
}

void value_flag(const void *at, struct duel_value *value)
{
    value->kind = VALUE_FLAG;
    value->flag = *(const bool *)at;
}

void value_samples(const void *at, struct duel_value *value)
{
    value->samples = at;
    value->kind = value->samples->count ? VALUE_SAMPLES : VALUE_UNKNOWN;
}

const char *value_why_no_end(double median, double end)
{
    if (!isfinite(median) || (isfinite(end) && end > 0))
        return NULL;
    return isinf(end) || end <= 0 ? "the interval of its time begins at 0: too short to tell"
                                  : "5 samples or fewer cannot give a 95 % interval";
}
