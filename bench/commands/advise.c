/* advise.c: which card, or none at all. */
#include <math.h>
#include <string.h>

#include "bench/buyer/advice.h"
#include "bench/buyer/output.h"
#include "bench/commands/buyer.h"
#include "bench/commands/commands.h"
#include "bench/harness/interrupt.h"
#include "bench/report/report.h"

struct state {
    const struct duel_options *options;
    struct duel_choice choice;
    struct duel_evidence evidence;
    struct duel_advices advices;
    bool advised;
};

static enum duel_status tell(struct state *state, struct duel_why *why)
{
    const struct duel_options *options = state->options;
    struct duel_drawer drawer = {.interrupt = interrupt_pending};
    const bool talk = !output_takes_stdout(options);
    enum duel_status status =
        output_rows(options, &advice_sheet, state->advices.row, sizeof *state->advices.row, state->advices.count, why);
    if (status == DUEL_OK && talk)
        advices_print(stdout, &state->advices, &state->choice, options);
    if (status != DUEL_OK || options->no_plots)
        return status;
    const struct duel_plot_request request = {.dir = options->out,
                                              .machine = state->advices.work,
                                              .terminal = options->terminal && talk,
                                              .stream = stdout,
                                              .drawer = &drawer};
    status = plot_pareto(&request, &state->advices, &state->choice, why);
    if (status == DUEL_OK && talk)
        printf("\nPicture: %s/plots/pareto.png\n", options->out);
    if (status != DUEL_SKIP)
        return status;
    message_note("duel: %s: %s; %s", why->seen, why->matters, why->next); /* no gnuplot: the rest is done */
    return DUEL_OK;
}

static enum duel_status one_problem(void *context, const struct duel_workload *workload,
                                    const struct duel_problem *problem, struct duel_why *why)
{
    struct state *state = context;
    struct duel_problem typed = *problem;
    if (state->advised)
        return duel_fail(why, DUEL_EINVAL, "each would be another piece of advice", "give one size: --n 4096",
                         "more than one size of %s", workload->name);
    typed.types.in = state->options->precision_count > 0 ? state->options->precision[0] : DUEL_FP32;
    typed.alpha = state->options->alpha;
    typed.beta = state->options->beta;
    state->advised = true;
    return advise_work(&state->advices, workload, &typed, &state->choice, &state->evidence, state->options, why);
}

static enum duel_status check(const struct duel_options *options, const struct duel_subject *subject,
                              struct duel_why *why)
{
    const int works = subject->workload_count + (options->model != NULL);
    if (works != 1)
        return duel_fail(why, DUEL_EINVAL, "advice is about one piece of work",
                         "give --model 8B, or --workload gemm --n 4096", "%d pieces of work were given", works);
    if (!options->model && options->shape_count != 1)
        return duel_fail(why, DUEL_EINVAL, "time and memory depend on it", "give one size: --n 4096",
                         "%d sizes were given", options->shape_count);
    if (options->precision_count > 1)
        return duel_fail(why, DUEL_EINVAL, "advice is about one piece of work", "give one type", "%d types were given",
                         options->precision_count);
    static const char *const model[] = {"--quant", "--context", "--batch"};
    static const char *const work[] = {"--n", "--shape", "--precision", "--runs-per-day"};
    for (size_t i = 0; i < sizeof model / sizeof *model && !options->model; i++)
        if (options_given(options, model[i]))
            return duel_fail(why, DUEL_EINVAL, "it would change nothing", "leave it out, or give --model",
                             "%s without --model", model[i]);
    for (size_t i = 0; i < sizeof work / sizeof *work && options->model; i++)
        if (options_given(options, work[i]))
            return duel_fail(why, DUEL_EINVAL, "it would change nothing", "leave it out, or give --workload",
                             "%s together with --model", work[i]);
    return DUEL_OK;
}

static enum duel_status advise(struct state *state, struct duel_why *why)
{
    const struct duel_options *options = state->options;
    struct duel_subject subject;
    struct duel_model_work work = {
        .quant = options->quant, .context = (double)options->context, .batch = (double)options->batch};
    enum duel_status status = buyer_subject(options, &subject, why);
    if (status == DUEL_OK)
        status = check(options, &subject, why);
    if (status == DUEL_OK && options->model)
        status = model_find(options->model, &work.model, why);
    if (status == DUEL_OK)
        status = options->card_count > 0
                     ? choice_named(&state->choice, options, options->card, options->card_count, why)
                     : choice_open(&state->choice, options, NULL, 0, why);
    if (status == DUEL_OK)
        status = evidence_read(&state->evidence, &state->choice.cards, subject.file, subject.file_count, why);
    if (status == DUEL_OK)
        status = options->model ? advise_model(&state->advices, &work, &state->choice, &state->evidence, options, why)
                                : buyer_problems(options, &subject, one_problem, state, why);
    return status == DUEL_OK ? tell(state, why) : status;
}

/* Only a table of prices to fill in. */
static enum duel_status write_prices(struct state *state, struct duel_why *why)
{
    struct duel_options all = *state->options;
    all.prices = all.where = all.sort = NULL;
    enum duel_status status = choice_open(&state->choice, &all, NULL, 0, why);
    return status == DUEL_OK ? prices_template(all.write_prices, &state->choice.cards, why) : status;
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct duel_why why = {{0}, {0}, {0}};
    struct state state = {.options = options};
    interrupt_install();
    enum duel_status status = output_check(options, &why);
    if (status == DUEL_OK)
        status = options->write_prices ? write_prices(&state, &why) : advise(&state, &why);
    advices_free(&state.advices);
    evidence_free(&state.evidence);
    choice_close(&state.choice);
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}

static const char *const accepted[] = {"--model",
                                       "--quant",
                                       "--context",
                                       "--batch",
                                       "--workload",
                                       "--n",
                                       "--shape",
                                       "--precision",
                                       "--alpha",
                                       "--beta",
                                       "--runs-per-day",
                                       "--prices",
                                       "--write-prices",
                                       "--electricity",
                                       "--hours",
                                       "--years",
                                       "--card",
                                       "--where",
                                       "--sort",
                                       "--out=reports/advice",
                                       "--no-plots",
                                       "--terminal",
                                       "--json",
                                       "--csv",
                                       NULL};
const struct duel_command advise_command = {
    .name = "advise",
    .summary = "Which card for this work, bought or rented, and whether you need one at all",
    .usage = "advise [WORKLOAD] [RUN FILE...] [OPTIONS]",
    .example = "duel advise --model 8B --quant q4 --context 8k --prices prices.csv --electricity 0.30\n"
               "          duel advise --workload gemm --n 4096 --runs-per-day 10000 my-machine/run.jsonl",
    .detail = "What fits into memory, how fast it would be (predicted, measured, or a bound alone), what results cost, "
              "from\nhow many hours on buying costs less than renting, and what the CPU alone can do. Run files bring "
              "the CPU's\nown times (`duel run`) and bandwidth (`duel roofline`). Prices are yours alone.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
