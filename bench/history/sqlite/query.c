/* query.c: what the data base gives back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/history/sqlite/store.h"

/* The next row of a statement; *row is false at its end. */
static enum duel_status next_row(struct duel_history *history, sqlite3_stmt *statement, bool *row, struct duel_why *why)
{
    const int code = statement ? sqlite3_step(statement) : sqlite3_extended_errcode(history->db);
    *row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? DUEL_OK : store_fault(history, code, why);
}

static const char *column_text(sqlite3_stmt *statement, int column)
{
    return (const char *)sqlite3_column_text(statement, column);
}

enum duel_status history_runs(struct duel_history *history, history_run_seen *seen, void *context, struct duel_why *why)
{
    sqlite3_stmt *runs = store_query(history, STORE_RUNS);
    bool row = true;
    enum duel_status status;
    while ((status = next_row(history, runs, &row, why)) == DUEL_OK && row) {
        const struct history_run run = {.id = column_text(runs, 0),
                                        .command = column_text(runs, 1),
                                        .outcome = column_text(runs, 2),
                                        .started = sqlite3_column_int64(runs, 3),
                                        .results = sqlite3_column_int64(runs, 4),
                                        .bytes = sqlite3_column_int64(runs, 5)};
        status = run.id ? seen(context, &run, why) : DUEL_OK;
        if (status != DUEL_OK)
            break;
    }
    sqlite3_reset(runs);
    return status;
}

static void read_series(sqlite3_stmt *rows, struct history_series *series)
{
    *series = (struct history_series){.id = sqlite3_column_int64(rows, 0),
                                      .sessions = sqlite3_column_int64(rows, 1),
                                      .m = sqlite3_column_int64(rows, 2),
                                      .n = sqlite3_column_int64(rows, 3),
                                      .k = sqlite3_column_int64(rows, 4),
                                      .count = sqlite3_column_int64(rows, 5),
                                      .threads = sqlite3_column_int(rows, 6),
                                      .last = sqlite3_column_int64(rows, 7)};
    store_text(rows, 8, series->workload, sizeof series->workload);
    store_text(rows, 9, series->implementation, sizeof series->implementation);
    store_text(rows, 10, series->device, sizeof series->device);
    store_text(rows, 11, series->device_name, sizeof series->device_name);
    store_text(rows, 12, series->host, sizeof series->host);
    store_text(rows, 13, series->precision, sizeof series->precision);
    store_text(rows, 14, series->details, sizeof series->details);
}

enum duel_status history_each_series(struct duel_history *history, history_series_seen *seen, void *context,
                                     struct duel_why *why)
{
    sqlite3_stmt *rows = store_query(history, STORE_EACH_SERIES);
    bool row = true;
    enum duel_status status;
    while ((status = next_row(history, rows, &row, why)) == DUEL_OK && row) {
        struct history_series series;
        read_series(rows, &series);
        status = seen(context, &series, why);
        if (status != DUEL_OK)
            break;
    }
    sqlite3_reset(rows);
    return status;
}

/* ---- points ----------------------------------------------------------------------------------------------------- */

static double real(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL ? NAN : sqlite3_column_double(statement, column);
}

static bool add_point(struct history_points *points, size_t *capacity, sqlite3_stmt *rows)
{
    if (points->count == *capacity) {
        const size_t more = *capacity ? 2 * *capacity : 256;
        struct history_point *grown = realloc(points->point, more * sizeof *grown);
        if (!grown)
            return false;
        points->point = grown;
        *capacity = more;
    }
    points->point[points->count++] = (struct history_point){.time = sqlite3_column_int64(rows, 0),
                                                            .run = sqlite3_column_int64(rows, 1),
                                                            .environment = sqlite3_column_int64(rows, 2),
                                                            .median = real(rows, 3),
                                                            .lo = real(rows, 4),
                                                            .hi = real(rows, 5),
                                                            .hash = (uint64_t)sqlite3_column_int64(rows, 6),
                                                            .seed = (uint64_t)sqlite3_column_int64(rows, 7),
                                                            .session = sqlite3_column_int(rows, 8)};
    return true;
}

enum duel_status history_points(struct duel_history *history, int64_t series, struct history_points *points,
                                struct duel_why *why)
{
    size_t capacity = 0;
    bool row = true;
    sqlite3_stmt *rows = store_query(history, STORE_POINTS);
    enum duel_status status;
    *points = (struct history_points){0};
    sqlite3_bind_int64(rows, 1, series);
    while ((status = next_row(history, rows, &row, why)) == DUEL_OK && row)
        if (!add_point(points, &capacity, rows)) {
            status = store_no_memory(why);
            break;
        }
    sqlite3_reset(rows);
    return status;
}

void history_points_free(struct history_points *points)
{
    free(points->point);
    *points = (struct history_points){0};
}

/* ---- by their keys ---------------------------------------------------------------------------------------------- */

/* The one text that belongs to a key; the caller frees it. */
static enum duel_status text_of(struct duel_history *history, enum store_query query, int64_t key, char **text,
                                struct duel_why *why)
{
    sqlite3_stmt *find = store_query(history, query);
    bool row = false;
    *text = NULL;
    sqlite3_bind_int64(find, 1, key);
    enum duel_status status = next_row(history, find, &row, why);
    if (status == DUEL_OK)
        *text = strdup(row && column_text(find, 0) ? column_text(find, 0) : "");
    if (status == DUEL_OK && !*text)
        status = store_no_memory(why);
    sqlite3_reset(find);
    return status;
}

enum duel_status history_environment(struct duel_history *history, int64_t environment, char **facts,
                                     struct duel_why *why)
{
    return text_of(history, STORE_ENVIRONMENT, environment, facts, why);
}

enum duel_status history_run_id(struct duel_history *history, int64_t run, char *id, size_t size, struct duel_why *why)
{
    char *text = NULL;
    enum duel_status status = text_of(history, STORE_RUN_ID, run, &text, why);
    snprintf(id, size, "%s", text ? text : "");
    free(text);
    return status;
}

/* ---- the text of a run ------------------------------------------------------------------------------------------ */

static bool write_piece(void *context, const unsigned char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

enum duel_status history_text(struct duel_history *history, const char *run, FILE *to, struct duel_why *why)
{
    sqlite3_stmt *find = store_query(history, STORE_FIND_RUN);
    bool row = false;
    store_bind_text(find, 1, run);
    enum duel_status status = next_row(history, find, &row, why);
    const int64_t key = row ? sqlite3_column_int64(find, 0) : 0;
    sqlite3_reset(find);
    if (status == DUEL_OK && !row)
        status = duel_fail(why, DUEL_EINVAL, "nothing is given back for it", "`duel history runs` lists the runs",
                           "the history %s has no run %s", history->path, run);
    return status == DUEL_OK ? store_unpack(history, key, write_piece, to, why) : status;
}
