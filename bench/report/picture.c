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
static enum duel_status draw_text(const struct duel_plot_request *request, const char *dir, const char *name,
                                  struct duel_why *why)
{
    FILE *stream = request->stream;
    struct duel_console console = console_of(stream);
    char options[80], *text = NULL;
    size_t size = 0;
    int rows = console.rows < 26 ? console.rows : 26, columns = console.columns > 72 ? console.columns : 72;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
    snprintf(options, sizeof options, "columns = %d; lines = %d", columns - 1, rows > 16 ? rows : 16);
    enum duel_status status = gnuplot_draw(request->drawer, dir, name, options, memory, why);
    fclose(memory);
    for (const char *line = text, *end; status == DUEL_OK && (end = strchr(line, '\n')); line = end + 1)
        put_line(stream, &console, line, (size_t)(end - line));
    free(text);
    return status;
}

/* The files that gnuplot writes, and how each kind begins. */
static const struct {
    const char *ending, *start;
} formats[] = {{"png", "\211PNG\r\n\032\n"}, {"svg", "<?xml"}};
#define FORMATS (sizeof formats / sizeof *formats)

static void path_of(char *path, size_t size, const char *dir, const char *name, size_t format)
{
    snprintf(path, size, "%s/%s.%s", dir, name, formats[format].ending);
}

static bool begins_with(const char *path, const char *start)
{
    char text[16] = "";
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, strlen(start), file) : 0;
    if (file)
        fclose(file);
    return length == strlen(start) && memcmp(text, start, length) == 0;
}

/* That gnuplot was content says little: the pictures must be there, and be pictures. */
static enum duel_status check_files(const char *dir, const char *name, struct duel_why *why)
{
    for (size_t i = 0; i < FORMATS; i++) {
        char path[4096];
        path_of(path, sizeof path, dir, name, i);
        if (!begins_with(path, formats[i].start))
            return duel_fail(why, DUEL_EIO, "this picture is missing; its data and its script are there",
                             "look at `gnuplot --version` and at the space that is left on this disk",
                             "gnuplot reported success but wrote no picture %.200s", path);
    }
    return DUEL_OK;
}

static enum duel_status draw_one(const struct duel_plot_request *request, const char *dir, const char *name,
                                 struct duel_why *why)
{
    for (size_t i = 0; i < FORMATS; i++) { /* an older one must not be taken for this one */
        char path[4096];
        path_of(path, sizeof path, dir, name, i);
        remove(path);
    }
    enum duel_status status = gnuplot_draw(request->drawer, dir, name, "", NULL, why);
    if (status == DUEL_OK)
        status = check_files(dir, name, why);
    if (status == DUEL_OK && request->terminal && request->stream)
        status = draw_text(request, dir, name, why);
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
        const struct duel_drawer *drawer = request->drawer;
        if (!drawn[i])
            continue;
        if (drawer && drawer->given_up != DUEL_OK) {
            if (drawing == DUEL_OK)
                *why = drawer->why;
            return drawing == DUEL_OK ? drawer->given_up : drawing;
        }
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
