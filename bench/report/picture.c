/* picture.c: the order of writing and drawing pictures. */
#include "bench/report/picture.h"

#include <stdlib.h>
#include <string.h>

#include "bench/record/directory.h"
#include "bench/report/console.h"

/* Writes data and script; *drawn is false when there is nothing for this picture. */
static enum duel_status write_one(const char *dir, const struct duel_picture *picture, bool *drawn,
                                  struct duel_why *why)
{
    struct duel_script script;
    *drawn = false;
    enum duel_status status = script_open(&script, dir, picture->name, why);
    if (status != DUEL_OK)
        return status;
    status = picture->plot(picture->context, &script, drawn, why);
    enum duel_status closed = script_close(&script, picture->body, status == DUEL_OK ? why : NULL);
    status = status == DUEL_OK ? closed : status;
    if (status == DUEL_OK && !*drawn)
        script_remove(dir, picture->name);
    return status;
}

/* The few signs beyond ASCII that titles and names use. */
static const struct {
    const char *utf8, *ascii;
} signs[] = {{"\303\227", "x"}, {"\302\267", "-"}, {"\302\265", "u"}};

/* Prints one line without the blanks at its end; in ASCII where the terminal knows nothing else. */
static void put_line(FILE *stream, const struct duel_console *console, const char *line, size_t length)
{
    while (length > 0 && line[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < length; i++) {
        const char *plain = NULL;
        for (size_t s = 0; s < sizeof signs / sizeof *signs && !plain && !console->utf8; s++)
            if (strncmp(line + i, signs[s].utf8, 2) == 0)
                plain = signs[s].ascii;
        fputc(plain ? *plain : line[i], stream);
        i += plain != NULL;
    }
    fputc('\n', stream);
}

/* Draws with characters, as wide as the terminal. */
static enum duel_status draw_text(const char *dir, const char *name, FILE *stream, struct duel_why *why)
{
    struct duel_console console = console_of(stream);
    char options[80], *text = NULL;
    size_t size = 0;
    int rows = console.rows < 26 ? console.rows : 26, columns = console.columns > 72 ? console.columns : 72;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
    snprintf(options, sizeof options, "columns = %d; lines = %d", columns - 1, rows > 16 ? rows : 16);
    enum duel_status status = gnuplot_draw(dir, name, options, memory, why);
    fclose(memory);
    for (const char *line = text, *end; status == DUEL_OK && (end = strchr(line, '\n')); line = end + 1)
        put_line(stream, &console, line, (size_t)(end - line));
    free(text);
    return status;
}

static enum duel_status draw_one(const struct duel_plot_request *request, const char *dir, const char *name,
                                 struct duel_why *why)
{
    enum duel_status status = gnuplot_draw(dir, name, "", NULL, why);
    if (status == DUEL_OK && request->terminal && request->stream)
        status = draw_text(dir, name, request->stream, why);
    return status;
}

static enum duel_status no_gnuplot(const char *dir, struct duel_why *why)
{
    char next[240];
    snprintf(next, sizeof next, "install gnuplot, then: cd %.120s && for p in *.gp; do gnuplot $p; done", dir);
    return duel_fail(why, DUEL_SKIP, "the pictures are not drawn; their data and scripts are written", next,
                     "there is no gnuplot here");
}

static enum duel_status write_all(const struct duel_plot_request *request, const char *dir,
                                  const struct duel_picture *pictures, size_t count, bool *drawn, struct duel_why *why)
{
    enum duel_status status = directory_make(dir, why), drawing = DUEL_OK;
    for (size_t i = 0; i < count && status == DUEL_OK; i++)
        status = write_one(dir, &pictures[i], &drawn[i], why);
    for (size_t i = 0; i < count && status == DUEL_OK && drawing != DUEL_SKIP; i++) {
        if (!drawn[i])
            continue;
        enum duel_status one = draw_one(request, dir, pictures[i].name, drawing == DUEL_OK ? why : NULL);
        drawing = drawing == DUEL_OK ? one : drawing;
    }
    if (drawing == DUEL_SKIP)
        return no_gnuplot(dir, why);
    return status == DUEL_OK ? drawing : status;
}

enum duel_status pictures_write(const struct duel_plot_request *request, const struct duel_picture *pictures,
                                size_t count, struct duel_why *why)
{
    char *dir = directory_path(request->dir, "plots");
    bool *drawn = calloc(count + 1, sizeof *drawn);
    enum duel_status status = dir && drawn ? write_all(request, dir, pictures, count, drawn, why)
                                           : duel_fail(why, DUEL_ENOMEM, "the pictures are not drawn",
                                                       "free some memory", "out of memory for them");
    free(drawn);
    free(dir);
    return status;
}
