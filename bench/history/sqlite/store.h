/* store.h: the data base behind history.h. Private to bench/history/sqlite/. */
#ifndef DUEL_HISTORY_STORE_H
#define DUEL_HISTORY_STORE_H

#include <sqlite3.h>

#include "bench/history/history.h"

#define STORE_APPLICATION 0x6475656C /* "duel", where `file` looks for it */
#define STORE_VERSION 1              /* of the tables; raised when a program that knows less could do harm */
#define STORE_PATIENCE_MS 60000      /* for another process to finish its transaction */

enum store_query {
    STORE_BEGIN,
    STORE_COMMIT,
    STORE_ROLLBACK,
    STORE_FIND_RUN,
    STORE_ADD_RUN,
    STORE_END_RUN,
    STORE_DROP_POINTS,
    STORE_DROP_PARTS,
    STORE_DROP_RUN,
    STORE_ADD_PART,
    STORE_PARTS,
    STORE_ADD_ENVIRONMENT,
    STORE_FIND_ENVIRONMENT,
    STORE_ENVIRONMENT,
    STORE_ADD_SERIES,
    STORE_FIND_SERIES,
    STORE_FIND_BASE,
    STORE_ADD_POINT,
    STORE_RUNS,
    STORE_EACH_SERIES,
    STORE_POINTS,
    STORE_RUN_ID,
    STORE_QUERIES
};

struct duel_history {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *statement[STORE_QUERIES]; /* prepared at their first use */
};

/* The statement, ready for new values; NULL when it cannot be prepared: store_fault() then tells why. */
sqlite3_stmt *store_query(struct duel_history *history, enum store_query query);
/* Runs a statement that gives no rows to its end. */
enum duel_status store_run(struct duel_history *history, sqlite3_stmt *statement, struct duel_why *why);
/* What SQLite's last error means for people; `code` is what the failed call returned. */
enum duel_status store_fault(const struct duel_history *history, int code, struct duel_why *why);
enum duel_status store_no_memory(struct duel_why *why);
/* A text column into `out`; absent is empty. */
void store_text(sqlite3_stmt *statement, int column, char *out, size_t size);
void store_bind_text(sqlite3_stmt *statement, int index, const char *text); /* NULL binds NULL; copied */

/* schema.c: refuses what is not ours, makes the tables of a new data base. `path` exists or may be made. */
enum duel_status schema_check(struct duel_history *history, enum history_use use, struct duel_why *why);

/* text.c: the text of a run goes in and out through zlib, so that neither is held whole. */
struct store_pack;
enum duel_status pack_open(struct store_pack **pack, struct duel_why *why);
/* For reader_open_tapped(); what goes wrong is told by pack_flush(). `pack` is a struct store_pack. */
void pack_bytes(void *pack, const char *bytes, size_t size);
/* Stores what has piled up for `run`; the rest with `end`. Little is not worth a row and waits. */
enum duel_status pack_flush(struct store_pack *pack, struct duel_history *history, int64_t run, bool end,
                            struct duel_why *why);
int64_t pack_total(const struct store_pack *pack); /* bytes that came in */
void pack_close(struct store_pack *pack);          /* safe on NULL */

/* Gives the text piece by piece; `seen` returns false to stop, which is no failure. */
typedef bool store_piece_seen(void *context, const unsigned char *bytes, size_t size);
enum duel_status store_unpack(struct duel_history *history, int64_t run, store_piece_seen *seen, void *context,
                              struct duel_why *why);

#endif
