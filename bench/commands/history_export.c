/* history_export.c: run files as they were imported, byte for byte. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands/commands.h"
#include "bench/commands/past.h"
#include "bench/record/directory.h"

struct departure {
    struct duel_history *history;
    const struct duel_options *options;
    bool given[DUEL_MAX_PATTERNS]; /* was this run found? */
    int64_t files;
};

static enum duel_status unwritten(const char *path, struct duel_why *why)
{
    return duel_fail(why, DUEL_EIO, "this run is not exported; the history still has it",
                     "free some space, or name another directory with --out", "%s cannot be written: %s", path,
                     strerror(errno));
}

/* Under another name first, so that a file is whole or not there. */
static enum duel_status write_file(struct departure *departure, const char *run, struct duel_why *why)
{
    char path[4096], partial[4096 + 16];
    if (!history_is_id(run)) /* whoever made the data base chose it */
        return duel_fail(why, DUEL_EINVAL, "a file would be written outside of the directory of --out",
                         "`duel history check` looks at the data base; import its run files into a new one",
                         "the data base has a run called \"%.80s\"", run);
    snprintf(path, sizeof path, "%s/%s.jsonl", departure->options->out, run);
    snprintf(partial, sizeof partial, "%s.partial", path);
    FILE *file = fopen(partial, "we");
    if (!file)
        return unwritten(partial, why);
    enum duel_status status = history_text(departure->history, run, file, why);
    const bool lost = ferror(file) != 0;
    if ((fclose(file) != 0 || lost) && status == DUEL_OK)
        status = unwritten(partial, why);
    if (status == DUEL_OK && rename(partial, path) != 0)
        status = unwritten(path, why);
    if (status != DUEL_OK)
        unlink(partial);
    departure->files += status == DUEL_OK;
    return status;
}

static bool is_wanted(struct departure *departure, const char *run)
{
    bool wanted = departure->options->pattern_count == 1;
    for (int i = 1; i < departure->options->pattern_count; i++)
        if (strcmp(departure->options->pattern[i], run) == 0)
            wanted = departure->given[i] = true;
    return wanted;
}

static enum duel_status see_run(void *context, const struct history_run *run, struct duel_why *why)
{
    struct departure *departure = context;
    return is_wanted(departure, run->id) ? write_file(departure, run->id, why) : DUEL_OK;
}

static enum duel_status check_found(const struct departure *departure, struct duel_why *why)
{
    for (int i = 1; i < departure->options->pattern_count; i++)
        if (!departure->given[i])
            return duel_fail(why, DUEL_EINVAL, "nothing was exported for it", "`duel history runs` lists the runs",
                             "there is no run %s in the history", departure->options->pattern[i]);
    return DUEL_OK;
}

int past_export(struct duel_history *history, const struct duel_options *options)
{
    struct departure *departure = calloc(1, sizeof *departure);
    struct duel_why why = {{0}, {0}, {0}};
    if (!departure) {
        duel_fail(&why, DUEL_ENOMEM, "nothing was exported", "close other programs", "out of memory");
        return message_error(DUEL_ENOMEM, &why);
    }
    *departure = (struct departure){.history = history, .options = options};
    enum duel_status status = directory_make(options->out, &why);
    if (status == DUEL_EIO)
        status = DUEL_EINVAL;
    if (status == DUEL_OK)
        status = history_runs(history, see_run, departure, &why);
    if (status == DUEL_OK)
        status = check_found(departure, &why);
    if (!options->quiet)
        message_note("%lld run file%s written to %s", (long long)departure->files, departure->files == 1 ? "" : "s",
                     options->out);
    free(departure);
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}
