/* page_ladder.c: each rung with its speed, its lesson in one sentence, and its source. */
#include <stdlib.h>
#include <string.h>

#include "bench/page/parts.h"
#include "bench/report/rate.h"

struct rung {
    const struct duel_result *row;
    int height, place; /* on its ladder; in the run */
};

static int by_height(const void *a, const void *b)
{
    const struct rung *p = a, *q = b;
    const int cpu = result_on_cpu(q->row) - result_on_cpu(p->row);
    return cpu != 0 ? cpu : p->height != q->height ? p->height - q->height : p->place - q->place;
}

/* "Idea one. Idea two." -> "Idea one." A point inside a number or an abbreviation ends nothing. */
static void put_lesson(struct duel_page *page, const struct duel_impl *impl)
{
    char lesson[600];
    if (!impl || !impl->doc) {
        writer_text(&page->out, WORDS_PAGE_NO_LESSON);
        return;
    }
    const char *end = impl->doc;
    do {
        end += strcspn(end, ".");
        end += *end == '.';
    } while (*end && !(end[0] == ' ' && end[1] >= 'A' && end[1] <= 'Z'));
    snprintf(lesson, sizeof lesson, "%.*s", (int)(end - impl->doc), impl->doc);
    writer_text(&page->out, lesson);
}

static void put_rung(struct duel_page *page, const struct duel_result *row)
{
    const struct duel_impl *impl = registry_find(page->request->registry, row->implementation, NULL);
    char name[200], rate[32], id[140], serial[32];
    rate_words(row, rate, sizeof rate);
    format_number(row->speedup_serial, serial, sizeof serial);
    page_name(row, name, sizeof name);
    writer_row(&page->out);
    if (impl)
        writer_link(&page->out, writer_id("source", row->implementation, id, sizeof id), name);
    else
        writer_cell(&page->out, "%s", name);
    page_seconds(page, row->kernel.median);
    writer_cell(&page->out, "%s", rate);
    writer_cell(&page->out, "%s", serial);
    put_lesson(page, impl);
}

static void put_part(struct duel_page *page, const struct duel_part *part)
{
    static const char *const heads[] = {"rung", "kernel", "rate", "times serial", WRITER_LEFT "its lesson", NULL};
    struct rung *rung = calloc(part->set.count + 1, sizeof *rung);
    char caption[700];
    size_t count = 0;
    for (size_t i = 0; rung && i < part->set.count; i++) {
        const struct duel_result *row = series_at(&part->set.series[i], part->size);
        if (row) {
            rung[count] = (struct rung){row, registry_rung(page->request->registry, row->implementation), (int)i};
            count++;
        }
    }
    if (rung)
        qsort(rung, count, sizeof *rung, by_height);
    snprintf(caption, sizeof caption, WORDS_PAGE_LADDER_TABLE, part->name, part->at);
    writer_table(&page->out, caption, heads);
    for (size_t i = 0; i < count; i++)
        put_rung(page, rung[i].row);
    writer_table_end(&page->out);
    free(rung);
}

void page_ladder(struct duel_page *page)
{
    writer_part(&page->out, "ladder", WORDS_PAGE_LADDER);
    page_each(page, put_part);
}
