/* record.c: jansson objects with the rules for unknown values. */
#include "bench/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/record/field.h"

void record_init(struct duel_record *record, const char *kind)
{
    record->object = json_object();
    record->failed = !record->object;
    record_text(record, "record", kind, NULL);
}

void record_free(struct duel_record *record)
{
    json_decref(record->object);
    record->object = NULL;
}

void record_json(struct duel_record *record, const char *name, json_t *value)
{
    if (json_object_set_new(record->object, name, value) != 0)
        record->failed = true;
}

json_t *record_string(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *ascii = strdup(text);
    for (char *c = ascii; c && *c; c++)
        if ((unsigned char)*c > 0x7e)
            *c = '?';
    string = ascii ? json_string(ascii) : NULL;
    free(ascii);
    return string;
}

void record_why(struct duel_record *record, const char *name, const char *why)
{
    char key[80];
    if (!why || !*why)
        return;
    snprintf(key, sizeof key, "%s_why", name);
    record_json(record, key, record_string(why));
}

void record_text(struct duel_record *record, const char *name, const char *text, const char *why)
{
    if (text && *text)
        record_json(record, name, record_string(text));
    else
        record_why(record, name, why);
}

void record_real(struct duel_record *record, const char *name, double value, const char *why)
{
    if (isfinite(value))
        record_json(record, name, json_real(value));
    else
        record_why(record, name, why);
}

void record_count(struct duel_record *record, const char *name, int64_t value, const char *why)
{
    if (value >= 0)
        record_json(record, name, json_integer(value));
    else
        record_why(record, name, why);
}

void record_seed(struct duel_record *record, const char *name, uint64_t seed)
{
    struct duel_value value = {.kind = VALUE_UNKNOWN};
    value_seed(&seed, &value);
    record_json(record, name, value.kind == VALUE_INTEGER ? json_integer(value.integer) : record_string(value.text));
}

void record_flag(struct duel_record *record, const char *name, bool value)
{
    record_json(record, name, json_boolean(value));
}

/* ---- a result, field by field --------------------------------------------------------------------------------- */

static json_t *from_text(const struct duel_value *value)
{
    return record_string(value->text);
}

static json_t *from_integer(const struct duel_value *value)
{
    return json_integer(value->integer);
}

static json_t *from_real(const struct duel_value *value)
{
    return json_real(value->real);
}

static json_t *from_flag(const struct duel_value *value)
{
    return json_boolean(value->flag);
}

/* A sample that is not finite cannot be written as a number; null keeps the place of the others. */
static json_t *from_samples(const struct duel_value *value)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < value->samples->count; i++) {
        double sample = value->samples->value[i];
        if (json_array_append_new(array, isfinite(sample) ? json_real(sample) : json_null()) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *(*const from_value[VALUE_KINDS])(const struct duel_value *) = {
    [VALUE_TEXT] = from_text, [VALUE_INTEGER] = from_integer, [VALUE_REAL] = from_real,
    [VALUE_FLAG] = from_flag, [VALUE_SAMPLES] = from_samples,
};

void record_value(struct duel_record *record, const char *name, const struct duel_value *value)
{
    if (value->kind != VALUE_UNKNOWN)
        record_json(record, name, from_value[value->kind](value));
}

void record_result(struct duel_record *record, const struct duel_result *result)
{
    for (const struct duel_field *field = duel_field_table; field->name; field++) {
        struct duel_value value;
        field_value(field, result, &value);
        if (value.kind == VALUE_UNKNOWN)
            record_why(record, field->name, field_why(field, result));
        else
            record_value(record, field->name, &value);
    }
}

char *record_line(const struct duel_record *record, size_t *size)
{
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17);
    size_t length = record->failed ? 0 : json_dumpb(record->object, NULL, 0, flags);
    char *line = length ? malloc(length + 1) : NULL;
    if (!line)
        return NULL;
    json_dumpb(record->object, line, length, flags);
    line[length] = '\n';
    *size = length + 1;
    return line;
}
