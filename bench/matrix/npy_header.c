/* npy_header.c: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and nothing else.
 *
 * The header is a Python literal, but only this one literal is legal: three keys, each once, in any order, with any
 * white space between tokens and an optional last comma. So the grammar is written out instead of evaluated. */
#include "bench/matrix/npy_header.h"

#include <string.h>

/* What may stand between two tokens of a Python expression. */
#define BLANK " \t\r\n\f"
/* Longest piece of the file that a message repeats. */
#define SHOWN 24
/* Longest piece of a path. */
#define SHOWN_PATH 160

static const struct {
    const char *descr;
    enum duel_dtype type;
} type_table[] = {{"<f2", DUEL_FP16}, {"<f4", DUEL_FP32}, {"<f8", DUEL_FP64}};

/* What a type that is not accepted is, by its kind letter, so that the message can say how to get rid of it. */
static const struct {
    char kind;
    const char *what;
} kind_table[] = {{'f', "floats of a width that duel does not compute in"},
                  {'i', "whole numbers"},
                  {'u', "whole numbers"},
                  {'b', "truth values"},
                  {'c', "complex numbers"},
                  {'O', "Python objects"},
                  {'S', "text"},
                  {'a', "text"},
                  {'U', "text"},
                  {'V', "raw records"},
                  {'m', "time spans"},
                  {'M', "dates"}};

struct parser {
    const char *path, *at, *end;
    struct duel_why *why;
};

const char *npy_descr(enum duel_dtype type)
{
    for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
        if (type_table[i].type == type)
            return type_table[i].descr;
    return NULL;
}

const char *npy_shown(const char *path)
{
    size_t length = strlen(path);
    return length > SHOWN_PATH ? path + length - SHOWN_PATH : path;
}

static void skip_blank(struct parser *parser)
{
    while (parser->at < parser->end && *parser->at && strchr(BLANK, *parser->at))
        parser->at++;
}

static bool take(struct parser *parser, char wanted)
{
    skip_blank(parser);
    if (parser->at == parser->end || *parser->at != wanted)
        return false;
    parser->at++;
    return true;
}

