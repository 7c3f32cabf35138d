/* predict.c: what cards that are not here would do. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/buyer/choice.h"
#include "bench/buyer/forecast.h"
#include "bench/buyer/output.h"
#include "bench/commands/buyer.h"
#include "bench/commands/commands.h"

struct setting {
    const struct duel_options *options;
    const struct duel_choice *choice;
    const struct duel_evidence *evidence;
    struct duel_forecasts forecasts;
};

static enum duel_status add(void *context, const struct duel_workload *workload, const struct duel_problem *problem,
                            struct duel_why *why)
{
    struct setting *setting = context;
    enum duel_status status = DUEL_OK;
    const int types = setting->options->precision_count > 0 ? setting->options->precision_count : 1;
    for (int t = 0; t < types && status == DUEL_OK; t++)
        for (size_t i = 0; i < setting->choice->count && status == DUEL_OK; i++) {
            struct duel_problem typed = *problem;
            typed.types.in = setting->options->precision_count > 0 ? setting->options->precision[t] : DUEL_FP32;
            typed.alpha = setting->options->alpha;
            typed.beta = setting->options->beta;
            status =
                forecast_add(&setting->forecasts, setting->evidence, setting->choice->shown[i], workload, &typed, why);
        }
    return status;
}

static enum duel_status predict(const struct duel_options *options, struct duel_choice *choice,
                                struct duel_evidence *evidence, struct duel_why *why)
{
    struct duel_subject subject;
    struct setting setting = {options, choice, evidence, {NULL, 0, 0}};
    enum duel_status status = buyer_subject(options, &subject, why);
    if (status == DUEL_OK && options->card_count == 0)
        status = duel_fail(why, DUEL_EINVAL, "it is not known which card is meant",
                           "give --card 'RTX 4090' (several: by commas); `duel cards` lists them",
                           "duel predict was given no card");
    if (status == DUEL_OK)
        status = choice_named(choice, options, options->card, options->card_count, why);
    if (status == DUEL_OK)
        status = evidence_read(evidence, &choice->cards, subject.file, subject.file_count, why);
    if (status == DUEL_OK)
        status = buyer_problems(options, &subject, add, &setting, why);
    if (status == DUEL_OK)
        status = output_rows(options, &forecast_sheet, setting.forecasts.row, sizeof *setting.forecasts.row,
                             setting.forecasts.count, why);
    if (status == DUEL_OK && !output_takes_stdout(options))
        forecasts_print(stdout, &setting.forecasts, evidence);
    forecasts_free(&setting.forecasts);
    return status;
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_choice choice = {.count = 0};
    struct duel_evidence evidence = {.count = 0};
    enum duel_status status = output_check(options, &why);
    if (status == DUEL_OK)
        status = predict(options, &choice, &evidence, &why);
    evidence_free(&evidence);
    choice_close(&choice);
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}

static const char *const accepted[] = {"--card",  "--n",    "--shape",  "--precision", "--alpha", "--beta",
                                       "--where", "--sort", "--prices", "--json",      "--csv",   NULL};
const struct duel_command predict_command = {
    .name = "predict",
    .summary = "What a card that is not here would do: bounds from its published figures, calibrated on measurements",
    .usage = "predict [WORKLOAD...] [RUN FILE...] --card NAME... [OPTIONS]",
    .example = "duel predict gemm --n 4096 --precision fp32,fp16 --card 'RTX 4090,H100 SXM5 80GB'\n"
               "          duel predict gemm my-machine/run.jsonl --card L4",
    .detail = "A run file, or the directory of one, calibrates it: which share of the bound did the same "
              "implementation\nreach there? Without run files of GPUs, measurements that others published do "
              "(reports/published.csv).\nEverything is predicted, and marked so; error bars come from the spread of "
              "those shares.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
