/* cards.c: the table of cards, chosen and sorted. */
#include "bench/buyer/cards_table.h"
#include "bench/buyer/output.h"
#include "bench/commands/commands.h"

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_choice choice = {.count = 0};
    enum duel_status status = output_check(options, &why);
    if (status == DUEL_OK)
        status = choice_open(&choice, options, options->pattern, options->pattern_count, &why);
    if (status == DUEL_OK && options->write_prices)
        status = prices_template(options->write_prices, &choice.cards, &why);
    else if (status == DUEL_OK)
        status = cards_data(&choice, options, &why);
    if (status == DUEL_OK && !options->write_prices && !output_takes_stdout(options))
        cards_table(stdout, &choice, options);
    choice_close(&choice);
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}

static const char *const accepted[] = {"--where", "--sort", "--prices", "--write-prices", "--json", "--csv", NULL};
const struct duel_command cards_command = {
    .name = "cards",
    .summary = "What vendors publish about their cards, with sources: choose, sort, divide by your prices",
    .usage = "cards [NAME...] [OPTIONS]",
    .example = "duel cards --where 'memory_gb>=24 and tdp_w<=200' --sort fp16/tdp_w\n"
               "          duel cards --write-prices prices.csv      (fill it in, then: --prices prices.csv --sort "
               "fp16/price)",
    .detail = "A NAME is a part of a card's name. Columns have the names that --csv - shows; fp16, tf32, fp8, fp32, "
              "fp64,\nmemory, bandwidth, power, link and nvlink are short for some of them. A comparison with a value "
              "that is not\nknown is neither true nor false: such cards are left out, and counted.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
