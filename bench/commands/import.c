/* import.c: run files into the history. */
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/past.h"
#include "bench/harness/interrupt.h"

struct tally {
    struct duel_history *history;
    const struct duel_options *options;
    int64_t files, outcome[3], results, refused;
    enum duel_status worst;
};

/* One file that cannot be used does not keep the others out. A full disk will not have room for the next one. */
static bool take(void *context, const char *path)
{
    struct tally *tally = context;
    struct history_intake intake;
    struct duel_why why = {{0}, {0}, {0}};
    if (interrupt_pending())
        return false;
    enum duel_status status = history_import(tally->history, path, &intake, &why);
    tally->files++;
    if (status != DUEL_OK) {
        message_error(status, &why);
        tally->refused++;
        tally->worst = tally->worst == DUEL_OK ? status : tally->worst;
        return status == DUEL_EINVAL;
    }
    tally->outcome[intake.outcome]++;
    if (intake.outcome != HISTORY_KNOWN)
        tally->results += intake.results;
    if (*intake.remark)
        message_note("%s: %s", path, intake.remark);
    return true;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static int finish(const struct tally *tally, const char *db)
{
    if (!tally->options->quiet) {
        printf("%lld run%s with %lld result%s imported", (long long)(tally->outcome[HISTORY_NEW]),
               plural(tally->outcome[HISTORY_NEW]), (long long)tally->results, plural(tally->results));
        if (tally->outcome[HISTORY_GROWN] > 0)
            printf(", %lld replaced by a longer copy", (long long)tally->outcome[HISTORY_GROWN]);
        if (tally->outcome[HISTORY_KNOWN] > 0)
            printf(", %lld there already", (long long)tally->outcome[HISTORY_KNOWN]);
        if (tally->refused > 0)
            printf(", %lld refused", (long long)tally->refused);
        printf("\nHistory: %s\n", db);
    }
    if (interrupt_pending()) {
        message_note("duel: interrupted; the files imported until then are kept");
        return EXIT_SIGNAL + interrupt_pending();
    }
    return message_exit_code(tally->worst);
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct tally tally = {.options = options};
    struct duel_why why = {{0}, {0}, {0}};
    char db[4096];
    (void)command_line;
    enum duel_status status = DUEL_OK;
    if (options->pattern_count == 0)
        status = duel_fail(&why, DUEL_EINVAL, "nothing was imported",
                           "give run files, or directories: duel import reports/latest", "no file was named");
    if (status == DUEL_OK)
        status = past_path(options, db, sizeof db, &why);
    if (status == DUEL_OK)
        status = history_open(&tally.history, db, HISTORY_IMPORT, &why);
    if (status != DUEL_OK)
        return message_refusal(status, &why);
    interrupt_install();
    bool on = true;
    for (int i = 0; i < options->pattern_count && on; i++)
        on = past_walk(options->pattern[i], take, &tally);
    history_close(tally.history);
    return finish(&tally, db);
}

static const char *const accepted[] = {"--db", "--quiet", NULL};
const struct duel_command import_command = {
    .name = "import",
    .summary = "Keep run files in the history, a data base that `duel history` reads",
    .usage = "import FILES... [OPTIONS]",
    .example = "duel import reports/latest\n"
               "          duel import --db lab.db runs/",
    .detail =
        "FILES are run files, directories that a run wrote, or directories above such; a run directory's earlier\n"
        "runs and sessions are left alone. Importing a run again changes nothing. Of a run that was cut short the\n"
        "complete rows are used; the whole file, imported later, takes its place. Several processes may import\n"
        "at once. No other command imports anything by itself.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
