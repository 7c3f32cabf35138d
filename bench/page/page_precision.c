/* page_precision.c: what shorter numbers gain and what they cost, where a run has several types; and energy. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/page/parts.h"
#include "bench/record/reader.h"
#include "bench/report/rate.h"
#include "bench/workload/shape.h"

static bool has_types(const struct duel_part *part)
{
    for (size_t i = 1; i < part->set.count; i++)
        if (part->set.series[i].row[0]->problem.types.in != part->set.series[0].row[0]->problem.types.in)
            return true;
    return false;
}

static void put_part(struct duel_page *page, const struct duel_part *part)
{
    static const char *const heads[] = {"type",           WRITER_LEFT "implementation",   "kernel", "rate",
                                        "relative error", "largest error over its bound", NULL};
    char caption[700];
    if (!has_types(part))
        return;
    snprintf(caption, sizeof caption, WORDS_PAGE_PRECISION_CAPTION, part->where);
    page_picture(page, part, "precision", caption);
    snprintf(caption, sizeof caption, WORDS_PAGE_PRECISION_TABLE, part->name, part->at);
    writer_table(&page->out, caption, heads);
    for (int type = 0; type < DUEL_DTYPES; type++)
        for (size_t i = 0; i < part->set.count; i++) {
            const struct duel_result *row = series_at(&part->set.series[i], part->size);
            char rate[32];
            if (!row || row->problem.types.in != (enum duel_dtype)type)
                continue;
            rate_words(row, rate, sizeof rate);
            writer_row(&page->out);
            writer_cell(&page->out, "%s", dtype_name(row->problem.types.in));
            writer_text(&page->out, row->implementation);
            page_seconds(page, row->kernel.median);
            writer_cell(&page->out, "%s", rate);
            page_short(page, row->verdict.relative_frobenius);
            page_short(page, row->verdict.bound_ratio);
        }
    writer_table_end(&page->out);
}

static void look(struct duel_page *page, const struct duel_part *part)
{
    page->figures += has_types(part);
}

void page_precision(struct duel_page *page)
{
    const int before = page->figures;
    page_each(page, look);
    const bool any = page->figures > before;
    page->figures = before;
    if (!any)
        return;
    writer_part(&page->out, "precision", WORDS_PAGE_PRECISION);
    page_each(page, put_part);
}

/* ---- energy --------------------------------------------------------------------------------------------------------
 */

static void put_energy(struct duel_page *page, const struct duel_recorded *run)
{
    const json_t *record;
    size_t i;
    json_array_foreach(run->telemetry, i, record)
    {
        const double joules = reader_real(record, "energy_j"), seconds = reader_real(record, "seconds");
        const char *device = reader_text(record, "device"), *workload = reader_text(record, "workload");
        struct duel_problem problem = {.m = reader_count(record, "m"),
                                       .n = reader_count(record, "n"),
                                       .k = reader_count(record, "k"),
                                       .count = reader_count(record, "count")};
        char size[96] = "", watts[32];
        if (!(joules > 0) || !(seconds > 0) || !device)
            continue;
        if (workload)
            shape_words(workload, &problem, size, sizeof size);
        format_number(joules / seconds, watts, sizeof watts);
        writer_row(&page->out);
        writer_cell(&page->out, "%s %s, %s", workload ? workload : "", size, device);
        writer_text(&page->out, run->machine);
        writer_cell(&page->out, "%.3g", seconds);
        writer_cell(&page->out, "%.4g", joules);
        writer_cell(&page->out, "%s", watts);
    }
}

static const char *why_none(const struct duel_page *page, bool *any)
{
    const char *why = NULL;
    for (size_t r = 0; r < page->runs; r++) {
        const json_t *record;
        size_t i;
        json_array_foreach(page->run[r].telemetry, i, record)
        {
            *any |= reader_real(record, "energy_j") > 0 && reader_real(record, "seconds") > 0;
            why = why ? why : reader_text(record, "energy_j_why");
        }
    }
    return why ? why : "these runs hold no telemetry";
}

void page_energy(struct duel_page *page)
{
    static const char *const heads[] = {"work", WRITER_LEFT "machine", "seconds", "energy (J)", "mean power (W)", NULL};
    bool any = false;
    const char *why = why_none(page, &any);
    writer_part(&page->out, "energy", WORDS_PAGE_ENERGY);
    if (!any) {
        writer_say(&page->out, WORDS_PAGE_NO_ENERGY, why);
        return;
    }
    writer_table(&page->out, WORDS_PAGE_ENERGY_TABLE, heads);
    for (size_t r = 0; r < page->runs; r++)
        put_energy(page, &page->run[r]);
    writer_table_end(&page->out);
}
