/* advice_table.c: the candidates for people, what follows, and what was assumed. */
#include <math.h>
#include <string.h>

#include "bench/buyer/advice.h"
#include "bench/report/grid.h"
#include "bench/report/notes.h"

#define SHOWN 12 /* candidates that a screen holds beside what follows from them */

static void number_cell(struct duel_grid *grid, double value)
{
    grid_cell(grid, "%s", number_words(value).text);
}

static void interval_cell(struct duel_grid *grid, double lo, double hi)
{
    if (lo > 0 && hi > 0)
        grid_cell(grid, "%s .. %s", number_words(lo).text, number_words(hi).text);
    else
        grid_cell(grid, "%s", "");
}

static void head(struct duel_grid *grid, const struct duel_advices *advices, const char *currency)
{
    const bool tokens = strcmp(advices->result, "token") == 0;
    grid_row(grid, SHADE_BOLD);
    grid_cell(grid, "%s", "");
    grid_cell(grid, "candidate");
    grid_cell(grid, "GB");
    grid_cell(grid, "%ss/s", advices->result);
    grid_cell(grid, "95 %% bar");
    grid_cell(grid, "at best");
    grid_cell(grid, tokens ? "prompts" : "copies %%");
    grid_cell(grid, "W");
    grid_cell(grid, "J each");
    grid_cell(grid, "%s bought", *currency ? currency : "cost");
    grid_cell(grid, "rented");
    grid_cell(grid, "buy from h");
    grid_cell(grid, "h per day");
    grid_cell(grid, "rests on");
    grid->left = 1u << 0 | 1u << 1 | 1u << 13;
}

static void put_row(struct duel_grid *grid, struct duel_notes *notes, const struct duel_advice *row, bool tokens)
{
    grid_row(grid, row->best ? SHADE_BOLD : row->cards == 0 ? SHADE_DIM : SHADE_PLAIN);
    grid_cell(grid, "%s", row->best ? "*" : "");
    grid_cell(grid, "%s", row->name);
    number_cell(grid, row->memory_gb);
    if (row->speed > 0)
        number_cell(grid, row->speed);
    else
        grid_cell(grid, "%s", "-");
    interval_cell(grid, row->speed_lo, row->speed_hi);
    number_cell(grid, row->bound);
    if (!tokens)
        number_cell(grid, 100 * row->copies_share);
    else
        interval_cell(grid, row->prefill_lo, row->prefill_hi);
    number_cell(grid, row->power_w);
    number_cell(grid, row->energy_j);
    number_cell(grid, row->own_cost);
    number_cell(grid, row->rent_cost);
    if (isinf(row->break_even_hours))
        grid_cell(grid, "never");
    else
        number_cell(grid, row->break_even_hours);
    number_cell(grid, row->day_hours);
    grid_cell(grid, "%s [%d]", row->kind, notes_add(notes, "%s: %s", row->kind, row->basis));
}

/* The best ones, the CPU, and as many of the others as there is room for; all of those that the user named. */
static bool shown(const struct duel_advices *advices, size_t row, bool all)
{
    size_t best = 0, before = 0;
    for (size_t i = 0; i < advices->count; i++) {
        const bool kept = advices->row[i].best || !advices->row[i].card;
        best += kept;
        before += i < row && !kept;
    }
    return all || advices->row[row].best || !advices->row[row].card || best + before < SHOWN;
}

static void print_crossings(FILE *stream, const struct duel_advices *advices, bool all)
{
    for (size_t i = 0; i < advices->count; i++) {
        const struct duel_advice *row = &advices->row[i];
        if (row->cards < 2 || isnan(row->crossing_s) || !shown(advices, i, all))
            continue;
        fprintf(stream, "  %s: each token crosses %d link%s, at least %.3g us.\n", row->name, row->cards - 1,
                row->cards == 2 ? "" : "s", row->crossing_s * 1e6);
    }
}

static void print_assumptions(FILE *stream, const struct duel_console *console, const struct duel_advices *advices,
                              const struct duel_choice *choice, const struct duel_options *options)
{
    char text[700];
    const bool tokens = strcmp(advices->result, "token") == 0;
    fputs("\nAssumed:\n", stream);
    snprintf(text, sizeof text,
             "- %g hours of use a day for %g years, then a card is worth nothing; it draws its published power limit "
             "while it works, and nothing else is counted (machine, cooling, work).",
             options->hours, options->years);
    console_wrap(stream, console, 2, SHADE_PLAIN, text);
    if (choice->prices.count > 0)
        snprintf(text, sizeof text, "- Your prices in %s, seen from %s to %s; costs are those of %.0f %ss. %s",
                 choice->prices.currency, choice->prices.oldest, choice->prices.newest, advices->results,
                 advices->result,
                 options->electricity > 0 ? "Electricity as you said." : "Electricity is not counted: --electricity.");
    else
        snprintf(text, sizeof text,
                 "- No prices, so no costs: `duel advise --write-prices prices.csv` writes a table to fill in.");
    console_wrap(stream, console, 2, SHADE_PLAIN, text);
    console_wrap(stream, console, 2, SHADE_PLAIN,
                 tokens ? "- Every step reads all weights and a full context once. Memory in decimal GB; the KV cache "
                          "in FP16; overhead of 0.8 GB and 2 % of the weights. Predictions rest on one program of May "
                          "2024 (llama.cpp); another may be faster, but not than the bound. Prompts are as long as the "
                          "context."
                        : "- Each run copies its operands in and its result back, from pinned memory, one after the "
                          "other, and starting that costs 4 to 86 us. Programs that keep data on the card copy less: "
                          "`duel predict` shows kernels alone.");
    console_wrap(stream, console, 2, SHADE_PLAIN,
                 "- Cards from published figures (`duel cards` has the sources). Only rows that say `measured` were "
                 "measured. Costs use the expected speed, where none is known the best possible one.");
}

void advices_print(FILE *stream, const struct duel_advices *advices, const struct duel_choice *choice,
                   const struct duel_options *options)
{
    struct duel_console console = console_of(stream);
    struct duel_grid grid = {0};
    struct duel_notes notes = {.count = 0};
    const bool tokens = strcmp(advices->result, "token") == 0, all = options->card_count > 0;
    size_t left_out = 0;
    fprintf(stream, "%s\n", advices->work);
    head(&grid, advices, choice->prices.currency);
    for (size_t i = 0; i < advices->count; i++)
        if (shown(advices, i, all))
            put_row(&grid, &notes, &advices->row[i], tokens);
        else
            left_out++;
    grid_print(&grid, stream, &console);
    grid_free(&grid);
    if (left_out > 0)
        fprintf(stream, "  and %zu more: --where and --card choose among them, --csv - shows all\n", left_out);
    fprintf(stream, "  * nothing else is both %s and faster%s\n",
            choice->prices.count > 0 ? "cheaper" : "of less energy", tokens ? "; prompts in tokens/s" : "");
    notes_print(&notes, stream, &console);
    fputc('\n', stream);
    for (size_t i = 0; i < sizeof advices->verdict / sizeof *advices->verdict; i++)
        if (*advices->verdict[i])
            console_wrap(stream, &console, 0, SHADE_BOLD, advices->verdict[i]);
    print_crossings(stream, advices, all);
    print_assumptions(stream, &console, advices, choice, options);
}
