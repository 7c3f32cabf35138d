/* schema.c: is this file ours, whole, and of a version that we know? Everything is read before anything is written. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/history/sqlite/store.h"

#define TEXT_OF(x) #x
#define NUMBER(x) TEXT_OF(x)
/* Data bases up to this size are checked page by page whenever they are opened; that takes some milliseconds. */
#define SMALL_BYTES ((int64_t)4 << 20)

/* A point is found by its series, in the order of time, in one go: the table is its own index. The triggers keep the
 * counts of a series right, whoever adds or removes points. part.id is run * 2^20 + the number of the part. */
static const char tables[] =
    "CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, started INTEGER NOT NULL,"
    " command TEXT, version TEXT, outcome TEXT, results INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE part(id INTEGER PRIMARY KEY, text BLOB NOT NULL);"
    "CREATE TABLE environment(id INTEGER PRIMARY KEY, facts TEXT NOT NULL UNIQUE);"
    "CREATE TABLE series(id INTEGER PRIMARY KEY, base TEXT NOT NULL, mode TEXT NOT NULL, workload TEXT NOT NULL,"
    " implementation TEXT NOT NULL, device TEXT NOT NULL, device_name TEXT, host TEXT, precision TEXT, details TEXT,"
    " m INTEGER, n INTEGER, k INTEGER, count INTEGER, threads INTEGER, sessions INTEGER NOT NULL DEFAULT 0,"
    " last INTEGER NOT NULL DEFAULT 0, UNIQUE(base, mode));"
    "CREATE TABLE point(series INTEGER NOT NULL, time INTEGER NOT NULL, run INTEGER NOT NULL, line INTEGER NOT NULL,"
    " session INTEGER NOT NULL, environment INTEGER NOT NULL, median REAL, lo REAL, hi REAL, hash INTEGER,"
    " seed INTEGER, PRIMARY KEY(series, time, run, line)) WITHOUT ROWID;"
    "CREATE TRIGGER point_added AFTER INSERT ON point BEGIN UPDATE series SET sessions = sessions + 1,"
    " last = max(last, NEW.time) WHERE id = NEW.series; END;"
    "CREATE TRIGGER point_removed AFTER DELETE ON point BEGIN UPDATE series SET sessions = sessions - 1"
    " WHERE id = OLD.series; END;"
    "PRAGMA application_id = " NUMBER(STORE_APPLICATION) ";"
                                                         "PRAGMA user_version = " NUMBER(STORE_VERSION) ";";

static int count_seen(void *number, int columns, char **value, char **name)
{
    (void)columns;
    (void)name;
    *(int64_t *)number = value[0] ? strtoll(value[0], NULL, 10) : 0;
    return 0;
}

static int words_seen(void *words, int columns, char **value, char **name)
{
    (void)columns;
    (void)name;
    if (value[0] && !*(char *)words)
        snprintf(words, 200, "%s", value[0]);
    return 0;
}

static enum duel_status ask(struct duel_history *history, const char *question, int64_t *answer, struct duel_why *why)
{
    int code = sqlite3_exec(history->db, question, count_seen, answer, NULL);
    return code == SQLITE_OK ? DUEL_OK : store_fault(history, code, why);
}

/* ---- what is there ---------------------------------------------------------------------------------------------- */

struct sight {
    int64_t application, version, tables, pages, page_bytes;
};

static enum duel_status look(struct duel_history *history, struct sight *sight, struct duel_why *why)
{
    enum duel_status status = ask(history, "SELECT count(*) FROM sqlite_schema", &sight->tables, why);
    if (status == DUEL_OK)
        status = ask(history, "PRAGMA application_id", &sight->application, why);
    if (status == DUEL_OK)
        status = ask(history, "PRAGMA user_version", &sight->version, why);
    if (status == DUEL_OK)
        status = ask(history, "PRAGMA page_count", &sight->pages, why);
    return status == DUEL_OK ? ask(history, "PRAGMA page_size", &sight->page_bytes, why) : status;
}

/* Made a moment ago by a process that has not come further, or by touch(1). */
static bool is_new(const struct sight *sight)
{
    return sight->application == 0 && sight->version == 0 && sight->tables == 0;
}

