#include "bench/buyer/cards_table.h"

#include <math.h>
#include <string.h>

#include "bench/buyer/output.h"
#include "bench/record/csv.h"
#include "bench/report/grid.h"

/* With more cards than this their notes would be a book. */
#define NOTED_CARDS 4

static void number_cell(struct duel_grid *grid, double value)
{
    if (isnan(value))
        grid_cell(grid, "-");
    else
        grid_cell(grid, "%.6g", value);
}

static void link_cell(struct duel_grid *grid, const struct duel_card *card)
{
    if (card->pcie_gen > 0 && card->pcie_lanes > 0)
        grid_cell(grid, "PCIe %g x%g", card->pcie_gen, card->pcie_lanes);
    else if (card->host_link_gb_s > 0)
        grid_cell(grid, "%g GB/s", card->host_link_gb_s);
    else
        grid_cell(grid, "-");
}

/* The number of the card's source among those of the cards before it. */
static int source_of(const struct duel_choice *choice, size_t card, bool *first)
{
    int number = 0;
    for (size_t i = 0; i <= card; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = strcmp(choice->shown[j]->source, choice->shown[i]->source) == 0;
        number += !seen;
        *first = !seen;
        if (strcmp(choice->shown[i]->source, choice->shown[card]->source) == 0) {
            *first = i == card;
            return number;
        }
    }
    return number;
}

static void head(struct duel_grid *grid, const struct duel_choice *choice, const struct duel_options *options)
{
    static const char *const names[] = {"card", "year", "GB", "GB/s", "FP64",  "FP32",  "TF32",
                                        "FP16", "FP8",  "W",  "link", "grade", "source"};
    grid_row(grid, SHADE_BOLD);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        grid_cell(grid, "%s", names[i]);
    grid_cell(grid, "%s", choice->prices.count ? choice->prices.currency : "");
    grid_cell(grid, "%s", choice->prices.count ? "rent/h" : "");
    grid_cell(grid, "%s", options->sort ? options->sort : "");
    grid->left = 1u << 0 | 1u << 10 | 1u << 11;
}

static void card_row(struct duel_grid *grid, const struct duel_choice *choice, size_t i)
{
    const struct duel_card *card = choice->shown[i];
    const struct duel_price *price = choice_price(choice, card);
    bool first;
    grid_row(grid, SHADE_PLAIN);
    grid_cell(grid, "%s", card->name);
    number_cell(grid, card->year);
    number_cell(grid, card->memory_gb);
    number_cell(grid, card->bandwidth_gb_s);
    number_cell(grid, card->fp64_tflops);
    number_cell(grid, card->fp32_tflops);
    number_cell(grid, card->tf32_tflops);
    number_cell(grid, card->fp16_tflops);
    number_cell(grid, card->fp8_tflops);
    number_cell(grid, card->power_w);
    link_cell(grid, card);
    grid_cell(grid, "%s", card->evidence);
    grid_cell(grid, "[%d]", source_of(choice, i, &first));
    if (choice->prices.count > 0) {
        number_cell(grid, price ? price->price : NAN);
        number_cell(grid, price ? price->rent_per_hour : NAN);
    } else {
        grid_cell(grid, "%s", "");
        grid_cell(grid, "%s", "");
    }
    if (!isnan(choice->key[i]))
        grid_cell(grid, "%.4g", choice->key[i]);
}

static void print_notes(FILE *stream, const struct duel_choice *choice, const struct duel_console *console)
{
    for (size_t i = 0; i < choice->count && choice->count <= NOTED_CARDS; i++) {
        const struct duel_card *card = choice->shown[i];
        char text[600];
        if (isfinite(card->fp16_acc16_tflops))
            snprintf(text, sizeof text, "%s: %g TFLOP/s of FP16 with sums in FP16, which is less exact. %s", card->name,
                     card->fp16_acc16_tflops, card->notes);
        else
            snprintf(text, sizeof text, "%s: %s", card->name, card->notes);
        console_wrap(stream, console, 2, SHADE_PLAIN, text);
    }
}

static void print_sources(FILE *stream, const struct duel_choice *choice, const struct duel_console *console)
{
    fputc('\n', stream);
    for (size_t i = 0; i < choice->count; i++) {
        char text[300];
        bool first;
        const int number = source_of(choice, i, &first);
        if (!first)
            continue;
        snprintf(text, sizeof text, "[%d] %s", number, choice->shown[i]->source);
        console_wrap(stream, console, 2, SHADE_DIM, text);
    }
}

