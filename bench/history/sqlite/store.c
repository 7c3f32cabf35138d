/* store.c: opening the data base, its statements, and its errors in words. */
#include "bench/history/sqlite/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/record/directory.h"

static const char *const sql[STORE_QUERIES] = {
    [STORE_BEGIN] = "BEGIN IMMEDIATE",
    [STORE_COMMIT] = "COMMIT",
    [STORE_ROLLBACK] = "ROLLBACK",
    [STORE_FIND_RUN] = "SELECT id, started, bytes, results, outcome FROM run WHERE name = ?1",
    [STORE_ADD_RUN] = "INSERT INTO run(name, started, command, version) VALUES(?1, ?2, ?3, ?4)",
    [STORE_END_RUN] = "UPDATE run SET results = ?2, bytes = ?3, outcome = ?4 WHERE id = ?1",
    [STORE_DROP_POINTS] = "DELETE FROM point WHERE series IN (SELECT id FROM series) AND time = ?2 AND run = ?1",
    [STORE_DROP_PARTS] = "DELETE FROM part WHERE id >= ?1 << 20 AND id < (?1 + 1) << 20",
    [STORE_DROP_RUN] = "DELETE FROM run WHERE id = ?1",
    [STORE_ADD_PART] = "INSERT INTO part(id, text) VALUES((?1 << 20) + ?2, ?3)",
    [STORE_PARTS] = "SELECT text FROM part WHERE id >= ?1 << 20 AND id < (?1 + 1) << 20 ORDER BY id",
    [STORE_ADD_ENVIRONMENT] = "INSERT OR IGNORE INTO environment(facts) VALUES(?1)",
    [STORE_FIND_ENVIRONMENT] = "SELECT id FROM environment WHERE facts = ?1",
    [STORE_ENVIRONMENT] = "SELECT facts FROM environment WHERE id = ?1",
    [STORE_ADD_SERIES] = "INSERT OR IGNORE INTO series(base, mode, workload, implementation, device, device_name, "
                         "host, precision, details, m, n, k, count, threads) "
                         "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    [STORE_FIND_SERIES] = "SELECT id FROM series WHERE base = ?1 AND mode = ?2",
    [STORE_FIND_BASE] = "SELECT id FROM series WHERE base = ?1 ORDER BY last DESC, id DESC LIMIT 1",
    [STORE_ADD_POINT] = "INSERT INTO point(series, time, run, line, session, environment, median, lo, hi, hash, seed) "
                        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    [STORE_RUNS] = "SELECT name, command, outcome, started, results, bytes FROM run ORDER BY started, id",
    [STORE_EACH_SERIES] = "SELECT id, sessions, m, n, k, count, threads, last, workload, implementation, device, "
                          "device_name, host, precision, details FROM series WHERE sessions > 0 "
                          "ORDER BY host, device, workload, implementation, precision, m * n * k, m, n, threads, id",
    [STORE_POINTS] = "SELECT time, run, environment, median, lo, hi, hash, seed, session FROM point WHERE series = ?1 "
                     "ORDER BY time, run, session, line",
    [STORE_RUN_ID] = "SELECT name FROM run WHERE id = ?1",
};

enum duel_status store_no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "the history cannot be used", "close other programs and try again",
                     "out of memory for the history");
}

/* What may have happened, and what to do about it. A table, since most codes need no words of their own. */
static const struct {
    int code;
    enum duel_status status;
    const char *matters, *next;
} fault_table[] = {
    {SQLITE_NOTADB, DUEL_EINVAL, "it is left as it is: nothing was read from it or written to it",
     "name another file with --db, or move this one away"},
    {SQLITE_CORRUPT, DUEL_EINVAL, "it is damaged, so nothing in it can be trusted; it is left as it is",
     "put a copy in its place, or move it away and import the run files again"},
    {SQLITE_FULL, DUEL_EIO, "the file at work is not imported; what was there before is untouched",
     "free some space on its disk, or name a file on another one with --db"},
    {SQLITE_IOERR, DUEL_EIO, "the file at work is not imported; what was there before is untouched",
     "look at its disk: is it full, or failing?"},
    {SQLITE_BUSY, DUEL_EIO, "two processes cannot write at once", "wait for the other process, or end it"},
    {SQLITE_READONLY, DUEL_EIO, "nothing can be imported",
     "make file and directory writable, or name another with --db"},
    {SQLITE_CANTOPEN, DUEL_EIO, "the history cannot be used",
     "make file and directory readable and writable, or name another with --db"},
    {SQLITE_NOMEM, DUEL_ENOMEM, "the history cannot be used", "close other programs and try again"},
};

