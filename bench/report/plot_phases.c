/* plot_phases.c: stacked bars: convert, copy to the device, kernel, copy back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/console.h"
#include "bench/report/plots.h"
#include "bench/report/words.h"

#define PAGE_WIDTH 1600.0
#define AXIS_WIDTH 0.60 /* of the page, about: decides which segments have room for their time */
#define LETTER_WIDTH 0.74

enum { CONVERT, H2D, KERNEL, D2H, PHASES };

static const struct {
    const char *name;
    unsigned colour, ink; /* ink: of the time written on it */
    char letter;          /* on a terminal: > goes to the device, < comes back */
} phases[PHASES] = {
    [CONVERT] = {WORDS_PHASE_CONVERT, 0xB8BDC2, 0x202124, '~'},
    [H2D] = {WORDS_PHASE_H2D, 0xE8B04A, 0x202124, '>'},
    [KERNEL] = {WORDS_PHASE_KERNEL, 0x17407A, 0xFFFFFF, '#'},
    [D2H] = {WORDS_PHASE_D2H, 0xC8553D, 0xFFFFFF, '<'},
};

struct bar {
    const struct duel_series *series;
    double phase[PHASES]; /* seconds; 0 where it does not exist */
    double total;
};

struct bars {
    struct bar *bar;
    size_t count;
    double longest; /* the end of the axis, seconds */
    double factor;  /* from seconds to the unit of the axis */
    const char *unit;
};

/* ---- the bars
 * --------------------------------------------------------------------------------------------------------- */

static double known(double seconds)
{
    return seconds > 0 && isfinite(seconds) ? seconds : 0;
}

static void collect(struct bars *bars, const struct duel_series_set *set, double size)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct duel_result *row = series_at(&set->series[i], size);
        if (!row)
            continue;
        struct bar *bar = &bars->bar[bars->count++];
        bar->series = &set->series[i];
        bar->phase[CONVERT] = known(row->convert_s);
        bar->phase[H2D] = known(row->h2d.median);
        bar->phase[KERNEL] = known(row->kernel.median);
        bar->phase[D2H] = known(row->d2h.median);
        for (int p = 0; p < PHASES; p++)
            bar->total += bar->phase[p];
    }
}

/* With a GPU the serial row may take a thousand times as long as everything that matters: the axis then ends a little
 * beyond the best CPU row and the longest GPU row, and longer bars are cut, with an arrow. */
static void scale(struct bars *bars, bool gpu)
{
    double longest = 0, best_cpu = INFINITY, slowest_gpu = 0;
    for (size_t i = 0; i < bars->count; i++) {
        const struct bar *bar = &bars->bar[i];
        longest = fmax(longest, bar->total);
        if (bar->series->cpu)
            best_cpu = fmin(best_cpu, bar->total);
        else
            slowest_gpu = fmax(slowest_gpu, bar->total);
    }
    double wanted = 1.2 * fmax(isfinite(best_cpu) ? best_cpu : 0, slowest_gpu);
    bars->longest = gpu && wanted < longest ? wanted : longest;
    bars->factor = bars->longest < 1e-3 ? 1e6 : bars->longest < 1 ? 1e3 : 1;
    bars->unit = bars->longest < 1e-3 ? "\302\265s" : bars->longest < 1 ? "ms" : "s";
}

static bool is_cut(const struct bars *bars, const struct bar *bar)
{
    return bar->total > bars->longest * (1 + 1e-9);
}

/* ---- writing
 * ------------------------------------------------------------------------------------------------------------ */

static void put_data(struct duel_script *script, const struct bars *bars, bool gpu)
{
    for (int p = 0; p < PHASES; p++) {
        fprintf(script->data, "# %s: row, begin and end in %s, colour\n", phases[p].name, bars->unit);
        for (size_t i = 0; i < bars->count; i++) {
            double begin = 0;
            for (int before = 0; before < p; before++)
                begin += bars->bar[i].phase[before];
            double end = begin + bars->bar[i].phase[p];
            fprintf(script->data, "%zu", i + 1);
            script_value(script, begin * bars->factor);
            script_value(script, end * bars->factor);
            /* Without copies there is one phase; its bars then have the colours of their implementations. */
            fprintf(script->data, " 0x%06X\n", gpu ? phases[p].colour : bars->bar[i].series->style.colour);
        }
        fputs("\n\n", script->data);
    }
}

#define TEXT_COLUMNS 50 /* letters from 0 to the end of the axis */

/* The bar as letters; rounded at its joints, so that its length is to scale. A bar that is cut ends in "...". */
static void put_letters(struct duel_script *script, size_t index, const struct bar *bar, double longest)
{
    char text[TEXT_COLUMNS + 8];
    size_t used = 0;
    double end = 0;
    for (int p = 0; p < PHASES; p++) {
        end += bar->phase[p];
        while ((double)used < round(fmin(end / longest, 1) * TEXT_COLUMNS))
            text[used++] = phases[p].letter;
    }
    snprintf(text + used, sizeof text - used, "%s", end > longest * (1 + 1e-9) ? "..." : "");
    script_text_element(script, "bar", index, text);
}

