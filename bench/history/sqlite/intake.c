/* intake.c: a row becomes a point of its series, in its environment. */
#include "bench/history/sqlite/intake.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/history/environment.h"
#include "bench/matrix/dtype.h"
#include "bench/record/host.h"

bool intake_wants(const struct duel_result *result)
{
    if (result->emulated)
        return false;
    return result->status == ROW_FAILED ? result->cause != DUEL_EINTR
                                        : result_timed(result) && result->kernel.median > 0;
}

/* ---- which series ----------------------------------------------------------------------------------------------- */

/* One GPU keeps its series when it is counted as another one after a boot: its uuid names it. */
static void device_identity(const json_t *device, const char *name, char *out, size_t size)
{
    const char *uuid = reader_text(device, "uuid");
    char hash[32];
    if (!uuid) {
        snprintf(out, size, "%s", name);
        return;
    }
    if (strncmp(uuid, "fnv1a:", 6) != 0) { /* recorded with --identify */
        identity_hash(uuid, hash, sizeof hash);
        uuid = hash;
    }
    snprintf(out, size, "%.*s %s", (int)strcspn(name, ":"), name, uuid);
}

/* All that every row tells and that makes its time another one. */
static void base_key(const struct intake *intake, const struct duel_result *result, char *out, size_t size)
{
    const struct duel_problem *p = &result->problem;
    const char *host = reader_text(intake->host, "host_id");
    char device[96];
    device_identity(json_object_get(intake->devices, result->device), result->device, device, sizeof device);
    snprintf(out, size,
             "%s|%s|%s|%s|%s|%s %s %s|%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "|%d|%.17g %.17g|%" PRId64
             " %" PRId64 " %" PRId64,
             host ? host : "", device, result->device_name, result->workload, result->implementation,
             dtype_name(p->types.in), dtype_name(p->types.acc), dtype_name(p->types.out), p->m, p->n, p->k, p->count,
             result->threads, p->alpha, p->beta, p->ld[DUEL_A], p->ld[DUEL_B], p->ld[DUEL_C]);
}

/* How it was measured; a row without a time does not tell. */
static void mode_key(const struct duel_result *result, char *out, size_t size)
{
    snprintf(out, size, "%s|%s|%s", result->cache, result->data, result->host_memory);
}

static void add_detail(char *out, size_t size, const char *text)
{
    const size_t used = strlen(out);
    if (*text)
        snprintf(out + used, size - used, "%s%s", used ? ", " : "", text);
}

static void details(const struct duel_result *result, char *out, size_t size)
{
    char factor[64] = "";
    out[0] = '\0';
    if (result->problem.alpha != 1 || result->problem.beta != 0)
        snprintf(factor, sizeof factor, "alpha %g, beta %g", result->problem.alpha, result->problem.beta);
    add_detail(out, size, factor);
    add_detail(out, size, result->cache);
    if (strcmp(result->data, "uniform") != 0)
        add_detail(out, size, result->data);
    add_detail(out, size, result->host_memory);
}

static void host_words(const json_t *host, char *out, size_t size)
{
    const char *model = reader_text(host, "cpu_model"), *id = reader_text(host, "host_id");
    const char *hash = id ? strchr(id, ':') : NULL;
    snprintf(out, size, "%.40s%s%.8s", model ? model : "unknown machine", hash ? " " : "", hash ? hash + 1 : "");
}

static enum duel_status find_key(struct duel_history *history, sqlite3_stmt *find, int64_t *key, struct duel_why *why)
{
    const int code = find ? sqlite3_step(find) : SQLITE_ERROR;
    if (code == SQLITE_ROW)
        *key = sqlite3_column_int64(find, 0);
    enum duel_status status = code == SQLITE_ROW || code == SQLITE_DONE ? DUEL_OK : store_fault(history, code, why);
    sqlite3_reset(find);
    return status;
}

