/* page_steps.c: the four steps of a GPU program beside the one of the CPU. */
#include "bench/page/parts.h"

static void put_part(struct duel_page *page, const struct duel_part *part)
{
    static const char *const heads[] = {"implementation", "read",      "convert",    "copy in",
                                        "kernel",         "copy back", "end to end", NULL};
    char caption[700], name[200];
    snprintf(caption, sizeof caption, WORDS_PAGE_STEPS_CAPTION, part->where, part->at);
    page_picture(page, part, "phases", caption);
    snprintf(caption, sizeof caption, WORDS_PAGE_STEPS_TABLE, part->name, part->at);
    writer_table(&page->out, caption, heads);
    for (size_t i = 0; i < part->set.count; i++) {
        const struct duel_result *row = series_at(&part->set.series[i], part->size);
        if (!row)
            continue;
        const double step[] = {row->read_s,        row->convert_s,  row->h2d.median,
                               row->kernel.median, row->d2h.median, row->end_to_end.median};
        writer_row(&page->out);
        writer_cell(&page->out, "%s", page_name(row, name, sizeof name));
        for (size_t s = 0; s < sizeof step / sizeof *step; s++)
            page_seconds(page, step[s]);
    }
    writer_table_end(&page->out);
}

void page_steps(struct duel_page *page)
{
    writer_part(&page->out, "steps", WORDS_PAGE_STEPS);
    writer_say(&page->out, WORDS_PAGE_STEPS_SAY);
    page_each(page, put_part);
}
