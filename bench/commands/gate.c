/* gate.c: measure again, compare with a baseline, and say pass or fail. */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/gate.h"
#include "bench/harness/interrupt.h"

static enum duel_status take_words(struct gate *gate, const struct baseline *baseline, struct duel_why *why)
{
    const json_t *words = json_object_get(baseline->record, "words"), *word;
    size_t i;
    if (!json_is_array(words))
        return duel_fail(why, DUEL_EINVAL, "it is not known how to measure the same again",
                         "measure as then, and use `duel compare`",
                         "the baseline %s does not tell which `duel run` "
                         "measured it",
                         baseline->name);
    json_array_foreach(words, i, word) words_add(&gate->words, json_is_string(word) ? json_string_value(word) : "");
    gate->sessions = gate->options->sessions;
    return DUEL_OK;
}

/* Minutes would be spent on numbers that cannot be compared. */
static int check_machine(const struct baseline *baseline)
{
    char here[200], machine[24];
    struct duel_why why;
    const char *there = reader_text(baseline->record, "machine");
    baselines_here(here, sizeof here);
    if (strcmp(baseline_machine(here, machine, sizeof machine), baseline->machine) == 0)
        return EXIT_DONE;
    duel_fail(&why, DUEL_SKIP, "times of two machines say nothing about an update",
              "save one here, before the update: duel baseline save NAME",
              "the baseline %s is of another machine: %.100s; this one: %.100s", baseline->name,
              there ? there : "unknown", here);
    message_error(DUEL_SKIP, &why);
    return EXIT_INCOMPARABLE;
}

static int conclude(struct gate *gate, const struct baseline *baseline)
{
    const struct duel_options *options = gate->options;
    struct duel_why why = {{0}, {0}, {0}};
    const char *const names[2] = {baseline->name, options->out}, *const paths[2] = {baseline->run, options->out};
    const struct verdicts verdicts = {
        .options = options, .comparison = gate->comparison, .before = names[0], .after = names[1], .whole = true};
    enum duel_status status = compare_sides(gate->comparison, options, names, paths, &why);
    if (status == DUEL_OK)
        status = gate_look_again(gate, &why);
    if (interrupt_pending())
        return EXIT_SIGNAL + interrupt_pending();
    if (status == DUEL_OK && !options->quiet) {
        verdicts_print(&verdicts, verdicts_talk(options));
        fprintf(verdicts_talk(options), "Measured in %s; compared with the baseline %s.\n", options->out,
                baseline->name);
    }
    if (status == DUEL_OK)
        status = verdicts_write(&verdicts, &why);
    return status == DUEL_OK ? verdicts_code(&verdicts) : message_error(status, &why);
}

/* Rows that failed are a matter of the verdict; without a run there is none. */
static int measure(struct gate *gate, const struct baseline *baseline)
{
    struct duel_why why = {{0}, {0}, {0}};
    int code = EXIT_DONE;
    enum duel_status status =
        baselines_measure(&gate->words, gate->sessions, gate->options->out, gate->options->quiet, &code, &why);
    if (status != DUEL_OK)
        return message_refusal(status, &why);
    const bool measured = code == EXIT_DONE || code == EXIT_WRONG || code == EXIT_UNMEASURED || code == EXIT_DEVICE;
    return measured ? conclude(gate, baseline) : code;
}

static enum duel_status check(const struct duel_options *options, struct duel_why *why)
{
    if (!options->baseline)
        return duel_fail(why, DUEL_EINVAL, "there is nothing to compare with",
                         "name one: duel gate --baseline before-update; `duel baseline list` shows them",
                         "no --baseline");
    return verdicts_targets(options, why);
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct baseline baseline = {.record = NULL};
    struct duel_why why = {{0}, {0}, {0}};
    struct gate gate = {.options = options, .comparison = calloc(1, sizeof *gate.comparison)};
    (void)command_line;
    if (!gate.comparison)
        return message_error(DUEL_ENOMEM, &why);
    enum duel_status status = check(options, &why);
    if (status == DUEL_OK)
        status = baselines_find(options, options->baseline, &baseline, &why);
    if (status == DUEL_OK)
        status = take_words(&gate, &baseline, &why);
    int code = status == DUEL_OK ? check_machine(&baseline) : message_refusal(status, &why);
    if (code == EXIT_DONE)
        code = measure(&gate, &baseline);
    words_free(&gate.words);
    comparison_free(gate.comparison);
    free(gate.comparison);
    baseline_free(&baseline);
    return code;
}

static const char *const accepted[] = {
    "--baseline",         "--sessions=5", "--threshold", "--floor", "--on-inconclusive",
    "--on-numeric",       "--junit",      "--markdown",  "--json",  "--prometheus",
    "--out=reports/gate", "--dir",        "--quiet",     NULL};
const struct duel_command gate_command = {
    .name = "gate",
    .summary = "Measure again, compare with a baseline, confirm what is suspect: pass or fail",
    .usage = "gate --baseline NAME [OPTIONS]",
    .example = "duel gate --baseline before-update --junit gate.xml",
    .detail =
        "Measures what the baseline measured, in as many fresh processes, and compares. What is slower is measured a\n"
        "second time, alone: only what is slower both times fails. Exit status 0: nothing slower; 1: slower, "
        "confirmed;\n"
        "3: a wrong result; 4: inconclusive, with --on-inconclusive fail; 5: not comparable, or cases of the baseline\n"
        "could not be measured; 6: something failed.",
    .options = accepted,
    .computes = true,
    .run = run,
};