static enum duel_status check_owner(const struct duel_history *history, const struct sight *sight, struct duel_why *why)
{
    if (sight->application != STORE_APPLICATION)
        return duel_fail(why, DUEL_EINVAL, "it is a data base of another program and is left as it is",
                         "name another file with --db", "%s has the application id %lld, not %d", history->path,
                         (long long)sight->application, STORE_APPLICATION);
    if (sight->version > STORE_VERSION)
        return duel_fail(why, DUEL_EINVAL, "a newer duel made it, and this one could damage it; it is left as it is",
                         "update duel, or name another file with --db",
                         "%s has tables of version %lld, this program knows %d", history->path,
                         (long long)sight->version, STORE_VERSION);
    if (sight->version < 1 || sight->tables == 0)
        return duel_fail(why, DUEL_EINVAL, "it is damaged and left as it is",
                         "move it away and import the run files again", "%s has tables of version %lld", history->path,
                         (long long)sight->version);
    return DUEL_OK;
}

static enum duel_status damaged(const struct duel_history *history, const char *words, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "it is damaged, so nothing in it can be trusted; it is left as it is",
                     "put a copy in its place, or move it away and import the run files again", "the history %s: %s",
                     history->path, words);
}

static enum duel_status check_pages(struct duel_history *history, struct duel_why *why)
{
    char words[200] = "";
    int code = sqlite3_exec(history->db, "PRAGMA quick_check(1)", words_seen, words, NULL);
    if (code != SQLITE_OK)
        return store_fault(history, code, why);
    return strcmp(words, "ok") == 0 ? DUEL_OK : damaged(history, words, why);
}

/* ---- making it -------------------------------------------------------------------------------------------------- */

/* Another process may be doing the same: only one gets the lock, and the others find the tables there. */
static enum duel_status make_tables(struct duel_history *history, struct duel_why *why)
{
    struct sight sight = {0};
    enum duel_status status = store_run(history, store_query(history, STORE_BEGIN), why);
    if (status != DUEL_OK)
        return status;
    status = look(history, &sight, why);
    if (status == DUEL_OK && is_new(&sight)) {
        int code = sqlite3_exec(history->db, tables, NULL, NULL, NULL);
        if (code != SQLITE_OK)
            status = store_fault(history, code, why);
    }
    if (status == DUEL_OK)
        status = store_run(history, store_query(history, STORE_COMMIT), why);
    if (status != DUEL_OK)
        store_run(history, store_query(history, STORE_ROLLBACK), NULL);
    return status;
}

/* With a write-ahead log readers never wait for writers, and an import that is killed leaves nothing behind. The switch
 * needs the file alone for a moment and does not wait by itself. */
static enum duel_status use_log(struct duel_history *history, struct duel_why *why)
{
    char mode[200] = "";
    int code = SQLITE_BUSY;
    for (int tries = 0; tries < 600 && (code & 0xff) == SQLITE_BUSY; tries++) {
        if (tries > 0)
            sqlite3_sleep(100);
        code = sqlite3_exec(history->db, "PRAGMA journal_mode = WAL", words_seen, mode, NULL);
    }
    if (code == SQLITE_OK)
        code = sqlite3_exec(history->db, "PRAGMA synchronous = FULL", NULL, NULL, NULL);
    return code == SQLITE_OK ? DUEL_OK : store_fault(history, code, why);
}

enum duel_status schema_check(struct duel_history *history, enum history_use use, struct duel_why *why)
{
    struct sight sight = {0};
    enum duel_status status = look(history, &sight, why);
    if (status != DUEL_OK)
        return status;
    if (is_new(&sight) && use != HISTORY_IMPORT)
        return duel_fail(why, DUEL_EINVAL, "there is no history to read yet", "import run files: duel import FILES...",
                         "%s is empty", history->path);
    if (!is_new(&sight)) {
        status = check_owner(history, &sight, why);
        if (status == DUEL_OK && (use == HISTORY_CHECK || sight.pages * sight.page_bytes <= SMALL_BYTES))
            status = check_pages(history, why);
    }
    if (status == DUEL_OK && use == HISTORY_IMPORT)
        status = use_log(history, why);
    if (status == DUEL_OK && is_new(&sight))
        status = make_tables(history, why);
    return status;
}