static bool take_word(struct parser *parser, const char *word)
{
    size_t length = strlen(word);
    skip_blank(parser);
    if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, word, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static enum duel_status malformed(const struct parser *parser, const char *expected)
{
    char shown[SHOWN + 1];
    size_t length = (size_t)(parser->end - parser->at);
    length = length < SHOWN ? length : SHOWN;
    for (size_t i = 0; i < length; i++) /* the file's bytes may be anything: show only what a terminal can take */
        shown[i] = parser->at[i] >= ' ' && parser->at[i] <= '~' ? parser->at[i] : '?';
    shown[length] = '\0';
    return duel_fail(parser->why, DUEL_EINVAL, "its shape and type cannot be trusted",
                     "write it again with numpy.save(path, array)", "%s: the header should have %s where it has \"%s\"",
                     parser->path, expected, shown);
}

/* A quoted string without escapes: NumPy writes no other. Sets *text to its first character. */
static bool take_string(struct parser *parser, const char **text, size_t *length)
{
    skip_blank(parser);
    if (parser->at == parser->end || (*parser->at != '\'' && *parser->at != '"'))
        return false;
    const char *close = memchr(parser->at + 1, *parser->at, (size_t)(parser->end - parser->at - 1));
    if (!close || memchr(parser->at, '\\', (size_t)(close - parser->at)))
        return false;
    *text = parser->at + 1;
    *length = (size_t)(close - *text);
    parser->at = close + 1;
    return true;
}

static enum duel_status refuse_type(const struct parser *parser, const char *text, size_t length)
{
    const char *what = "elements of an unknown type";
    int shown = length < SHOWN ? (int)length : SHOWN;
    char kind = length > 1 ? text[1] : '\0';

    if (length == 3 && text[0] == '>' && kind == 'f')
        return duel_fail(parser->why, DUEL_EINVAL, "duel computes with little-endian float16, float32 and float64",
                         "in Python: numpy.save(path, array.astype('<f4'))", "%s holds big-endian numbers ('%.*s')",
                         parser->path, shown, text);
    for (size_t i = 0; i < sizeof kind_table / sizeof *kind_table; i++)
        if (kind == kind_table[i].kind)
            what = kind_table[i].what;
    for (int i = 0; i < shown; i++)
        if (text[i] < ' ' || text[i] > '~')
            shown = i;
    return duel_fail(parser->why, DUEL_EINVAL, "duel computes with little-endian float16, float32 and float64",
                     "in Python: numpy.save(path, array.astype('<f4'))", "%s holds %s ('%.*s')", parser->path, what,
                     shown, text);
}

static enum duel_status parse_descr(struct parser *parser, struct npy_header *header)
{
    const char *text;
    size_t length;

    skip_blank(parser);
    if (parser->at < parser->end && *parser->at == '[')
        return duel_fail(parser->why, DUEL_EINVAL, "duel multiplies plain numbers",
                         "in Python: numpy.save(path, array['field'].astype('<f4'))",
                         "%s holds records with named fields", parser->path);
    if (!take_string(parser, &text, &length))
        return malformed(parser, "a type such as '<f4'");
    for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
        if (length == strlen(type_table[i].descr) && memcmp(text, type_table[i].descr, length) == 0) {
            header->type = type_table[i].type;
            return DUEL_OK;
        }
    return refuse_type(parser, text, length);
}

static enum duel_status parse_order(struct parser *parser, struct npy_header *header)
{
    header->fortran = take_word(parser, "True");
    if (header->fortran || take_word(parser, "False"))
        return DUEL_OK;
    return malformed(parser, "True or False");
}

static enum duel_status parse_extent(struct parser *parser, int64_t *extent)
{
    skip_blank(parser);
    const char *start = parser->at;
    *extent = 0;
    for (; parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9'; parser->at++)
        if (__builtin_mul_overflow(*extent, 10, extent) || __builtin_add_overflow(*extent, *parser->at - '0', extent))
            return duel_fail(parser->why, DUEL_EINVAL, "no file can hold such a matrix",
                             "write it again with numpy.save(path, array)",
                             "%s: an extent in its shape is 2^63 or more", parser->path);
    if (parser->at == start)
        return malformed(parser, "an extent of 0 or more");
    if (parser->at < parser->end && *parser->at == 'L') /* Python 2 wrote (3L, 4L), and NumPy still reads it */
        parser->at++;
    return DUEL_OK;
}

static enum duel_status parse_shape(struct parser *parser, struct npy_header *header)
{
    int64_t extent[2] = {0, 0}, ignored;
    int dimensions = 0;
    enum duel_status status;

    if (!take(parser, '('))
        return malformed(parser, "a shape such as (3, 4)");
    bool comma = true;
    while (!take(parser, ')')) {
        if (!comma)
            return malformed(parser, "\",\" or \")\"");
        status = parse_extent(parser, dimensions < 2 ? &extent[dimensions] : &ignored);
        if (status != DUEL_OK)
            return status;
        dimensions++;
        comma = take(parser, ',');
    }
    if (dimensions != 2)
        return duel_fail(parser->why, DUEL_EINVAL, "a matrix has rows and columns",
                         "in Python: numpy.save(path, array.reshape(rows, columns))", "%s has %d dimension%s",
                         parser->path, dimensions, dimensions == 1 ? "" : "s");
    header->rows = extent[0];
    header->columns = extent[1];
    return DUEL_OK;
}

static const struct {
    const char *key;
    enum duel_status (*parse)(struct parser *parser, struct npy_header *header);
} key_table[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};

#define KEYS (sizeof key_table / sizeof *key_table)

/* One 'key': value pair; `seen` collects one bit per key. */
static enum duel_status parse_pair(struct parser *parser, struct npy_header *header, unsigned int *seen)
{
    const char *start = parser->at, *text;
    size_t length, key = 0;

    if (!take_string(parser, &text, &length))
        return malformed(parser, "a key in quotes");
    while (key < KEYS && (length != strlen(key_table[key].key) || memcmp(text, key_table[key].key, length) != 0))
        key++;
    if (key == KEYS || (*seen & 1u << key)) {
        parser->at = start;
        return malformed(parser, "each of 'descr', 'fortran_order' and 'shape' once and no other key");
    }
    *seen |= 1u << key;
    if (!take(parser, ':'))
        return malformed(parser, "\":\" after a key");
    return key_table[key].parse(parser, header);
}

enum duel_status npy_header_parse(const char *path, const char *text, size_t length, struct npy_header *header,
                                  struct duel_why *why)
{
    struct parser parser = {path, text, text + length, why};
    unsigned int seen = 0;
    bool comma = true;

    *header = (struct npy_header){0};
    if (length == 0 || text[length - 1] != '\n') {
        parser.at = parser.end - (length != 0);
        return malformed(&parser, "a line end as its last byte");
    }
    if (!take(&parser, '{'))
        return malformed(&parser, "\"{\"");
    while (!take(&parser, '}')) {
        if (!comma)
            return malformed(&parser, "\",\" or \"}\"");
        enum duel_status status = parse_pair(&parser, header, &seen);
        if (status != DUEL_OK)
            return status;
        comma = take(&parser, ',');
    }
    skip_blank(&parser);
    if (parser.at != parser.end)
        return malformed(&parser, "nothing after \"}\"");
    if (seen != (1u << KEYS) - 1)
        return malformed(&parser, "'descr', 'fortran_order' and 'shape'");
    return DUEL_OK;
}
