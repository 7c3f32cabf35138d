/* verdicts_text.c: a comparison for people. What else changed comes first, every time that changed next, and the answer
 * stands in the last line, where a terminal leaves it. */
#include <math.h>
#include <string.h>

#include "bench/commands/verdicts.h"
#include "bench/report/grid.h"

#define MOST_SAME 12 /* lines about what did not change */
#define WIDE 96      /* columns of a terminal that has room for the times themselves */

static const enum duel_shade shades[JUDGE_VERDICTS] = {[JUDGE_SLOWER] = SHADE_RED,
                                                       [JUDGE_FASTER] = SHADE_GREEN,
                                                       [JUDGE_INCONCLUSIVE] = SHADE_BOLD,
                                                       [JUDGE_INCOMPARABLE] = SHADE_BOLD,
                                                       [JUDGE_SAME] = SHADE_DIM};

static void print_side(FILE *stream, const char *letter, const char *name, const struct judge_side *side)
{
    const char *started = reader_text(side->run, "started");
    char plain[400];
    format_plain(name, plain, sizeof plain);
    fprintf(stream, "%s  %s%s%s%s, %d session%s, %zu case%s\n", letter, plain, started ? " (" : "",
            started ? started : "", started ? ")" : "", side->sessions, side->sessions == 1 ? "" : "s", side->count,
            side->count == 1 ? "" : "s");
    format_plain(side->machine, plain, sizeof plain);
    fprintf(stream, "%*s  %s\n", (int)strlen(letter), "", plain);
    if (side->dropped[0])
        fprintf(stream, "%*s  %s; the complete lines before it are used\n", (int)strlen(letter), "", side->dropped);
    else if (!side->end)
        fprintf(stream, "%*s  this run did not end by itself; what it measured until then is used\n",
                (int)strlen(letter), "");
}

static void print_differences(const struct judge_comparison *comparison, FILE *stream,
                              const struct duel_console *console)
{
    struct duel_grid grid = {.left = 0xf};
    char sentence[800];
    if (comparison->differences == 0) {
        fprintf(stream, "\nNothing else that is recorded changed: driver, libraries, clocks, kernel, compiler.\n");
        return;
    }
    fprintf(stream, "\nWhat else changed, the most suspicious first\n");
    grid_row(&grid, SHADE_DIM);
    grid_cell(&grid, "what");
    grid_cell(&grid, "where");
    grid_cell(&grid, "A -> B");
    for (int i = 0; i < comparison->differences; i++) {
        const struct judge_difference *difference = &comparison->difference[i];
        char where[200], before[200], after[200];
        format_plain(difference->where, where, sizeof where);
        format_plain(difference->before, before, sizeof before);
        format_plain(difference->after, after, sizeof after);
        grid_row(&grid, difference->reaches & comparison->changed ? SHADE_BOLD : SHADE_PLAIN);
        grid_cell(&grid, "%s", difference->title);
        grid_cell(&grid, "%s", where);
        grid_cell(&grid, "%.50s -> %.50s", before, after);
    }
    grid_print(&grid, stream, console);
    grid_free(&grid);
    difference_sentence(comparison->difference, comparison->differences, comparison->changed, sentence,
                        sizeof sentence);
    if (*sentence)
        console_wrap(stream, console, 2, SHADE_PLAIN, sentence);
}

/* ---- the verdicts ----------------------------------------------------------------------------------------------- */