static enum duel_status add_series(struct intake *intake, const struct duel_result *result, const char *base,
                                   const char *mode, struct duel_why *why)
{
    const struct duel_problem *p = &result->problem;
    char host[64], more[160];
    host_words(intake->host, host, sizeof host);
    details(result, more, sizeof more);
    sqlite3_stmt *add = store_query(intake->history, STORE_ADD_SERIES);
    const char *text[] = {base,
                          mode,
                          result->workload,
                          result->implementation,
                          result->device,
                          result->device_name,
                          host,
                          dtype_name(p->types.in),
                          more};
    const int64_t number[] = {p->m, p->n, p->k, p->count, result->threads};
    for (int i = 0; i < (int)(sizeof text / sizeof *text); i++)
        store_bind_text(add, i + 1, text[i]);
    for (int i = 0; i < (int)(sizeof number / sizeof *number); i++)
        sqlite3_bind_int64(add, (int)(sizeof text / sizeof *text) + i + 1, number[i]);
    return store_run(intake->history, add, why);
}

/* A row that failed belongs to the series that its implementation had at last. */
static enum duel_status series_of(struct intake *intake, const struct duel_result *result, int64_t *series,
                                  struct duel_why *why)
{
    char base[700], mode[64];
    *series = 0;
    base_key(intake, result, base, sizeof base);
    mode_key(result, mode, sizeof mode);
    for (int tries = 0; tries < 2; tries++) {
        const bool failed = result->status == ROW_FAILED;
        sqlite3_stmt *find = store_query(intake->history, failed ? STORE_FIND_BASE : STORE_FIND_SERIES);
        store_bind_text(find, 1, base);
        if (!failed)
            store_bind_text(find, 2, mode);
        enum duel_status status = find_key(intake->history, find, series, why);
        if (status == DUEL_OK && *series == 0 && tries == 0)
            status = add_series(intake, result, base, mode, why);
        if (status != DUEL_OK || *series != 0)
            return status;
    }
    return duel_fail(why, DUEL_EIO, "the run is not imported", "check the data base: duel history check",
                     "the history %s does not find what it stored", intake->history->path);
}

/* ---- in which environment --------------------------------------------------------------------------------------- */

static enum duel_status environment_of(struct intake *intake, const struct duel_result *result, int64_t *environment,
                                       struct duel_why *why)
{
    char *facts = environment_facts(intake->host, json_object_get(intake->devices, result->device),
                                    reader_text(intake->head, "version"), result);
    if (!facts)
        return store_no_memory(why);
    *environment = 0;
    sqlite3_stmt *find = store_query(intake->history, STORE_FIND_ENVIRONMENT);
    store_bind_text(find, 1, facts);
    enum duel_status status = find_key(intake->history, find, environment, why);
    if (status == DUEL_OK && *environment == 0) {
        sqlite3_stmt *add = store_query(intake->history, STORE_ADD_ENVIRONMENT);
        store_bind_text(add, 1, facts);
        status = store_run(intake->history, add, why);
        *environment = sqlite3_last_insert_rowid(intake->history->db);
    }
    free(facts);
    return status;
}

/* ---- the point -------------------------------------------------------------------------------------------------- */

static void bind_real(sqlite3_stmt *statement, int index, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(statement, index, value);
}

enum duel_status intake_result(struct intake *intake, const struct duel_result *result, struct duel_why *why)
{
    int64_t series = 0, environment = 0;
    enum duel_status status = series_of(intake, result, &series, why);
    if (status == DUEL_OK)
        status = environment_of(intake, result, &environment, why);
    if (status != DUEL_OK)
        return status;
    const bool timed = result->status == ROW_OK;
    const int64_t key[] = {series,          intake->started, intake->run, reader_line(intake->reader),
                           result->session, environment};
    sqlite3_stmt *add = store_query(intake->history, STORE_ADD_POINT);
    for (int i = 0; i < (int)(sizeof key / sizeof *key); i++)
        sqlite3_bind_int64(add, i + 1, key[i]);
    bind_real(add, 7, timed ? result->kernel.median : NAN);
    bind_real(add, 8, timed ? result->kernel.ci_lo : NAN);
    bind_real(add, 9, timed ? result->kernel.ci_hi : NAN);
    sqlite3_bind_int64(add, 10, timed ? (int64_t)result->verdict.hash : 0);
    sqlite3_bind_int64(add, 11, (int64_t)result->seed);
    return store_run(intake->history, add, why);
}
