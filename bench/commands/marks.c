#include "bench/commands/marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/record/sink.h"

#define MARGIN 2
#define GAP 2

/* Prints text from column `start` on, where the cursor stands already; further lines are indented to it. */
static void print_hanging(FILE *stream, const struct duel_console *console, int start, enum duel_shade shade,
                          const char *text)
{
    char *lines = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&lines, &size);
    if (memory) {
        console_wrap(memory, console, start, shade, text);
        fclose(memory);
    }
    fputs(lines && size > (size_t)start ? lines + start : "\n", stream);
    free(lines);
}

static int widest(const struct duel_mark *marks, size_t count, size_t member)
{
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        int width = format_width(*(const char *const *)((const char *)&marks[i] + member));
        most = width > most ? width : most;
    }
    return most;
}

void marks_table(FILE *stream, const struct duel_mark *marks, size_t count)
{
    struct duel_console console = console_of(stream);
    int topics = widest(marks, count, offsetof(struct duel_mark, topic));
    int words = widest(marks, count, offsetof(struct duel_mark, word));
    int titles = widest(marks, count, offsetof(struct duel_mark, title));
    const char *topic = "";
    for (size_t i = 0; i < count; i++) {
        const struct duel_mark *mark = &marks[i];
        bool same = strcmp(topic, mark->topic) == 0;
        topic = mark->topic;
        fprintf(stream, "%s%*s%s%-*s%s%*s", same || i == 0 ? "" : "\n", MARGIN, "", console_shade(&console, SHADE_BOLD),
                topics, same ? "" : topic, console_end(&console), GAP, "");
        fprintf(stream, "%s%-*s%s%*s%-*s%*s", console_shade(&console, mark->shade), words, mark->word,
                console_end(&console), GAP, "", titles, mark->title, GAP, "");
        print_hanging(stream, &console, MARGIN + topics + GAP + words + GAP + titles + GAP, SHADE_PLAIN,
                      mark->why->seen);
    }
}

static void print_part(FILE *stream, const struct duel_console *console, int start, const char *name, const char *text)
{
    if (!*text)
        return;
    fprintf(stream, "%*s%s%-*s%s", start, "", console_shade(console, SHADE_DIM), 4 + GAP, name, console_end(console));
    print_hanging(stream, console, start + 4 + GAP, SHADE_PLAIN, text);
}

void marks_advice(FILE *stream, const struct duel_mark *marks, size_t count)
{
    struct duel_console console = console_of(stream);
    int words = widest(marks, count, offsetof(struct duel_mark, word));
    for (size_t i = 0; i < count; i++) {
        const struct duel_mark *mark = &marks[i];
        char head[480];
        if (!mark->advise)
            continue;
        snprintf(head, sizeof head, "%s: %s", mark->title, mark->why->seen);
        fprintf(stream, "\n%*s%s%-*s%s%*s", MARGIN, "", console_shade(&console, mark->shade), words, mark->word,
                console_end(&console), GAP, "");
        print_hanging(stream, &console, MARGIN + words + GAP, SHADE_PLAIN, head);
        print_part(stream, &console, MARGIN + words + GAP, "why", mark->why->matters);
        print_part(stream, &console, MARGIN + words + GAP, "next", mark->why->next);
    }
}

json_t *marks_item(const char *name, const char *verdict, double value, const char *unit, const struct duel_why *why)
{
    struct duel_record item = {.object = json_object()};
    item.failed = !item.object;
    record_text(&item, "name", name, NULL);
    record_text(&item, "verdict", verdict, NULL);
    record_real(&item, "value", value, NULL);
    record_text(&item, "unit", isfinite(value) ? unit : NULL, NULL);
    record_text(&item, "seen", why->seen, NULL);
    record_text(&item, "why", why->matters, NULL);
    record_text(&item, "next", why->next, NULL);
    if (!item.failed)
        return item.object;
    record_free(&item);
    return NULL;
}

enum duel_status marks_target(const char *path, struct duel_why *why)
{
    struct duel_sink sink = {.fd = -1};
    enum duel_status status = path && strcmp(path, "-") != 0 ? sink_open(&sink, path, "--json", why) : DUEL_OK;
    sink_close(&sink);
    return status;
}

enum duel_status marks_write(struct duel_record *record, const char *path, struct duel_why *why)
{
    struct duel_sink sink = {.fd = -1};
    size_t size = 0;
    char *line = record_line(record, &size);
    record_free(record);
    if (!line)
        return duel_fail(why, DUEL_ENOMEM, "nothing was written", "close other programs", "out of memory");
    enum duel_status status = sink_open(&sink, path, "--json", why);
    if (status == DUEL_OK)
        status = sink_empty(&sink, why);
    if (status == DUEL_OK)
        status = sink_write(&sink, line, size, why);
    if (status == DUEL_OK)
        status = sink_flush(&sink, why);
    sink_close(&sink);
    free(line);
    return status;
}
