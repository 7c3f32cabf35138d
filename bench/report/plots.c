/* plots.c: which pictures there are, and the order of writing and drawing them. */
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/record/directory.h"
#include "bench/report/console.h"
#include "bench/report/plots.h"

static const struct picture {
    const char *name, *body; /* the drawing code in reports/ */
    enum duel_status (*plot)(const struct duel_album *album, struct duel_script *script, bool *drawn,
                             struct duel_why *why);
} pictures[] = {
    {"speedup", "curves", plot_speedup},
    {"gflops", "curves", plot_gflops},
    {"phases", "bars", plot_phases},
};
#define PICTURES (sizeof pictures / sizeof *pictures)

/* "AMD EPYC, 2 cores" and the names of the GPUs, each once. */
static void name_machine(struct duel_album *album)
{
    size_t size = sizeof album->machine;
    snprintf(album->machine, size, "%s", album->request->machine);
    for (size_t i = 0; i < album->set->count; i++) {
        const struct duel_result *row = album->set->series[i].row[0];
        size_t used = strlen(album->machine);
        if (!album->set->series[i].cpu && *row->device_name && !strstr(album->machine, row->device_name))
            snprintf(album->machine + used, size - used, " + %s", row->device_name);
    }
}

/* "gemm fp32", or only what is the same everywhere. */
static void name_subject(struct duel_album *album)
{
    const struct duel_result *first = album->set->count ? album->set->series[0].row[0] : NULL;
    bool precision = true, workload = true;
    for (size_t i = 0; i < album->set->count; i++) {
        const struct duel_result *row = album->set->series[i].row[0];
        precision &= row->problem.types.in == first->problem.types.in;
        workload &= strcmp(row->workload, first->workload) == 0;
    }
    if (first)
        snprintf(album->subject, sizeof album->subject, "%s%s%s" PLOT_DOT, workload ? first->workload : "",
                 workload && precision ? " " : "", precision ? dtype_name(first->problem.types.in) : "");
    if (!workload && !precision)
        album->subject[0] = '\0';
}

/* Writes data and script; *drawn is false when there is nothing for this picture. */
static enum duel_status write_one(const struct duel_album *album, const char *dir, const struct picture *picture,
                                  bool *drawn, struct duel_why *why)
{
    struct duel_script script;
    *drawn = false;
    enum duel_status status = script_open(&script, dir, picture->name, why);
    if (status != DUEL_OK)
        return status;
    status = picture->plot(album, &script, drawn, why);
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

static enum duel_status draw_one(const struct duel_album *album, const char *dir, const char *name,
                                 struct duel_why *why)
{
    const struct duel_plot_request *request = album->request;
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

static enum duel_status write_all(const struct duel_album *album, const char *dir, struct duel_why *why)
{
    bool drawn[PICTURES] = {false};
    enum duel_status status = directory_make(dir, why), drawing = DUEL_OK;
    for (size_t i = 0; i < PICTURES && status == DUEL_OK; i++)
        status = write_one(album, dir, &pictures[i], &drawn[i], why);
    for (size_t i = 0; i < PICTURES && status == DUEL_OK && drawing != DUEL_SKIP; i++) {
        if (!drawn[i])
            continue;
        enum duel_status one = draw_one(album, dir, pictures[i].name, drawing == DUEL_OK ? why : NULL);
        drawing = drawing == DUEL_OK ? one : drawing;
    }
    if (drawing == DUEL_SKIP)
        return no_gnuplot(dir, why);
    return status == DUEL_OK ? drawing : status;
}

enum duel_status plots_write(const struct duel_plot_request *request, const struct duel_result *results, size_t count,
                             const struct duel_ceiling *ceilings, size_t ceiling_count, struct duel_why *why)
{
    struct duel_series_set set;
    if (!series_collect(&set, results, count))
        return duel_fail(why, DUEL_ENOMEM, "the pictures are not drawn", "free some memory", "out of memory for them");
    struct duel_album album = {.request = request,
                               .set = &set,
                               .results = results,
                               .count = count,
                               .ceilings = ceilings,
                               .ceiling_count = ceiling_count};
    char *dir = directory_path(request->dir, "plots");
    enum duel_status status;
    name_machine(&album);
    name_subject(&album);
    if (!dir)
        status = duel_fail(why, DUEL_ENOMEM, "the pictures are not drawn", "free some memory", "out of memory");
    else if (set.count == 0)
        status = duel_fail(why, DUEL_SKIP, "there is nothing to draw",
                           "measure on the CPU or on a real GPU: emulated, skipped and failed rows have no time",
                           "no row of this run has a time");
    else
        status = write_all(&album, dir, why);
    free(dir);
    series_free(&set);
    return status;
}
