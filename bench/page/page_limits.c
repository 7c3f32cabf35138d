/* page_limits.c: the ceilings of the machine and what stands under them; only where a run measured some. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/page/parts.h"

static void put_ceilings(struct duel_page *page, const struct duel_recorded *run)
{
    static const char *const heads[] = {"device", "type", "threads", "peak", NULL};
    if (run->ceilings == 0)
        return;
    writer_table(&page->out, WORDS_PAGE_CEILINGS, heads);
    for (size_t i = 0; i < run->ceilings; i++) {
        char rate[32];
        format_rate(run->ceiling[i].gflops, rate, sizeof rate);
        writer_row(&page->out);
        writer_cell(&page->out, "%s", run->ceiling[i].device);
        writer_cell(&page->out, "%s", dtype_name(run->ceiling[i].in));
        page_threads(page, run->ceiling[i].threads);
        writer_cell(&page->out, "%s", rate);
    }
    writer_table_end(&page->out);
}

static void put_placements(struct duel_page *page, const struct duel_recorded *run, const char *device)
{
    static const char *const heads[] = {"implementation", "type",  "threads", "rate", "intensity (FLOP/B)",
                                        "roof",           "of it", "limit",   NULL};
    char caption[500];
    snprintf(caption, sizeof caption, WORDS_PAGE_ROOF_TABLE, run->machine);
    writer_table(&page->out, caption, heads);
    for (size_t i = 0; i < run->placements; i++) {
        const struct duel_placement *place = &run->placement[i];
        char rate[32] = "", roof[32] = "", intensity[32], percent[32];
        if (strcmp(place->device, device) != 0 || place->status != ROW_OK)
            continue;
        format_rate(place->gflops, rate, sizeof rate);
        if (isfinite(place->roof_gflops))
            format_rate(place->roof_gflops, roof, sizeof roof);
        format_number(place->intensity, intensity, sizeof intensity);
        format_number(place->roof_percent, percent, sizeof percent);
        writer_row(&page->out);
        writer_cell(&page->out, "%s", place->implementation);
        writer_cell(&page->out, "%s", dtype_name(place->problem.types.in));
        page_threads(page, place->threads);
        writer_cell(&page->out, "%s", rate);
        writer_cell(&page->out, "%s", intensity);
        writer_cell(&page->out, "%s", roof);
        writer_cell(&page->out, "%s%s", percent, *percent ? " %" : "");
        writer_cell(&page->out, "%s", place->limit);
    }
    writer_table_end(&page->out);
}

/* Each device once, in the order of its first row. */
static void put_devices(struct duel_page *page, const struct duel_recorded *run)
{
    for (size_t i = 0; i < run->placements; i++) {
        const char *device = run->placement[i].device;
        char caption[500], name[64];
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first &= strcmp(run->placement[j].device, device) != 0;
        if (!first)
            continue;
        snprintf(caption, sizeof caption, WORDS_PAGE_ROOF_CAPTION, run->machine);
        page_figure(page, run, writer_id("roofline", device, name, sizeof name), caption);
        put_placements(page, run, device);
    }
}

void page_roof(struct duel_page *page)
{
    bool any = false;
    for (size_t r = 0; r < page->runs; r++)
        any |= page->run[r].ceilings > 0 || page->run[r].placements > 0;
    if (!any)
        return;
    writer_part(&page->out, "roof", WORDS_PAGE_ROOF);
    for (size_t r = 0; r < page->runs; r++) {
        if (page->runs > 1)
            writer_heading(&page->out, page->run[r].title);
        put_devices(page, &page->run[r]);
        put_ceilings(page, &page->run[r]);
    }
}
