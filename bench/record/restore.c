/* restore.c: for each reader of value.h the writer that undoes it. */
#include "bench/record/restore.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/record/field.h"

/* Sets the member at `at` from a JSON value; false when the value has another type or is out of range. */
typedef bool setter(const struct duel_field *field, const json_t *value, void *at);

static bool set_text(const struct duel_field *field, const json_t *value, void *at)
{
    const char *text = json_string_value(value);
    return text && snprintf(at, field->size, "%s", text) < (int)field->size;
}

/* The constant of an enumeration is the one whose name, as it is written, is this text. */
static bool set_word(const struct duel_field *field, const json_t *value, void *at)
{
    const unsigned int last = field->read == value_status  ? ROW_FAILED
                              : field->read == value_cause ? DUEL_EINTR
                              : field->read == value_dtype ? DUEL_DTYPES - 1
                                                           : DUEL_TIER_FREIVALDS;
    const char *text = json_string_value(value);
    for (unsigned int constant = 0; text && constant <= last; constant++) {
        struct duel_value word = {.kind = VALUE_UNKNOWN};
        field->read(&constant, &word);
        if (word.kind == VALUE_TEXT && strcmp(word.text, text) == 0) {
            memcpy(at, &constant, field->size);
            return true;
        }
    }
    return false;
}

static bool set_hash(const struct duel_field *field, const json_t *value, void *at)
{
    const char *text = json_string_value(value);
    int end = 0;
    (void)field;
    return text && sscanf(text, "fnv1a:%16" SCNx64 "%n", (uint64_t *)at, &end) == 1 && text[end] == '\0';
}

static bool set_seed(const struct duel_field *field, const json_t *value, void *at)
{
    const char *text = json_string_value(value);
    char *end = NULL;
    (void)field;
    errno = 0;
    *(uint64_t *)at = text ? strtoull(text, &end, 10) : (uint64_t)json_integer_value(value);
    return text ? errno == 0 && end > text && *end == '\0' && *text != '-'
                : json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool set_integer(const struct duel_field *field, const json_t *value, void *at)
{
    const int64_t integer = json_integer_value(value);
    (void)field;
    *(int64_t *)at = integer;
    return json_is_integer(value) && integer >= 0;
}

static bool set_int(const struct duel_field *field, const json_t *value, void *at)
{
    const json_int_t integer = json_integer_value(value);
    (void)field;
    if (!json_is_integer(value) || integer < 0 || integer > INT_MAX)
        return false;
    *(int *)at = (int)integer;
    return true;
}

/* A number without a fraction may have been written without a point by another program. */
static bool set_real(const struct duel_field *field, const json_t *value, void *at)
{
    (void)field;
    *(double *)at = json_number_value(value);
    return json_is_number(value);
}

static bool set_flag(const struct duel_field *field, const json_t *value, void *at)
{
    (void)field;
    *(bool *)at = json_is_true(value);
    return json_is_boolean(value);
}

static bool set_size(const struct duel_field *field, const json_t *value, void *at)
{
    (void)field;
    *(size_t *)at = (size_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool set_samples(const struct duel_field *field, const json_t *value, void *at)
{
    struct duel_samples *samples = at;
    (void)field;
    bool right = json_is_array(value);
    for (size_t i = 0; right && i < json_array_size(value); i++) {
        const json_t *sample = json_array_get(value, i);
        right = (json_is_number(sample) || json_is_null(sample)) &&
                samples_add(samples, json_is_null(sample) ? NAN : json_number_value(sample));
    }
    return right;
}

static const struct {
    duel_value_reader *read;
    setter *set;
    const char *type; /* what the record should hold */
} undo[] = {
    {value_text, set_text, "a text"},
    {value_status, set_word, "the name of a status"},
    {value_cause, set_word, "the name of a cause"},
    {value_dtype, set_word, "the name of a type"},
    {value_tier, set_word, "the name of a tier"},
    {value_hash, set_hash, "a hash"},
    {value_seed, set_seed, "a seed"},
    {value_extent, set_integer, "a whole number"},
    {value_count, set_integer, "a whole number"},
    {value_size, set_size, "a whole number"},
    {value_threads, set_int, "a small whole number"},
    {value_real, set_real, "a number"},
    {value_positive, set_real, "a number"},
    {value_flag, set_flag, "true or false"},
    {value_samples, set_samples, "a list of numbers"},
};

static enum duel_status restore_field(struct duel_result *result, const struct duel_field *field, const json_t *value,
                                      const struct duel_reader *reader, struct duel_why *why)
{
    char fault[160];
    const char *type = "a value that can be read back";
    for (size_t i = 0; i < sizeof undo / sizeof *undo; i++) {
        if (undo[i].read != field->read)
            continue;
        if (undo[i].set(field, value, (char *)result + field->offset))
            return DUEL_OK;
        type = undo[i].type;
    }
    snprintf(fault, sizeof fault, "its field \"%s\" is not %s that a row may have", field->name, type);
    return reader_refuse(reader, fault, why);
}

/* The length of a list is what the list has, not what the record says of it. */
static bool is_derived(const struct duel_field *field)
{
    return field->offset == offsetof(struct duel_result, disturbed.count);
}

/* A summary is there when it has a count. */
static void set_count(struct duel_summary *summary, const struct duel_samples *samples, size_t usual)
{
    summary->count = samples->count > 0 ? samples->count : isfinite(summary->median) ? usual : 0;
}

enum duel_status restore_result(struct duel_result *result, const struct duel_reader *reader, const json_t *record,
                                struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    result_init(result);
    for (const struct duel_field *field = duel_field_table; field->name && status == DUEL_OK; field++) {
        const json_t *value = json_object_get(record, field->name);
        if (value && !is_derived(field))
            status = restore_field(result, field, value, reader, why);
    }
    const size_t usual = result->kernel.count;
    set_count(&result->kernel_host, &result->kernel_host_s, usual);
    set_count(&result->h2d, &result->h2d_s, usual);
    set_count(&result->d2h, &result->d2h_s, usual);
    set_count(&result->end_to_end, &result->end_to_end_s, usual);
    set_count(&result->overlapped, &result->overlapped_s, usual);
    /* JSON has no word for infinity: the reason alone is there. */
    if (result->status == ROW_FAILED && reader_text(record, "error_bound_ratio_why"))
        result->verdict.bound_ratio = INFINITY;
    result->verdict.right = result->status == ROW_OK || result->status == ROW_VERIFIED;
    return status;
}
