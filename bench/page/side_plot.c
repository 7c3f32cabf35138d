/* side_plot.c: horizontal bars of rates, in the colours that the implementations have everywhere. */
#include <math.h>
#include <string.h>

#include "bench/page/side.h"
#include "bench/report/picture.h"
#include "bench/report/rate.h"
#include "bench/report/style.h"

#define LETTER 0.74 /* width of a letter of a size in points, and the page's own width, as in plot_phases.c */
#define PAGE 1600.0

static void put_bars(struct duel_script *script, const struct side_picture *picture, double size, double *most)
{
    static const char *const arrays[] = {"name", "text_colour", "total", "total_x", "cut"};
    int longest = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        script_array(script, arrays[i], picture->count);
    fputs("# rate: row, begin and end in 10^9 per second, colour\n", script->data);
    for (size_t i = 0; i < picture->count; i++) {
        const struct side_bar *bar = &picture->bar[i];
        const struct duel_style style = style_of(bar->row->implementation);
        const char *last = strrchr(bar->row->implementation, '/');
        const double rate = rate_of(bar->row).value;
        char name[80], total[32];
        snprintf(name, sizeof name, "%.20s  %.24s", last ? last + 1 : bar->row->implementation, bar->machine);
        rate_words(bar->row, total, sizeof total);
        script_text_element(script, "name", i + 1, name);
        script_element(script, "text_colour", i + 1, style.text);
        script_text_element(script, "total", i + 1, total);
        script_element(script, "total_x", i + 1, rate);
        script_element(script, "cut", i + 1, 0);
        fprintf(script->data, "%zu 0", i + 1);
        script_value(script, rate);
        fprintf(script->data, " 0x%06X\n", style.colour);
        longest = format_width(name) > longest ? format_width(name) : longest;
        *most = fmax(*most, rate);
    }
    script_number(script, "name_size", size);
    script_number(script, "name_x", (longest * LETTER * size + 62) / PAGE);
    script_number(script, "name_columns", longest);
}

static enum duel_status plot(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct side_picture *picture = context;
    char title[200];
    double most = 0;
    (void)why;
    *drawn = picture->count > 0;
    if (!*drawn)
        return DUEL_OK;
    snprintf(title, sizeof title, WORDS_PAGE_SIDE_TITLE, picture->at);
    script_titles(script, title, picture->when, WORDS_PAGE_SIDE_REMARK);
    script_text(script, "x_title", WORDS_PAGE_SIDE_AXIS);
    script_number(script, "phases", 1);
    script_number(script, "legend", 0);
    script_number(script, "notes", 0);
    script_number(script, "rows", (double)picture->count);
    put_bars(script, picture, floor(fmin(24, 900 * 0.62 / (double)picture->count / 1.75)), &most);
    script_number(script, "x_high", most * 1.35);
    return DUEL_OK;
}

enum duel_status side_draw(const struct duel_page *page, const struct side_picture *picture, struct duel_why *why)
{
    const struct duel_plot_request request = {page->request->pictures, "", false, NULL, page->request->drawer};
    const struct duel_picture one = {picture->name, "bars", plot, picture};
    return pictures_write(&request, &one, 1, why);
}