void cards_table(FILE *stream, const struct duel_choice *choice, const struct duel_options *options)
{
    struct duel_console console = console_of(stream);
    struct duel_grid grid = {0};
    head(&grid, choice, options);
    for (size_t i = 0; i < choice->count; i++)
        card_row(&grid, choice, i);
    grid_print(&grid, stream, &console);
    grid_free(&grid);
    fputc('\n', stream);
    console_wrap(stream, &console, 2, SHADE_PLAIN,
                 "What vendors publish, not what was measured. Rates in TFLOP/s: dense (figures with sparsity are "
                 "twice that), boost clock; TF32, FP16 and FP8 of Tensor Cores. FP16 is with sums in FP32: GeForce "
                 "cards, the A10G and the "
                 "L40 do that at half of the rate that other cards of the same chip have. A dash is not known. Grade: "
                 "A read in the source, A* partly remembered or derived, B remembered.");
    if (choice->prices.count > 0)
        fprintf(stream, "  Prices are yours: %s, seen from %s to %s.\n", choice->prices.currency, choice->prices.oldest,
                choice->prices.newest);
    if (choice->unknown > 0)
        fprintf(stream, "  %zu %s left out because a value that --where asks for is not known.\n", choice->unknown,
                choice->unknown == 1 ? "card was" : "cards were");
    print_notes(stream, choice, &console);
    print_sources(stream, choice, &console);
}

/* ---- data ------------------------------------------------------------------------------------------------------- */

static enum duel_status write_json(const struct duel_choice *choice, FILE *file, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (size_t i = 0; i < choice->count && status == DUEL_OK; i++) {
        const struct duel_card *card = choice->shown[i];
        const struct duel_price *price = choice_price(choice, card);
        struct duel_record record;
        record_init(&record, "card");
        record_text(&record, "kind", "published", NULL);
        for (const struct duel_card_column *column = duel_card_columns; column->name; column++)
            if (column->number)
                record_real(&record, column->name, card_number(card, column), NULL);
            else
                record_text(&record, column->name, card_text(card, column), NULL);
        record_real(&record, "price", price ? price->price : NAN, NULL);
        record_real(&record, "rent_per_hour", price ? price->rent_per_hour : NAN, NULL);
        record_text(&record, "currency", price ? price->currency : NULL, NULL);
        record_text(&record, "price_date", price ? price->date : NULL, NULL);
        record_real(&record, "sort_value", choice->key[i], NULL);
        status = output_record(file, &record, why);
    }
    return status;
}

static void csv_number(FILE *file, double value)
{
    if (isfinite(value))
        csv_real(file, value);
    fputc(',', file);
}

static void write_csv(const struct duel_choice *choice, FILE *file)
{
    for (const struct duel_card_column *column = duel_card_columns; column->name; column++)
        fprintf(file, "%s,", column->name);
    fprintf(file, "price,rent_per_hour,sort_value,currency,price_date\n");
    for (size_t i = 0; i < choice->count; i++) {
        const struct duel_card *card = choice->shown[i];
        const struct duel_price *price = choice_price(choice, card);
        for (const struct duel_card_column *column = duel_card_columns; column->name; column++) {
            if (column->number) {
                csv_number(file, card_number(card, column));
                continue;
            }
            csv_text(file, card_text(card, column));
            fputc(',', file);
        }
        csv_number(file, price ? price->price : NAN);
        csv_number(file, price ? price->rent_per_hour : NAN);
        csv_number(file, choice->key[i]);
        fprintf(file, "%s,%s\n", price ? price->currency : "", price ? price->date : "");
    }
}

enum duel_status cards_data(const struct duel_choice *choice, const struct duel_options *options, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    FILE *file = options->json ? output_open(options->json, "--json", why) : NULL;
    if (options->json && !file)
        return DUEL_EINVAL;
    if (file) {
        status = write_json(choice, file, why);
        const enum duel_status closed = output_close(file, options->json, "--json", status == DUEL_OK ? why : NULL);
        status = status == DUEL_OK ? closed : status;
    }
    if (status != DUEL_OK || !options->csv)
        return status;
    file = output_open(options->csv, "--csv", why);
    if (!file)
        return DUEL_EINVAL;
    write_csv(choice, file);
    return output_close(file, options->csv, "--csv", why);
}
