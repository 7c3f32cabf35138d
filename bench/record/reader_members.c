/* reader_members.c: what a record holds under a name. */
#include <math.h>
#include <string.h>

#include "bench/record/reader.h"

const char *reader_text(const json_t *record, const char *name)
{
    return json_string_value(json_object_get(record, name));
}

double reader_real(const json_t *record, const char *name)
{
    const json_t *value = json_object_get(record, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

int64_t reader_count(const json_t *record, const char *name)
{
    const json_t *value = json_object_get(record, name);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

bool reader_is(const json_t *record, const char *kind)
{
    const char *own = reader_text(record, "record");
    return own && strcmp(own, kind) == 0;
}