static void add_cell(struct duel_grid *grid, const struct judge_cell *cell, const struct duel_console *console)
{
    const struct judge_finding *finding = &cell->finding;
    const bool wide = console->columns >= WIDE;
    char text[400];
    grid_row(grid, shades[finding->verdict]);
    grid_cell(grid, "%s", finding->verdict == JUDGE_SLOWER ? "SLOWER" : judge_verdict_name(finding->verdict));
    grid_cell(grid, "%.120s", comparison_case(cell->a, cell->metric, text, sizeof text));
    for (int side = 0; wide && side < 2; side++) {
        format_seconds(console, finding->typical_s[side], text, sizeof text);
        grid_cell(grid, "%.40s", text);
    }
    grid_cell(grid, "%s", verdicts_change(finding->ratio, text, sizeof text));
    grid_cell(grid, "%s", verdicts_interval(finding, text, sizeof text));
    grid_cell(grid, "%s%.110s", cell->confirmed ? "confirmed; " : "", verdicts_brief(cell, text, sizeof text));
}

static void print_cells(const struct judge_comparison *comparison, FILE *stream, const struct duel_console *console)
{
    static const enum judge_verdict order[] = {JUDGE_SLOWER, JUDGE_FASTER, JUDGE_INCOMPARABLE, JUDGE_INCONCLUSIVE,
                                               JUDGE_SAME};
    static const char *const heads[] = {"verdict", "what was timed", "A", "B", "change", "95 % interval", ""};
    struct duel_grid grid = {.left = console->columns >= WIDE ? 0x43 : 0x13};
    size_t same = 0;
    grid_row(&grid, SHADE_DIM);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (console->columns >= WIDE || (i != 2 && i != 3))
            grid_cell(&grid, "%s", heads[i]);
    for (size_t o = 0; o < sizeof order / sizeof *order; o++)
        for (size_t i = 0; i < comparison->count; i++) {
            const struct judge_cell *cell = &comparison->cell[i];
            if (cell->finding.verdict != order[o] || (order[o] == JUDGE_SAME && ++same > MOST_SAME))
                continue;
            add_cell(&grid, cell, console);
        }
    fputc('\n', stream);
    grid_print(&grid, stream, console);
    grid_free(&grid);
    if (same > MOST_SAME)
        fprintf(stream, "  ... and %zu more that are the same\n", same - MOST_SAME);
}

static void print_notes(const struct judge_comparison *comparison, FILE *stream, const struct duel_console *console)
{
    char name[300], line[700];
    for (size_t i = 0; i < comparison->count; i++) {
        const struct judge_cell *cell = &comparison->cell[i];
        if (!cell->note[0] || cell->finding.verdict == JUDGE_INCOMPARABLE)
            continue;
        snprintf(line, sizeof line, "%s: %s", comparison_case(cell->a, cell->metric, name, sizeof name), cell->note);
        console_wrap(stream, console, 2, SHADE_PLAIN, line);
    }
    if (comparison->numerics > 0)
        fprintf(stream, "\nOther answers than before\n");
    for (size_t i = 0; i < comparison->numerics; i++) {
        const struct judge_numeric *numeric = &comparison->numeric[i];
        snprintf(line, sizeof line, "%s: %s; relative error %.2g before, %.2g now",
                 comparison_case(numeric->a, JUDGE_KERNEL, name, sizeof name), numeric->words, numeric->error[0],
                 numeric->error[1]);
        console_wrap(stream, console, 2, SHADE_BOLD, line);
    }
    if (comparison->only_a + comparison->only_b > 0)
        fprintf(stream, "\n  only in A: %zu case%s; only in B: %zu\n", comparison->only_a,
                comparison->only_a == 1 ? "" : "s", comparison->only_b);
}

void verdicts_print(const struct verdicts *verdicts, FILE *stream)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    struct duel_console console = console_of(stream);
    const int code = verdicts_code(verdicts);
    char line[900];
    print_side(stream, "A", verdicts->before, &comparison->a);
    print_side(stream, "B", verdicts->after, &comparison->b);
    print_differences(comparison, stream, &console);
    print_cells(comparison, stream, &console);
    print_notes(comparison, stream, &console);
    verdicts_line(verdicts, line, sizeof line);
    fputc('\n', stream);
    console_wrap(stream, &console, 0, code == EXIT_DONE ? SHADE_GREEN : SHADE_RED, line);
    fflush(stream);
}
