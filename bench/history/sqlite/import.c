/* import.c: one run file into the data base, in one transaction: all of it or nothing. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench/history/sqlite/intake.h"
#include "bench/record/restore.h"

/* ---- the run itself --------------------------------------------------------------------------------------------- */

static enum duel_status read_head(struct intake *intake, struct duel_why *why)
{
    json_t *record = NULL;
    struct tm utc = {0};
    enum duel_status status = reader_next(intake->reader, &record, why);
    if (status != DUEL_OK)
        return status;
    const char *id = reader_text(record, "id"), *started = reader_text(record, "started");
    const char *end = started ? strptime(started, "%Y-%m-%dT%H:%M:%SZ", &utc) : NULL;
    if (!history_is_id(id))
        status = reader_refuse(intake->reader, "its `run` record has no id that names it", why);
    else if (!end || *end)
        status = reader_refuse(intake->reader, "its `run` record does not say when it started", why);
    else
        snprintf(intake->told->run, sizeof intake->told->run, "%s", id);
    intake->started = (int64_t)timegm(&utc);
    intake->head = record;
    return status;
}

static enum duel_status add_run(struct intake *intake, struct duel_why *why)
{
    sqlite3_stmt *add = store_query(intake->history, STORE_ADD_RUN);
    store_bind_text(add, 1, intake->told->run);
    sqlite3_bind_int64(add, 2, intake->started);
    store_bind_text(add, 3, reader_text(intake->head, "command"));
    store_bind_text(add, 4, reader_text(intake->head, "version"));
    enum duel_status status = store_run(intake->history, add, why);
    intake->run = sqlite3_last_insert_rowid(intake->history->db);
    return status;
}

static enum duel_status end_run(struct intake *intake, struct duel_why *why)
{
    enum duel_status status = pack_flush(intake->pack, intake->history, intake->run, true, why);
    if (status != DUEL_OK)
        return status;
    sqlite3_stmt *end = store_query(intake->history, STORE_END_RUN);
    sqlite3_bind_int64(end, 1, intake->run);
    sqlite3_bind_int64(end, 2, intake->told->results);
    sqlite3_bind_int64(end, 3, pack_total(intake->pack));
    store_bind_text(end, 4, intake->ended ? intake->outcome : NULL);
    return store_run(intake->history, end, why);
}

/* ---- a run that is there already -------------------------------------------------------------------------------- */

struct comparison {
    FILE *file;
    bool same, longer; /* so far; the stored text goes on where the file ends */
};

static bool compare_piece(void *context, const unsigned char *bytes, size_t size)
{
    struct comparison *with = context;
    unsigned char own[1 << 16];
    const size_t read = fread(own, 1, size, with->file);
    with->same = memcmp(own, bytes, read) == 0;
    with->longer = read < size;
    return with->same && !with->longer;
}

static enum duel_status remove_run(struct intake *intake, int64_t run, int64_t started, struct duel_why *why)
{
    static const enum store_query drop[] = {STORE_DROP_POINTS, STORE_DROP_PARTS, STORE_DROP_RUN};
    enum duel_status status = DUEL_OK;
    for (size_t i = 0; i < sizeof drop / sizeof *drop && status == DUEL_OK; i++) {
        sqlite3_stmt *statement = store_query(intake->history, drop[i]);
        sqlite3_bind_int64(statement, 1, run);
        if (drop[i] == STORE_DROP_POINTS)
            sqlite3_bind_int64(statement, 2, started);
        status = store_run(intake->history, statement, why);
    }
    return status;
}

/* A copy that was made while the run went on is the beginning of the whole one, which then takes its place. */
static enum duel_status compare(struct intake *intake, int64_t run, int64_t started, int64_t bytes,
                                struct duel_why *why)
{
    struct stat info;
    struct comparison with = {fopen(reader_path(intake->reader), "re"), true, false};
    if (!with.file || fstat(fileno(with.file), &info) != 0 || !S_ISREG(info.st_mode)) {
        snprintf(intake->told->remark, sizeof intake->told->remark, "it cannot be read twice, and was not compared");
        if (with.file)
            fclose(with.file);
        return DUEL_OK;
    }
    enum duel_status status = store_unpack(intake->history, run, compare_piece, &with, why);
    fclose(with.file);
    if (status != DUEL_OK || (with.same && info.st_size == bytes))
        return status;
    if (with.same && with.longer) {
        snprintf(intake->told->remark, sizeof intake->told->remark,
                 "it is a shorter copy (%lld bytes) of what is there (%lld)", (long long)info.st_size,
                 (long long)bytes);
        return DUEL_OK;
    }
    if (with.same) {
        intake->told->outcome = HISTORY_GROWN;
        return remove_run(intake, run, started, why);
    }
    return duel_fail(why, DUEL_EINVAL, "a run is measured once; one of the two was changed, and the first stays",
                     "compare it with what `duel history export RUN` gives", "%s is not what is there under its id %s",
                     reader_path(intake->reader), intake->told->run);
}

