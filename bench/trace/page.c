/* page.c: a page for a browser: the template reports/explain.html with the data of the traces put into it. Page and
 * --json come from the same numbers, and the page fetches nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"
#include "bench/trace/trace.h"

#define HERE "@DATA@"
enum { MOST_TEMPLATE = 1 << 20 };

/* The text of a kernel's file, for the heat map. */
static json_t *source_json(const struct duel_trace *trace)
{
    struct duel_source source;
    struct duel_why why;
    json_t *lines = json_array();
    if (source_read(trace, &source, &why) == DUEL_OK)
        for (size_t i = 0; i < source.count; i++)
            json_array_append_new(lines, json_string(source.line[i]));
    source_free(&source);
    return lines;
}

static json_t *one(const struct duel_trace *trace, int capability, const struct duel_card *card)
{
    json_t *object = trace_json(trace, capability, card);
    json_object_set_new(object, "doc", json_string(trace->impl->doc));
    json_object_set_new(object, "source", source_json(trace));
    return object;
}

static json_t *all(const struct duel_trace *trace, const struct duel_trace *below, int capability,
                   const struct duel_card *card, const struct duel_card *shown)
{
    char sentence[TRACE_SENTENCES][400];
    json_t *object = json_object(), *traces = json_array(), *lesson = json_array();
    trace_lesson(trace, below, shown, sentence);
    for (int i = 0; i < TRACE_SENTENCES; i++)
        json_array_append_new(lesson, json_string(sentence[i]));
    json_array_append_new(traces, one(trace, capability, card));
    if (below)
        json_array_append_new(traces, one(below, capability, card));
    json_object_set_new(object, "lesson", lesson);
    json_object_set_new(object, "traces", traces);
    return object;
}

static char *read_template(struct duel_why *why)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/explain.html", paths_data_dir());
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, MOST_TEMPLATE + 1) : NULL;
    const bool good = text && fread(text, 1, MOST_TEMPLATE, file) > 0 && strstr(text, HERE);
    if (!good) {
        duel_fail(why, DUEL_EIO, "no page can be made without it", "DUEL_DATA_DIR names the folder that holds it",
                  "%s: %s", path, file ? "this is no template" : strerror(errno));
        free(text);
    }
    if (file)
        fclose(file);
    return good ? text : NULL;
}

/* Inside a script element "</" would end it: JSON may write a slash as "\/". */
static enum duel_status write_page(const char *path, const char *text, const json_t *data, struct duel_why *why)
{
    const char *hole = strstr(text, HERE);
    char *json = json_dumps(data, JSON_COMPACT | JSON_ESCAPE_SLASH);
    FILE *file = json ? fopen(path, "we") : NULL;
    bool good = file && fwrite(text, 1, (size_t)(hole - text), file) == (size_t)(hole - text) &&
                fputs(json, file) >= 0 && fputs(hole + strlen(HERE), file) >= 0;
    const int error = errno;
    if (file && fclose(file) != 0)
        good = false;
    free(json);
    return good ? DUEL_OK
                : duel_fail(why, DUEL_EIO, "the page was not written", "give another path with --html", "%s: %s", path,
                            strerror(error));
}

enum duel_status trace_page(const char *path, const struct duel_trace *trace, const struct duel_trace *below,
                            int capability, const struct duel_card *card, const struct duel_card *shown,
                            struct duel_why *why)
{
    char *text = read_template(why);
    if (!text)
        return DUEL_EIO;
    json_t *data = all(trace, below, capability, card, shown);
    enum duel_status status = write_page(path, text, data, why);
    json_decref(data);
    free(text);
    return status;
}
