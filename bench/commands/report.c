/* report.c: duel report and duel replay: what was recorded, shown again without the hardware. */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/open.h"
#include "bench/harness/interrupt.h"
#include "bench/page/page.h"
#include "bench/page/recorded.h"
#include "bench/record/directory.h"
#include "bench/report/words_page.h"

static enum duel_status check_files(const struct duel_options *options, const char *command, int most,
                                    struct duel_why *why)
{
    if (options->pattern_count == 0)
        return duel_fail(why, DUEL_EINVAL, "there is nothing to show",
                         "name run files, or directories that a run wrote: reports/latest",
                         "duel %s was given no run file", command);
    if (options->pattern_count > most)
        return duel_fail(why, DUEL_EINVAL, most == 1 ? "it shows one run again" : "no screen holds so many columns",
                         most == 1 ? "use duel report for several" : "leave some out", "duel %s was given %d files",
                         command, options->pattern_count);
    return DUEL_OK;
}

static int write_page(const struct duel_options *options)
{
    struct duel_registry *registry = calloc(1, sizeof *registry);
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_drawer drawer = {.interrupt = interrupt_pending};
    if (!registry) {
        duel_fail(&why, DUEL_ENOMEM, "no report is written", "close other programs", "out of memory for it");
        return message_error(DUEL_ENOMEM, &why);
    }
    registry_load(registry);
    const struct duel_page_request request = {.file = options->pattern,
                                              .files = (size_t)options->pattern_count,
                                              .dir = options->out,
                                              .pictures = options->out,
                                              .registry = registry,
                                              .no_plots = options->no_plots,
                                              .drawer = &drawer};
    enum duel_status status = page_write(&request, &why);
    registry_close(registry);
    free(registry);
    if (status != DUEL_OK && status != DUEL_SKIP)
        return message_refusal(status, &why);
    if (status == DUEL_SKIP)
        message_note("duel: %s; %s", why.seen, why.next);
    return open_page(stdout, options->out, options->open);
}

static int run_report(const struct duel_options *options, const char *command_line)
{
    struct duel_why why = {{0}, {0}, {0}};
    (void)command_line;
    const enum duel_status status = check_files(options, "report", DUEL_MOST_RUNS, &why);
    return status == DUEL_OK ? write_page(options) : message_error(status, &why);
}

static int run_replay(const struct duel_options *options, const char *command_line)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_recorded recorded = {.count = 0};
    (void)command_line;
    enum duel_status status = check_files(options, "replay", 1, &why);
    if (status == DUEL_OK)
        status = recorded_read(&recorded, options->pattern[0], &why);
    if (status == DUEL_OK && !options->quiet) {
        printf("%s: " WORDS_PAGE_RECORDED "\n\n", recorded.path, recorded.title, recorded.day);
        table_results(stdout, recorded.row, recorded.count);
        table_summary(stdout, recorded.row, recorded.count);
        fflush(stdout);
    }
    recorded_free(&recorded);
    return status == DUEL_OK ? write_page(options) : message_error(status, &why);
}

static const char *const accepted[] = {"--out=reports/page", "--no-plots", "--open", "--quiet", NULL};
const struct duel_command report_command = {
    .name = "report",
    .summary = "A page for a browser, Markdown, CSV and pictures from one or several run files",
    .usage = "report RUN FILE... [OPTIONS]",
    .example = "duel report reports/latest\n"
               "          duel report mine/run.jsonl theirs/run.jsonl --out side-by-side",
    .detail =
        "Writes report.html, which needs no network and no other file, report.md, report.csv and plots/. Of several\n"
        "runs the same cases stand side by side, and what cannot be compared is listed with the reason. Every\n"
        "picture says where and when it was recorded.",
    .options = accepted,
    .patterns = true,
    .run = run_report,
};
const struct duel_command replay_command = {
    .name = "replay",
    .summary = "Tables, pictures and report of a recorded run, without its hardware",
    .usage = "replay RUN FILE [OPTIONS]",
    .example = "duel replay reports/recorded/amd-epyc-2-cpus",
    .detail = "Shows a run as if it had just ended. Every picture says on which machine and when it was recorded.",
    .options = accepted,
    .patterns = true,
    .run = run_replay,
};
