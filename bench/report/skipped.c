/* skipped.c: what did not run, one line per reason. */
#include <stdlib.h>
#include <string.h>

#include "bench/report/console.h"
#include "bench/report/report.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

struct rows {
    const struct duel_result *results;
    size_t count;
    size_t *line; /* of each row the first that it shares a line with; `count` for one that was not skipped */
};

static bool is_skipped(const struct duel_result *row)
{
    return row->status == ROW_SKIPPED;
}

static bool same_reason(const struct duel_result *a, const struct duel_result *b)
{
    return is_skipped(a) && is_skipped(b) && strcmp(a->reason, b->reason) == 0;
}

static bool same_name(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->implementation, b->implementation) == 0;
}

static bool same_size(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->workload, b->workload) == 0 && shape_same(&a->problem, &b->problem);
}

/* "gpu/gemm/" of "gpu/gemm/tiled". */
static size_t family_length(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

static bool same_family(const struct duel_result *a, const struct duel_result *b)
{
    size_t length = family_length(a->implementation);
    return length == family_length(b->implementation) && strncmp(a->implementation, b->implementation, length) == 0;
}

static bool same_workload(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->workload, b->workload) == 0;
}

/* Does this reason hold at every size of the row's workload? */
static bool holds_everywhere(const struct rows *rows, const struct duel_result *row)
{
    for (size_t i = 0; i < rows->count; i++) {
        bool here = !same_workload(&rows->results[i], row);
        for (size_t j = 0; j < rows->count && !here; j++)
            here = same_reason(&rows->results[j], row) && same_size(&rows->results[j], &rows->results[i]);
        if (!here)
            return false;
    }
    return true;
}

/* A reason that holds everywhere is told once for all workloads; others name sizes, which mean something only within
 * one. `everywhere` is room for an answer per row. */
static void find_lines(struct rows *rows, bool *everywhere)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct duel_result *row = &rows->results[i];
        size_t same = 0, shared = 0;
        rows->line[i] = is_skipped(row) ? i : rows->count;
        if (!is_skipped(row))
            continue;
        while (same < i && !(same_reason(&rows->results[same], row) && same_workload(&rows->results[same], row)))
            same++;
        everywhere[i] = same < i ? everywhere[same] : holds_everywhere(rows, row);
        while (shared < i && !(same_reason(&rows->results[shared], row) && everywhere[shared]))
            shared++;
        if (same < i || (everywhere[i] && shared < i))
            rows->line[i] = rows->line[same < i ? same : shared];
    }
}

/* Is row `at` the first like it in its line? */
static bool is_first(const struct rows *rows, size_t at,
                     bool (*alike)(const struct duel_result *, const struct duel_result *))
{
    for (size_t i = 0; i < at; i++)
        if (rows->line[i] == rows->line[at] && alike(&rows->results[i], &rows->results[at]))
            return false;
    return true;
}

static void append(char *text, size_t size, const char *separator, const char *word, size_t length)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%.*s", used ? separator : "", (int)length, word);
}

/* Is every row of this family that has one of the line's sizes in the line, and are they several? */
static bool whole_family(const struct rows *rows, size_t line, const struct duel_result *row)
{
    bool several = false;
    for (size_t i = 0; i < rows->count; i++) {
        const struct duel_result *other = &rows->results[i];
        if (!same_family(other, row))
            continue;
        several |= !same_name(other, row);
        for (size_t j = line; j < rows->count && rows->line[i] != line; j++)
            if (rows->line[j] == line && same_size(&rows->results[j], other))
                return false;
    }
    return several;
}

/* The names of a line: the family with a star for a whole family of several, else one by one. */
static void join_names(const struct rows *rows, size_t line, char *names, size_t size)
{
    for (size_t i = line; i < rows->count; i++) {
        const struct duel_result *row = &rows->results[i];
        if (rows->line[i] != line || !is_first(rows, i, same_name))
            continue;
        if (!whole_family(rows, line, row)) {
            append(names, size, ", ", row->implementation, strlen(row->implementation));
        } else if (is_first(rows, i, same_family)) {
            append(names, size, ", ", row->implementation, family_length(row->implementation));
            append(names, size, "", "*", 1);
        }
    }
}

/* "n = 64, 128", where the reason does not hold at every size. */
static void join_sizes(const struct rows *rows, size_t line, char *sizes, size_t size)
{
    for (size_t i = line; i < rows->count; i++) {
        const struct duel_result *row = &rows->results[i];
        char word[100];
        if (rows->line[i] != line || !is_first(rows, i, same_size))
            continue;
        if (*sizes && shape_by_n(row->workload, &row->problem))
            shape_typed(row->workload, &row->problem, word, sizeof word);
        else
            shape_words(row->workload, &row->problem, word, sizeof word);
        append(sizes, size, ", ", word, strlen(word));
    }
}

static void put_line(FILE *stream, const struct duel_console *console, const struct rows *rows, size_t line,
                     bool everywhere)
{
    const struct duel_result *row = &rows->results[line];
    char names[1200] = "", sizes[400] = "", text[2600];
    const char *reason = *row->reason ? row->reason : WORDS_NO_REASON;
    join_names(rows, line, names, sizeof names);
    if (!everywhere)
        join_sizes(rows, line, sizes, sizeof sizes);
    if (*sizes)
        snprintf(text, sizeof text, WORDS_SKIPPED_SIZES, names, sizes, reason);
    else
        snprintf(text, sizeof text, WORDS_SKIPPED, names, reason);
    console_wrap(stream, console, 2, SHADE_DIM, text);
}

void table_skipped(FILE *stream, const struct duel_result *results, size_t count)
{
    struct duel_console console = console_of(stream);
    struct rows rows = {results, count, calloc(count + 1, sizeof *rows.line)};
    bool *everywhere = calloc(count + 1, sizeof *everywhere);
    if (rows.line && everywhere)
        find_lines(&rows, everywhere);
    for (size_t i = 0; rows.line && everywhere && i < count; i++)
        if (rows.line[i] == i)
            put_line(stream, &console, &rows, i, everywhere[i]);
    free(everywhere);
    free(rows.line);
}
