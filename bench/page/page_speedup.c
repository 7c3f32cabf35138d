/* page_speedup.c: speed-up against size, and from which size on it pays. */
#include <math.h>
#include <string.h>

#include "bench/page/parts.h"
#include "bench/record/reader.h"
#include "bench/report/rate.h"

static void put_row(struct duel_page *page, const struct duel_result *row)
{
    char name[200], rate[32], serial[32];
    rate_words(row, rate, sizeof rate);
    format_number(row->speedup_serial, serial, sizeof serial);
    writer_row(&page->out);
    writer_cell(&page->out, "%s", page_name(row, name, sizeof name));
    writer_cell(&page->out, "%s", rate);
    writer_cell(&page->out, "%s", serial);
    page_ratio(page, &row->speedup_kernel);
    page_ratio(page, &row->speedup_end_to_end);
    writer_text(&page->out, row->base);
}

static const char *which(const char *speedup)
{
    static const char *const words[][2] = {
        {"kernel", "kernel alone"}, {"end_to_end", "end to end"}, {"amortised", "with one copy for several uses"}};
    for (size_t i = 0; speedup && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], speedup) == 0)
            return words[i][1];
    return "speed-up";
}

/* Sizes from which on it pays, in the run's own words where there is none. */
static void put_break_even(struct duel_page *page, const struct duel_part *part)
{
    const json_t *record;
    size_t i;
    json_array_foreach(part->run->break_even, i, record)
    {
        const char *name = reader_text(record, "implementation"), *type = reader_text(record, "precision"),
                   *base = reader_text(record, "base"), *words = reader_text(record, "words");
        const int64_t below = reader_count(record, "n_below"), above = reader_count(record, "n_above");
        const char *workload = name ? strchr(name, '/') : NULL;
        const size_t length = strlen(part->workload);
        if (!workload || strncmp(workload + 1, part->workload, length) != 0 || workload[1 + length] != '/')
            continue;
        if (above > 0 && below > 0)
            writer_say(&page->out, WORDS_PAGE_BREAK_EVEN, name, type ? type : "", which(reader_text(record, "speedup")),
                       (long long)above, base ? base : "the CPU", (long long)below);
        else if (words)
            writer_say(&page->out, WORDS_PAGE_BREAK_EVEN_OPEN, name, type ? type : "",
                       which(reader_text(record, "speedup")), words);
    }
}

static void put_part(struct duel_page *page, const struct duel_part *part)
{
    static const char *const heads[] = {
        "implementation",   "rate", "times serial", "kernel alone, times the base", "end to end, times the base",
        WRITER_LEFT "base", NULL};
    char caption[700];
    snprintf(caption, sizeof caption, WORDS_PAGE_SPEEDUP_CAPTION, part->where);
    page_picture(page, part, "speedup", caption);
    put_break_even(page, part);
    snprintf(caption, sizeof caption, WORDS_PAGE_SPEEDUP_TABLE, part->name, part->at);
    writer_table(&page->out, caption, heads);
    for (size_t i = 0; i < part->set.count; i++)
        if (series_at(&part->set.series[i], part->size))
            put_row(page, series_at(&part->set.series[i], part->size));
    writer_table_end(&page->out);
    if (part->several || page->runs > 1) /* one picture more for each would make a long page */
        return;
    snprintf(caption, sizeof caption, WORDS_PAGE_RATE_CAPTION, part->where);
    page_picture(page, part, rate_is_bytes(part->workload) ? "gbps" : "gflops", caption);
}

void page_speedup(struct duel_page *page)
{
    writer_part(&page->out, "speedup", WORDS_PAGE_SPEEDUP);
    page_each(page, put_part);
}