static void put_rows(struct duel_script *script, const struct bars *bars, const struct duel_console *console,
                     double size, bool gpu)
{
    static const char *const names[] = {"name", "text_colour", "total", "total_x", "cut", "bar"};
    int longest = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        script_array(script, names[i], bars->count);
    for (size_t i = 0; i < bars->count; i++) {
        const struct bar *bar = &bars->bar[i];
        const char *name = gpu ? bar->series->label : bar->series->name;
        char total[32];
        bool cut = is_cut(bars, bar);
        format_seconds(console, bar->total, total, sizeof total);
        script_text_element(script, "name", i + 1, name);
        script_element(script, "text_colour", i + 1, bar->series->style.text);
        script_text_element(script, "total", i + 1, total);
        script_element(script, "total_x", i + 1, fmin(bar->total, bars->longest) * bars->factor);
        script_element(script, "cut", i + 1, cut);
        put_letters(script, i + 1, bar, bars->longest);
        int width = format_width(name);
        longest = width > longest ? width : longest;
    }
    script_number(script, "name_size", size);
    script_number(script, "name_x", (longest * LETTER_WIDTH * size + 62) / PAGE_WIDTH);
    script_number(script, "name_columns", longest);
}

/* The time of a phase is written on it where it has room, unless it is the whole bar, whose end says it already. */
static void put_notes(struct duel_script *script, const struct bars *bars, const struct duel_console *console,
                      double size)
{
    static const char *const names[] = {"note", "note_x", "note_row", "note_colour"};
    size_t notes = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        script_array(script, names[i], bars->count * PHASES);
    for (size_t i = 0; i < bars->count; i++) {
        const struct bar *bar = &bars->bar[i];
        double begin = 0;
        for (int p = 0; p < PHASES && !is_cut(bars, bar); begin += bar->phase[p++]) {
            char time[32];
            format_seconds(console, bar->phase[p], time, sizeof time);
            double room = bar->phase[p] / bars->longest * AXIS_WIDTH * PAGE_WIDTH;
            if (bar->phase[p] >= bar->total || room < (double)format_width(time) * LETTER_WIDTH * (size - 4) + 12)
                continue;
            notes++;
            script_text_element(script, "note", notes, time);
            script_element(script, "note_x", notes, (begin + bar->phase[p] / 2) * bars->factor);
            script_element(script, "note_row", notes, (double)i + 1);
            script_element(script, "note_colour", notes, phases[p].ink);
        }
    }
    script_number(script, "notes", (double)notes);
}

/* Only phases that occur are in the legend. */
static void put_phases(struct duel_script *script, const struct bars *bars, bool legend)
{
    double sum[PHASES] = {0};
    for (size_t i = 0; i < bars->count; i++)
        for (int p = 0; p < PHASES; p++)
            sum[p] += bars->bar[i].phase[p];
    script_number(script, "phases", PHASES);
    script_number(script, "legend", legend);
    char letters[160] = "";
    for (int p = 0; p < PHASES; p++) {
        size_t used = strlen(letters);
        if (sum[p] > 0)
            snprintf(letters + used, sizeof letters - used, "%s%c %s", used > 0 ? "   " : "", phases[p].letter,
                     phases[p].name);
    }
    script_text(script, "bar_legend", letters);
    script_array(script, "phase", PHASES);
    script_array(script, "phase_colour", PHASES);
    for (int p = 0; p < PHASES; p++) {
        script_text_element(script, "phase", (size_t)p + 1, sum[p] > 0 ? phases[p].name : "");
        script_element(script, "phase_colour", (size_t)p + 1, phases[p].colour);
    }
}

static void put_titles(const struct duel_album *album, struct duel_script *script, const struct bars *bars, double size)
{
    char title[160], remark[400], at[64], axis[96];
    bool cut = false;
    for (size_t i = 0; i < bars->count; i++)
        cut |= is_cut(bars, &bars->bar[i]);
    album_size(album, size, at, sizeof at);
    snprintf(title, sizeof title, "%s" WORDS_PHASES, album->lead ? album->lead : "", at);
    snprintf(remark, sizeof remark, "%s%s%s%s", album->subject, WORDS_SHORTER,
             !album->set->gpu ? PLOT_DOT WORDS_KERNEL_ONLY
             : cut            ? PLOT_DOT WORDS_CUT
                              : "",
             album->other);
    if (album->moral)
        snprintf(remark, sizeof remark, "%s%s%s", album->subject, album->moral, album->other);
    /* A moral leaves no room beside it for the arrow. */
    snprintf(axis, sizeof axis, WORDS_TIME_AXIS "%s", bars->unit, album->moral && cut ? PLOT_DOT WORDS_CUT : "");
    script_titles(script, title, album->machine, remark);
    script_text(script, "x_title", axis);
}

enum duel_status plot_phases(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct duel_album *album = context;
    struct duel_console console = {.utf8 = true};
    struct bars bars = {.bar = calloc(album->set->count + 1, sizeof *bars.bar)};
    double size = series_duel_size(album->set);
    if (!bars.bar)
        return duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
    collect(&bars, album->set, size);
    *drawn = bars.count > 0;
    if (*drawn) {
        double name_size = floor(fmin(25, 900 * 0.62 / (double)bars.count / 1.75));
        scale(&bars, album->set->gpu);
        put_titles(album, script, &bars, size);
        put_phases(script, &bars, album->set->gpu);
        script_number(script, "rows", (double)bars.count);
        script_number(script, "x_high", bars.longest * bars.factor);
        put_rows(script, &bars, &console, name_size, album->set->gpu);
        put_notes(script, &bars, &console, name_size);
        put_data(script, &bars, album->set->gpu);
    }
    free(bars.bar);
    return DUEL_OK;
}
