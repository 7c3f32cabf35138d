/* csv.c: one line per result, from the field table. */
#include "bench/record/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/record/field.h"

void csv_text(FILE *stream, const char *text)
{
    bool formula = *text && strchr("=+-@\t\r", *text);
    bool quoted = strpbrk(text, ",\"\r\n") || *text == ' ';
    if (quoted)
        fputc('"', stream);
    if (formula)
        fputc('\'', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    if (quoted)
        fputc('"', stream);
}

void csv_real(FILE *stream, double value)
{
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    char *comma = strchr(digits, ',');
    if (comma)
        *comma = '.';
    fputs(digits, stream);
}

static void put_text(FILE *stream, const struct duel_value *value)
{
    csv_text(stream, value->text);
}

static void put_integer(FILE *stream, const struct duel_value *value)
{
    fprintf(stream, "%" PRId64, value->integer);
}

static void put_real(FILE *stream, const struct duel_value *value)
{
    csv_real(stream, value->real);
}

static void put_flag(FILE *stream, const struct duel_value *value)
{
    fputs(value->flag ? "true" : "false", stream);
}

static void put_nothing(FILE *stream, const struct duel_value *value)
{
    (void)stream;
    (void)value;
}

static void (*const put[VALUE_KINDS])(FILE *, const struct duel_value *) = {
    [VALUE_UNKNOWN] = put_nothing, [VALUE_TEXT] = put_text, [VALUE_INTEGER] = put_integer,
    [VALUE_REAL] = put_real,       [VALUE_FLAG] = put_flag, [VALUE_SAMPLES] = put_nothing,
};

void csv_value(FILE *stream, const struct duel_value *value)
{
    put[value->kind](stream, value);
}

void csv_header(FILE *stream)
{
    const char *comma = "";
    for (const struct duel_field *field = duel_field_table; field->name; field++) {
        if (!field->csv)
            continue;
        fprintf(stream, "%s%s", comma, field->name);
        comma = ",";
    }
    fputc('\n', stream);
}

void csv_result(FILE *stream, const struct duel_result *result)
{
    const char *comma = "";
    for (const struct duel_field *field = duel_field_table; field->name; field++) {
        if (!field->csv)
            continue;
        struct duel_value value;
        field_value(field, result, &value);
        fputs(comma, stream);
        csv_value(stream, &value);
        comma = ",";
    }
    fputc('\n', stream);
}
