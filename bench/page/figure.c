/* figure.c: gnuplot's SVG, line by line. It is copied with other names inside (several stand on one page), without its
 * own titles (they are code), and with the numbers of the data file at each point as a title, which browsers show
 * under the pointer. Blocks of data and groups with points come in the same order: both are of curve after curve. */
#include "bench/page/figure.h"

#include <stdlib.h>
#include <string.h>

#include "bench/report/console.h"

enum { MOST_SVG = 4 << 20 };

static char *read_file(const char *dir, const char *name, const char *ending)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/plots/%s.%s", dir, name, ending);
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, MOST_SVG + 1) : NULL;
    size_t size = text ? fread(text, 1, MOST_SVG, file) : 0;
    if (file)
        fclose(file);
    if (size == 0 || size == MOST_SVG) {
        free(text);
        return NULL;
    }
    char *fitting = realloc(text, size + 1);
    return fitting ? fitting : text;
}

/* ---- the numbers ----------------------------------------------------------------------------------------------------
 */

/* Where the next point of the data file is. */
struct points {
    char *line;      /* of the next one; NULL at the end */
    char label[160]; /* of its block */
    int block;
};

static void next_line(struct points *points)
{
    points->line = strchr(points->line, '\n');
    points->line = points->line && points->line[1] ? points->line + 1 : NULL;
}

/* Goes on to the next point of block `block`, if there is one. */
static bool find_point(struct points *points, int block)
{
    double x, y;
    while (points->line && points->block <= block) {
        const size_t length = strcspn(points->line, "\n");
        if (points->line[0] == '#' && points->block == block)
            return false;
        if (points->line[0] == '#' && length > 2) {
            snprintf(points->label, sizeof points->label, "%.*s", (int)(length - 2), points->line + 2);
            points->block++;
        } else if (points->block == block && sscanf(points->line, "%lf %lf", &x, &y) == 2) {
            return true;
        }
        next_line(points);
    }
    return false;
}

/* "CPU openblas: 12.3 at 512, 95 % interval 12.1 to 12.5". */
static void put_point(FILE *stream, struct points *points)
{
    double x = 0, y = 0, lo = 0, hi = 0;
    char value[32], ends[2][32], at[32];
    const int known = sscanf(points->line, "%lf %lf %lf %lf", &x, &y, &lo, &hi);
    format_number(y, value, sizeof value);
    snprintf(at, sizeof at, x >= 1 ? "%.0f" : "%.2g", x);
    writer_escape(stream, points->label);
    fprintf(stream, ": %s at %s", value, at);
    if (known == 4) {
        format_number(lo, ends[0], sizeof ends[0]);
        format_number(hi, ends[1], sizeof ends[1]);
        fprintf(stream, ", 95 %% interval %s to %s", ends[0], ends[1]);
    }
    next_line(points);
}

/* ---- the drawing ----------------------------------------------------------------------------------------------------
 */

/* The rest of a line with every name of the drawing made its own: id='gpPt6', '#gpPt6', url(#hatch). */
static void put_renamed(FILE *stream, const char *line, size_t length, int number)
{
    static const char *const before[] = {"id='", "id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < length;) {
        size_t skipped = 0;
        for (size_t b = 0; b < sizeof before / sizeof *before && skipped == 0; b++)
            if (strncmp(line + i, before[b], strlen(before[b])) == 0)
                skipped = strlen(before[b]);
        if (skipped > 0) {
            fprintf(stream, "%.*sp%d-", (int)skipped, line + i, number);
            i += skipped;
        } else {
            fputc(line[i++], stream);
        }
    }
}

static bool begins(const char *line, const char *word)
{
    line += strspn(line, " \t");
    return strncmp(line, word, strlen(word)) == 0;
}

/* Leaves out <title>...</title>, which says what gnuplot was told to do. */
static void put_line(FILE *stream, const char *line, size_t length, int number)
{
    const char *title = memmem(line, length, "<title>", 7), *end = title ? strstr(title, "</title>") : NULL;
    if (begins(line, "<text") || begins(line, "<tspan")) { /* what people read is not changed */
        fwrite(line, 1, length, stream);
    } else if (title && end && end < line + length) {
        put_renamed(stream, line, (size_t)(title - line), number);
        put_renamed(stream, end + 8, (size_t)(line + length - end - 8), number);
    } else {
        put_renamed(stream, line, length, number);
    }
    fputc('\n', stream);
}

static void put_drawing(FILE *stream, const char *svg, char *data, int number)
{
    struct points points = {.line = data, .block = -1};
    int block = -1;
    bool curve = false, fresh = false; /* inside a curve; no point of it yet */
    for (const char *line = svg; *line && !begins(line, "</svg>");) {
        const size_t length = strcspn(line, "\n");
        if (memmem(line, length, "id=\"gnuplot_plot_", 17))
            curve = fresh = true;
        else if (begins(line, "<text"))
            curve = false; /* names and numbers at the ends come after the curves */
        const bool point = curve && begins(line, "<use ");
        block += point && fresh;
        fresh = fresh && !point;
        if (point && data && find_point(&points, block)) {
            fputs("<g><title>", stream);
            put_point(stream, &points);
            fputs("</title>", stream);
            put_line(stream, line, length, number);
            fputs("</g>", stream);
        } else {
            put_line(stream, line, length, number);
        }
        line += length + (line[length] == '\n');
    }
}

static void put_markdown(FILE *stream, const struct duel_figure *figure)
{
    fprintf(stream, "![");
    for (const char *byte = figure->caption; *byte; byte++)
        fputc(strchr("[]\\<>", *byte) ? ' ' : *byte, stream);
    fprintf(stream, "](%s)\n\n", figure->link);
}

bool figure_put(struct duel_writer *writer, const struct duel_figure *figure)
{
    char *svg = read_file(figure->dir, figure->name, "svg"), *data = read_file(figure->dir, figure->name, "dat");
    const char *start = svg ? strstr(svg, "<svg ") : NULL, *inside = start ? strchr(start, '>') : NULL;
    if (inside) {
        fprintf(writer->html,
                "<figure><svg class=\"plot\" viewBox=\"0 0 1600 900\" role=\"img\" "
                "aria-labelledby=\"p%d-caption\">",
                figure->number);
        put_drawing(writer->html, inside + 1, data, figure->number);
        fprintf(writer->html, "</svg><figcaption id=\"p%d-caption\">", figure->number);
        writer_escape(writer->html, figure->caption);
        fputs("</figcaption></figure>\n", writer->html);
        put_markdown(writer->markdown, figure);
    }
    free(svg);
    free(data);
    return inside != NULL;
}
