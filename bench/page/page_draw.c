/* page_draw.c: the pictures of every run of a page. */
#include <string.h>

#include "bench/page/parts.h"
#include "bench/report/roofline.h"
#include "bench/workload/shape.h"

/* The first failure is told; the other pictures are drawn all the same. */
static void note(enum duel_status *first, struct duel_why *why, enum duel_status status, const struct duel_why *own)
{
    if (*first != DUEL_OK || status == DUEL_OK)
        return;
    *first = status;
    if (why)
        *why = *own;
}

static enum duel_status draw_roofs(const struct duel_plot_request *request, const struct duel_recorded *run,
                                   struct duel_why *why)
{
    enum duel_status first = DUEL_OK;
    for (size_t i = 0; i < run->placements; i++) {
        const char *device = run->placement[i].device;
        bool known = false;
        char name[64];
        struct duel_why own = {{0}, {0}, {0}};
        for (size_t j = 0; j < i; j++)
            known |= strcmp(run->placement[j].device, device) == 0;
        const struct duel_roofline_report report = {.device = device,
                                                    .device_name = request->machine,
                                                    .picture = writer_id("roofline", device, name, sizeof name),
                                                    .threads = (int)(run->usable > 0 ? run->usable : 0),
                                                    .roofs = run->roof,
                                                    .roof_count = run->roofs,
                                                    .placements = run->placement,
                                                    .placement_count = run->placements};
        if (!known)
            note(&first, why, plot_roofline(request, &report, &own), &own);
    }
    return first;
}

enum duel_status page_draw(const struct duel_page *page, struct duel_why *why)
{
    enum duel_status first = DUEL_OK;
    for (size_t r = 0; r < page->runs; r++) {
        const struct duel_recorded *run = &page->run[r];
        char dir[4200], machine[500];
        struct duel_why own = {{0}, {0}, {0}};
        page_dir(page, run, dir, sizeof dir);
        snprintf(machine, sizeof machine, WORDS_PAGE_RECORDED, run->machine, run->day);
        const struct duel_plot_request request = {dir, page->request->own ? run->machine : machine, false, NULL,
                                                  page->request->drawer};
        if (run->count > 0) {
            const enum duel_status status =
                plots_write(&request, run->row, run->count, run->ceiling, run->ceilings, &own);
            if (status != DUEL_SKIP || strstr(own.seen, "gnuplot")) /* nothing to draw is no failure */
                note(&first, why, status, &own);
        }
        note(&first, why, draw_roofs(&request, run, &own), &own);
    }
    return first;
}
