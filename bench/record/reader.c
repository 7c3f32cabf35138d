/* reader.c: lines, then JSON, then the schema. */
#include "bench/record/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/record/directory.h"
#include "bench/record/runfile.h"

const struct duel_reader_limits reader_usual_limits = {.line_bytes = (size_t)256 << 20, .values = 8000000, .depth = 16};

struct duel_reader {
    FILE *file;
    char *path;
    struct duel_reader_limits limits;
    char *line; /* without its end */
    size_t length, capacity;
    int64_t number;  /* of `line`, from 1 */
    json_t *first;   /* read by reader_open() already, not yet given out */
    reader_tap *tap; /* NULL: nobody looks */
    void *tap_context;
    char dropped[200];
};

static enum duel_status no_memory(const struct duel_reader *reader, struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "the run cannot be read", "close other programs and try again",
                     "out of memory at line %lld of %s", (long long)reader->number, reader->path);
}

/* A message may quote the file, whose bytes are not to reach a terminal as commands to it. */
static enum duel_status harmless(enum duel_status status, struct duel_why *why)
{
    for (char *byte = why ? why->seen : NULL; byte && *byte; byte++)
        if ((unsigned char)*byte < ' ' || *byte == 0x7f)
            *byte = '?';
    return status;
}

enum duel_status reader_refuse(const struct duel_reader *reader, const char *fault, struct duel_why *why)
{
    return harmless(duel_fail(why, DUEL_EINVAL, "this is no run file of duel, or it was changed or damaged on its way",
                              "copy it again from where it was measured, or measure again", "line %lld of %s: %s",
                              (long long)reader->number, reader->path, fault),
                    why);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static bool grow(struct duel_reader *reader)
{
    size_t capacity = reader->capacity ? 2 * reader->capacity : 4096;
    char *line = realloc(reader->line, capacity);
    if (!line)
        return false;
    reader->line = line;
    reader->capacity = capacity;
    return true;
}

/* *end: the line has its line end; without one it is the last. Nothing more to read is an empty line without end. */
static enum duel_status read_line(struct duel_reader *reader, bool *end, struct duel_why *why)
{
    char fault[100];
    int byte;
    reader->length = 0;
    reader->number++;
    while ((byte = getc_unlocked(reader->file)) != EOF && byte != '\n') {
        if (reader->length == reader->limits.line_bytes) {
            snprintf(fault, sizeof fault, "it is longer than %zu bytes", reader->limits.line_bytes);
            return reader_refuse(reader, fault, why);
        }
        if (reader->length == reader->capacity && !grow(reader))
            return no_memory(reader, why);
        reader->line[reader->length++] = (char)byte;
    }
    *end = byte == '\n';
    if (reader->tap) {
        reader->tap(reader->tap_context, reader->line, reader->length);
        reader->tap(reader->tap_context, "\n", *end);
    }
    if (!ferror(reader->file))
        return DUEL_OK;
    return duel_fail(why, DUEL_EIO, "the run cannot be read", "check the disk, or copy the file again",
                     "line %lld of %s cannot be read: %s", (long long)reader->number, reader->path, strerror(errno));
}

static bool is_blank(const struct duel_reader *reader)
{
    size_t i = 0;
    while (i < reader->length && strchr(" \t\r", reader->line[i]) && reader->line[i])
        i++;
    return i == reader->length;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* What a line would cost is counted before a parser is let loose on it: "[[[[..." costs a stack, and "0,0,0,..." many
 * times its own length. */
static bool is_modest(const struct duel_reader *reader, char *fault, size_t size)
{
    bool text = false;
    int depth = 0;
    size_t values = 1;
    for (size_t i = 0; i < reader->length; i++) {
        const char byte = reader->line[i];
        if (byte == '"')
            text = !text;
        else if (text && byte == '\\')
            i++;
        else if (!text && (byte == '{' || byte == '['))
            depth++;
        else if (!text && (byte == '}' || byte == ']'))
            depth--;
        values += !text && (byte == ',' || byte == '{' || byte == '[');
        if (depth > reader->limits.depth) {
            snprintf(fault, size, "objects and arrays are more than %d deep", reader->limits.depth);
            return false;
        }
    }
    snprintf(fault, size, "it holds more than %zu values", reader->limits.values);
    return values <= reader->limits.values;
}

/* NULL with the fault in words. jansson refuses NaN and Infinity, numbers that no double holds, text that is not UTF-8,
 * and whatever stands behind the object. */
static json_t *parse(const struct duel_reader *reader, char *fault, size_t size)
{
    json_error_t error;
    if (!is_modest(reader, fault, size))
        return NULL;
    json_t *record = json_loadb(reader->line, reader->length, JSON_REJECT_DUPLICATES, &error);
    if (!record)
        snprintf(fault, size, "byte %d: %s", error.position, error.text);
    else if (!json_is_object(record) || !reader_text(record, "record"))
        snprintf(fault, size, "it is no object with a text \"record\"");
    else
        return record;
    json_decref(record);
    return NULL;
}

/* ---- the schema ------------------------------------------------------------------------------------------------- */

static enum duel_status check_schema(const struct duel_reader *reader, const json_t *record, struct duel_why *why)
{
    const char *schema = reader_text(record, "schema");
    const size_t major = strcspn(DUEL_SCHEMA, ".");
    if (!schema)
        return reader_refuse(reader, "its `run` record names no schema", why);
    if (strncmp(schema, DUEL_SCHEMA, major) == 0 && (schema[major] == '.' || schema[major] == '\0'))
        return DUEL_OK;
    return harmless(duel_fail(why, DUEL_EINVAL, "fields of another major version may mean something else",
                              "read it with the duel that wrote it, or with a newer one",
                              "line %lld of %s has schema %.20s, this program reads %.*s.x", (long long)reader->number,
                              reader->path, schema, (int)major, DUEL_SCHEMA),
                    why);
}

/* A line is written whole, with its end, in one go: a last one without end that is no JSON was cut off. */
static enum duel_status read_record(struct duel_reader *reader, json_t **record, struct duel_why *why)
{
    char fault[JSON_ERROR_TEXT_LENGTH + 40];
    bool end = true;
    enum duel_status status = DUEL_OK;
    *record = NULL;
    do {
        status = read_line(reader, &end, why);
    } while (status == DUEL_OK && end && is_blank(reader));
    if (status != DUEL_OK || is_blank(reader))
        return status;
    *record = parse(reader, fault, sizeof fault);
    if (*record)
        return reader_is(*record, "run") ? check_schema(reader, *record, why) : DUEL_OK;
    if (end)
        return reader_refuse(reader, fault, why);
    snprintf(reader->dropped, sizeof reader->dropped,
             "line %lld, the last, was cut off after %zu bytes and is left out", (long long)reader->number,
             reader->length);
    return DUEL_OK;
}

enum duel_status reader_next(struct duel_reader *reader, json_t **record, struct duel_why *why)
{
    *record = reader->first;
    reader->first = NULL;
    if (*record || reader->dropped[0])
        return DUEL_OK;
    enum duel_status status = read_record(reader, record, why);
    if (status != DUEL_OK) {
        json_decref(*record);
        *record = NULL;
    }
    return status;
}

static enum duel_status check_first(struct duel_reader *reader, struct duel_why *why)
{
    enum duel_status status = read_record(reader, &reader->first, why);
    if (status != DUEL_OK || (reader->first && reader_is(reader->first, "run")))
        return status;
    if (reader->first)
        return reader_refuse(reader, "a run file begins with its `run` record", why);
    return reader_refuse(reader, "the file ends before its first record", why);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static enum duel_status open_file(struct duel_reader *reader, const char *path, struct duel_why *why)
{
    struct stat info;
    const bool directory = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    reader->path = directory ? directory_path(path, "run.jsonl") : strdup(path);
    if (!reader->path)
        return duel_fail(why, DUEL_ENOMEM, "the run cannot be read", "close other programs and try again",
                         "out of memory for a path");
    reader->file = fopen(reader->path, "re");
    if (reader->file)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "there is no run to read",
                     "give a run file, or the directory that a run wrote (--out)", "%s cannot be opened: %s",
                     reader->path, strerror(errno));
}

enum duel_status reader_open_tapped(struct duel_reader **reader, const char *path,
                                    const struct duel_reader_limits *limits, reader_tap *tap, void *context,
                                    struct duel_why *why)
{
    *reader = calloc(1, sizeof **reader);
    if (!*reader)
        return duel_fail(why, DUEL_ENOMEM, "the run cannot be read", "close other programs and try again",
                         "out of memory for a reader");
    (*reader)->limits = limits ? *limits : reader_usual_limits;
    (*reader)->tap = tap;
    (*reader)->tap_context = context;
    enum duel_status status = open_file(*reader, path, why);
    if (status == DUEL_OK)
        status = check_first(*reader, why);
    if (status != DUEL_OK) {
        reader_close(*reader);
        *reader = NULL;
    }
    return status;
}

enum duel_status reader_open(struct duel_reader **reader, const char *path, const struct duel_reader_limits *limits,
                             struct duel_why *why)
{
    return reader_open_tapped(reader, path, limits, NULL, NULL, why);
}

void reader_close(struct duel_reader *reader)
{
    if (!reader)
        return;
    if (reader->file)
        fclose(reader->file);
    json_decref(reader->first);
    free(reader->line);
    free(reader->path);
    free(reader);
}

/* ---- looking at it ---------------------------------------------------------------------------------------------- */

const char *reader_path(const struct duel_reader *reader)
{
    return reader->path;
}

int64_t reader_line(const struct duel_reader *reader)
{
    return reader->number;
}

const char *reader_dropped(const struct duel_reader *reader)
{
    return reader->dropped[0] ? reader->dropped : NULL;
}