static enum duel_status find_run(struct intake *intake, struct duel_why *why)
{
    sqlite3_stmt *find = store_query(intake->history, STORE_FIND_RUN);
    store_bind_text(find, 1, intake->told->run);
    const int code = find ? sqlite3_step(find) : SQLITE_ERROR;
    if (code == SQLITE_DONE)
        return DUEL_OK;
    if (code != SQLITE_ROW)
        return store_fault(intake->history, code, why);
    const int64_t run = sqlite3_column_int64(find, 0), started = sqlite3_column_int64(find, 1);
    const int64_t bytes = sqlite3_column_int64(find, 2);
    intake->told->outcome = HISTORY_KNOWN;
    intake->told->results = sqlite3_column_int64(find, 3);
    sqlite3_reset(find);
    return compare(intake, run, started, bytes, why);
}

/* ---- its records ------------------------------------------------------------------------------------------------ */

static enum duel_status take_result(struct intake *intake, const json_t *record, struct duel_why *why)
{
    struct duel_result result;
    enum duel_status status = restore_result(&result, intake->reader, record, why);
    if (status == DUEL_OK && intake_wants(&result)) {
        status = intake_result(intake, &result, why);
        intake->told->results++;
    }
    result_free(&result);
    return status;
}

static enum duel_status take(struct intake *intake, json_t *record, struct duel_why *why)
{
    const char *id = reader_text(record, "id"), *outcome = reader_text(record, "outcome");
    if (reader_is(record, "run"))
        return reader_refuse(intake->reader, "a second `run` record: these are several files in one", why);
    if (reader_is(record, "result"))
        return take_result(intake, record, why);
    if (reader_is(record, "host") && !intake->host)
        intake->host = json_incref(record);
    if (reader_is(record, "device") && id && json_object_set(intake->devices, id, record) != 0)
        return store_no_memory(why);
    if (reader_is(record, "end")) {
        intake->ended = true;
        snprintf(intake->outcome, sizeof intake->outcome, "%s", outcome ? outcome : "unknown");
    }
    return DUEL_OK;
}

static enum duel_status take_all(struct intake *intake, struct duel_why *why)
{
    json_t *record = NULL;
    enum duel_status status = add_run(intake, why);
    intake->told->results = 0;
    while (status == DUEL_OK && (status = reader_next(intake->reader, &record, why)) == DUEL_OK && record) {
        status = take(intake, record, why);
        if (status == DUEL_OK)
            status = pack_flush(intake->pack, intake->history, intake->run, false, why);
        json_decref(record);
    }
    if (status == DUEL_OK)
        status = end_run(intake, why);
    const char *dropped = reader_dropped(intake->reader);
    if (dropped)
        snprintf(intake->told->remark, sizeof intake->told->remark, "%s", dropped);
    else if (!intake->ended)
        snprintf(intake->told->remark, sizeof intake->told->remark,
                 "the run was cut short, or still goes on: the file has no `end`; its %lld complete rows are used",
                 (long long)intake->told->results);
    return status;
}

static enum duel_status take_file(struct intake *intake, struct duel_why *why)
{
    enum duel_status status = read_head(intake, why);
    if (status == DUEL_OK)
        status = store_run(intake->history, store_query(intake->history, STORE_BEGIN), why);
    if (status != DUEL_OK)
        return status;
    status = find_run(intake, why);
    if (status == DUEL_OK && intake->told->outcome != HISTORY_KNOWN)
        status = take_all(intake, why);
    if (status == DUEL_OK)
        status = store_run(intake->history, store_query(intake->history, STORE_COMMIT), why);
    if (status != DUEL_OK) /* SQLite has rolled back by itself after some errors; then this one says so, to nobody */
        store_run(intake->history, store_query(intake->history, STORE_ROLLBACK), NULL);
    return status;
}

enum duel_status history_import(struct duel_history *history, const char *path, struct history_intake *told,
                                struct duel_why *why)
{
    struct intake intake = {.history = history, .told = told, .devices = json_object()};
    *told = (struct history_intake){.outcome = HISTORY_NEW};
    enum duel_status status = intake.devices ? pack_open(&intake.pack, why) : store_no_memory(why);
    if (status == DUEL_OK)
        status = reader_open_tapped(&intake.reader, path, NULL, pack_bytes, intake.pack, why);
    if (status == DUEL_OK)
        status = take_file(&intake, why);
    reader_close(intake.reader);
    pack_close(intake.pack);
    json_decref(intake.head);
    json_decref(intake.host);
    json_decref(intake.devices);
    return status;
}