enum duel_status store_fault(const struct duel_history *history, int code, struct duel_why *why)
{
    const char *words = history->db ? sqlite3_errmsg(history->db) : sqlite3_errstr(code);
    for (size_t i = 0; i < sizeof fault_table / sizeof *fault_table; i++)
        if (fault_table[i].code == (code & 0xff))
            return duel_fail(why, fault_table[i].status, fault_table[i].matters, fault_table[i].next,
                             "the history %s: %s", history->path, words);
    return duel_fail(why, DUEL_EIO, "the history cannot be used", "try again; if it stays, name another file with --db",
                     "the history %s: %s (SQLite %d)", history->path, words, code);
}

sqlite3_stmt *store_query(struct duel_history *history, enum store_query query)
{
    sqlite3_stmt **statement = &history->statement[query];
    if (*statement)
        sqlite3_reset(*statement);
    else
        sqlite3_prepare_v3(history->db, sql[query], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    if (*statement)
        sqlite3_clear_bindings(*statement);
    return *statement;
}

enum duel_status store_run(struct duel_history *history, sqlite3_stmt *statement, struct duel_why *why)
{
    int code = statement ? sqlite3_step(statement) : sqlite3_extended_errcode(history->db);
    enum duel_status status = code == SQLITE_DONE || code == SQLITE_ROW ? DUEL_OK : store_fault(history, code, why);
    sqlite3_reset(statement);
    return status;
}

void store_text(sqlite3_stmt *statement, int column, char *out, size_t size)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    snprintf(out, size, "%s", text ? (const char *)text : "");
}

void store_bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* The directory of the data base. */
static enum duel_status make_parent(const char *path, struct duel_why *why)
{
    char *dir = strdup(path), *slash = dir ? strrchr(dir, '/') : NULL;
    enum duel_status status = dir ? DUEL_OK : store_no_memory(why);
    if (slash && slash > dir) {
        struct duel_why inner = {{0}, {0}, {0}};
        *slash = '\0';
        if (directory_make(dir, &inner) != DUEL_OK)
            status = duel_fail(why, DUEL_EIO, "there is no place for the history",
                               "name a file that can be written with --db", "%s", inner.seen);
    }
    free(dir);
    return status;
}

static enum duel_status find(const char *path, enum history_use use, struct duel_why *why)
{
    struct stat info;
    if (stat(path, &info) == 0)
        return S_ISREG(info.st_mode) ? DUEL_OK
                                     : duel_fail(why, DUEL_EINVAL, "the history is one file", "name a file with --db",
                                                 "%s is no regular file", path);
    if (use == HISTORY_IMPORT && errno == ENOENT)
        return make_parent(path, why);
    return duel_fail(why, DUEL_EINVAL, "there is no history to read yet",
                     "import run files: duel import reports/latest; or name the data base with --db",
                     "%s cannot be opened: %s", path, strerror(errno));
}

static enum duel_status open_db(struct duel_history *history, enum history_use use, struct duel_why *why)
{
    const int flags = use == HISTORY_IMPORT ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    int code = sqlite3_open_v2(history->path, &history->db, flags | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK)
        return store_fault(history, code, why);
    sqlite3_busy_timeout(history->db, STORE_PATIENCE_MS);
    /* What is in the file is data, not orders: no views or triggers of a stranger reach beyond its tables. */
    sqlite3_db_config(history->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(history->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return schema_check(history, use, why);
}

enum duel_status history_open(struct duel_history **history, const char *path, enum history_use use,
                              struct duel_why *why)
{
    enum duel_status status = find(path, use, why);
    *history = NULL;
    if (status != DUEL_OK)
        return status;
    *history = calloc(1, sizeof **history);
    if (!*history || !((*history)->path = strdup(path)))
        status = store_no_memory(why);
    if (status == DUEL_OK)
        status = open_db(*history, use, why);
    if (status != DUEL_OK) {
        history_close(*history);
        *history = NULL;
    }
    return status;
}

void history_close(struct duel_history *history)
{
    if (!history)
        return;
    for (int i = 0; i < STORE_QUERIES; i++)
        sqlite3_finalize(history->statement[i]);
    sqlite3_close(history->db);
    free(history->path);
    free(history);
}
