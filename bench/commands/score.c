/* score.c: is my card performing as it should? */
#include "bench/buyer/score.h"
#include "bench/buyer/output.h"
#include "bench/commands/commands.h"

static enum duel_status score(const struct duel_options *options, struct duel_choice *choice,
                              struct duel_scores *scores, struct duel_why *why)
{
    const struct duel_card *as = NULL;
    enum duel_status status = output_check(options, why);
    if (status == DUEL_OK && options->pattern_count == 0)
        status = duel_fail(why, DUEL_EINVAL, "there is nothing to score",
                           "name run files, or directories that a run wrote: duel score reports/latest",
                           "duel score was given no run file");
    if (status == DUEL_OK && options->card_count > 1)
        status = duel_fail(why, DUEL_EINVAL, "a device is one card", "give one", "--card was given %d times",
                           options->card_count);
    if (status == DUEL_OK)
        status = choice_open(choice, options, NULL, 0, why);
    if (status == DUEL_OK && options->card_count > 0)
        status = cards_find(&choice->cards, options->card[0], &as, why);
    for (int i = 0; i < options->pattern_count && status == DUEL_OK; i++)
        status = score_file(scores, choice, options->pattern[i], as, why);
    return status;
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_choice choice = {.count = 0};
    struct duel_scores scores = {.count = 0};
    enum duel_status status = score(options, &choice, &scores, &why);
    if (status == DUEL_OK)
        status = output_rows(options, &score_sheet, scores.row, sizeof *scores.row, scores.count, &why);
    if (status == DUEL_OK && !output_takes_stdout(options))
        scores_print(stdout, &scores);
    scores_free(&scores);
    choice_close(&choice);
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}

static const char *const accepted[] = {"--prices", "--card", "--json", "--csv", NULL};
const struct duel_command score_command = {
    .name = "score",
    .summary = "Scorecard of run files: burst and sustained rates, per watt, per euro, of their own specification",
    .usage = "score RUN FILE... [OPTIONS]",
    .example = "duel score reports/latest other-machine/run.jsonl --prices prices.csv",
    .detail = "Is my card performing as it should? One line for each device and type: the best row of each file. GPUs "
              "are\nfound in the table of cards by name, multiprocessors and memory; where that does not tell one card "
              "apart, say\nwhich it is with --card.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
