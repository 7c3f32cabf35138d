/* absent.c: the history of a build without SQLite or zlib. */
#include "bench/history/history.h"

enum duel_status history_open(struct duel_history **history, const char *path, enum history_use use,
                              struct duel_why *why)
{
    (void)path;
    (void)use;
    *history = NULL;
    return duel_fail(why, DUEL_SKIP, "runs cannot be kept in a data base; run files can be read all the same",
                     "install libsqlite3-dev and zlib1g-dev and run make",
                     "this build has no history: SQLite or zlib was not there");
}

/* Nobody has a history to give to the others. */
static enum duel_status nowhere(struct duel_why *why)
{
    struct duel_history *none;
    return history_open(&none, NULL, HISTORY_READ, why);
}

void history_close(struct duel_history *history)
{
    (void)history;
}

enum duel_status history_import(struct duel_history *history, const char *path, struct history_intake *intake,
                                struct duel_why *why)
{
    (void)history;
    (void)path;
    (void)intake;
    return nowhere(why);
}

enum duel_status history_runs(struct duel_history *history, history_run_seen *seen, void *context, struct duel_why *why)
{
    (void)history;
    (void)seen;
    (void)context;
    return nowhere(why);
}

enum duel_status history_text(struct duel_history *history, const char *run, FILE *to, struct duel_why *why)
{
    (void)history;
    (void)run;
    (void)to;
    return nowhere(why);
}

enum duel_status history_each_series(struct duel_history *history, history_series_seen *seen, void *context,
                                     struct duel_why *why)
{
    (void)history;
    (void)seen;
    (void)context;
    return nowhere(why);
}

enum duel_status history_points(struct duel_history *history, int64_t series, struct history_points *points,
                                struct duel_why *why)
{
    (void)history;
    (void)series;
    (void)points;
    return nowhere(why);
}

void history_points_free(struct history_points *points)
{
    (void)points;
}

enum duel_status history_environment(struct duel_history *history, int64_t environment, char **facts,
                                     struct duel_why *why)
{
    (void)history;
    (void)environment;
    (void)facts;
    return nowhere(why);
}

enum duel_status history_run_id(struct duel_history *history, int64_t run, char *id, size_t size, struct duel_why *why)
{
    (void)history;
    (void)run;
    (void)id;
    (void)size;
    return nowhere(why);
}
