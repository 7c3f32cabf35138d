/* page_parts.c: what the parts of a page share. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/page/parts.h"
#include "bench/report/parts.h"
#include "bench/workload/shape.h"

enum { MOST_DRAWING = 640 << 10 }; /* of pictures, so that a page stays below 1 MiB */

const struct duel_console page_paper = {.utf8 = true};

static void name_part(const struct duel_page *page, struct duel_part *part)
{
    snprintf(part->where, sizeof part->where, WORDS_PAGE_ON, part->workload, part->run->title, part->run->day);
    snprintf(part->name, sizeof part->name, "%s", page->runs > 1 ? part->where : part->workload);
    if (part->set.square)
        snprintf(part->at, sizeof part->at, "%c = %.0f", shape_letter(part->workload), part->size);
    else
        snprintf(part->at, sizeof part->at, "size %.0f", part->size);
}

void page_each(struct duel_page *page, page_part *put)
{
    for (size_t r = 0; r < page->runs; r++) {
        const struct duel_recorded *run = &page->run[r];
        for (size_t i = 0; i < run->count; i++) {
            struct duel_part part = {.run = run, .workload = run->row[i].workload};
            if (!parts_begin(run->row, i) || !series_collect(&part.set, part.workload, run->row, run->count))
                continue;
            part.several = parts_several(run->row, run->count);
            part.size = series_duel_size(&part.set);
            name_part(page, &part);
            if (part.set.count > 0)
                put(page, &part);
            series_free(&part.set);
        }
    }
}

void page_dir(const struct duel_page *page, const struct duel_recorded *run, char *dir, size_t size)
{
    if (run && page->runs > 1)
        snprintf(dir, size, "%s/run-%zu", page->request->pictures, (size_t)(run - page->run) + 1);
    else
        snprintf(dir, size, "%s", page->request->pictures);
}

void page_figure(struct duel_page *page, const struct duel_recorded *run, const char *name, const char *caption)
{
    char dir[4200], link[4400];
    const size_t own = strlen(page->request->dir);
    if (page->request->no_plots)
        return;
    page_dir(page, run, dir, sizeof dir);
    const char *below = strncmp(dir, page->request->dir, own) == 0 && dir[own] == '/' ? dir + own + 1 : "";
    snprintf(link, sizeof link, "%s%splots/%s.png", below, *below ? "/" : "", name);
    const struct duel_figure figure = {dir, name, caption, link, ++page->figures};
    const long before = ftell(page->out.html);
    if (page->drawing > MOST_DRAWING)
        writer_say(&page->out, "%s. " WORDS_PAGE_LEFT_OUT, caption, link);
    else if (!figure_put(&page->out, &figure))
        writer_say(&page->out, WORDS_PAGE_NO_PICTURE, caption);
    page->drawing += (size_t)(ftell(page->out.html) - before);
}

void page_picture(struct duel_page *page, const struct duel_part *part, const char *name, const char *caption)
{
    char full[80];
    snprintf(full, sizeof full, "%s%s%s", part->several ? part->workload : "", part->several ? "-" : "", name);
    page_figure(page, part->run, full, caption);
}

void page_seconds(struct duel_page *page, double seconds)
{
    char text[32];
    format_seconds(&page_paper, seconds, text, sizeof text);
    writer_cell(&page->out, "%s", text);
}

void page_ratio(struct duel_page *page, const struct duel_ratio *ratio)
{
    char value[32], lo[32], hi[32];
    format_number(ratio->value, value, sizeof value);
    format_number(ratio->lo, lo, sizeof lo);
    format_number(ratio->hi, hi, sizeof hi);
    if (*value && *lo && *hi)
        writer_cell(&page->out, WORDS_PAGE_BETWEEN, value, lo, hi);
    else
        writer_cell(&page->out, "%s", value);
}

void page_threads(struct duel_page *page, int threads)
{
    if (threads > 0)
        writer_cell(&page->out, "%d", threads);
    else
        writer_text(&page->out, "");
}

void page_short(struct duel_page *page, double value)
{
    if (isfinite(value))
        writer_cell(&page->out, "%.2g", value);
    else
        writer_text(&page->out, "");
}

const char *page_name(const struct duel_result *row, char *name, size_t size)
{
    char threads[32] = "";
    if (row->threads > 0)
        snprintf(threads, sizeof threads, ", %d thread%s", row->threads, row->threads == 1 ? "" : "s");
    snprintf(name, size, "%s %s%s", row->implementation, dtype_name(row->problem.types.in), threads);
    return name;
}
