/* runfile.c: the sinks of a run and the records that go into them. */
#include "bench/record/runfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "bench/matrix/dtype.h"
#include "bench/record/csv.h"
#include "bench/record/directory.h"
#include "bench/record/host.h"
#include "bench/record/record.h"
#include "bench/record/sheet.h"
#include "bench/record/sink.h"

enum { RUN_JSON, RUN_CSV, USER_JSON, USER_CSV, SINKS };
static const bool is_csv[SINKS] = {[RUN_CSV] = true, [USER_CSV] = true};

struct duel_runfile {
    char *dir; /* NULL: no directory */
    int lock;
    int64_t results;
    const struct duel_sheet *sheet; /* whose rows are in the CSV; NULL: results */
    struct duel_sink sink[SINKS];
};

static void utc_now(char *text, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void run_info_stamp(struct duel_run_info *info)
{
    uint32_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        bits = (uint32_t)getpid();
    utc_now(info->started, sizeof info->started);
    snprintf(info->id, sizeof info->id, "%.30s-%08x", info->started, (unsigned)bits);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static enum duel_status same_file(const char *json, const char *csv, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "two formats in one place could not be read back", "give each its own path",
                     "--json %s and --csv %s are the same place", json, csv);
}

/* The user's own targets. They are opened before anything is moved or emptied. */
static enum duel_status open_targets(struct duel_runfile *file, const char *json, const char *csv, struct duel_why *why)
{
    const char *path[] = {json, csv}, *option[] = {"--json", "--csv"};
    if (json && csv && strcmp(json, csv) == 0)
        return same_file(json, csv, why);
    for (int i = 0; i < 2; i++) {
        if (!path[i])
            continue;
        if (file->dir && directory_owns(file->dir, path[i]))
            return duel_fail(why, DUEL_EINVAL, "this file would be written twice", "leave the option out",
                             "%s %s is a file that the run writes anyway", option[i], path[i]);
        enum duel_status status = sink_open(&file->sink[USER_JSON + i], path[i], option[i], why);
        if (status != DUEL_OK)
            return status;
    }
    if (sink_same(&file->sink[USER_JSON], &file->sink[USER_CSV]))
        return same_file(json, csv, why);
    enum duel_status status = sink_lock(&file->sink[USER_JSON], option[0], why);
    return status == DUEL_OK ? sink_lock(&file->sink[USER_CSV], option[1], why) : status;
}

static enum duel_status open_own(struct duel_runfile *file, int which, const char *name, struct duel_why *why)
{
    char *path = directory_path(file->dir, name);
    if (!path)
        return duel_fail(why, DUEL_ENOMEM, "nothing can be recorded", "free some memory", "out of memory for a path");
    enum duel_status status = sink_open(&file->sink[which], path, "", why);
    if (status == DUEL_OK)
        status = sink_lock(&file->sink[which], "", why);
    free(path);
    return status;
}

static enum duel_status open_all(struct duel_runfile *file, const char *json, const char *csv, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    if (file->dir)
        status = directory_make(file->dir, why);
    if (file->dir && status == DUEL_OK)
        status = directory_lock(file->dir, &file->lock, why);
    if (status == DUEL_OK)
        status = open_targets(file, json, csv, why);
    if (file->dir && status == DUEL_OK)
        status = directory_rotate(file->dir, why);
    if (file->dir && status == DUEL_OK)
        status = open_own(file, RUN_JSON, "run.jsonl", why);
    if (file->dir && status == DUEL_OK)
        status = open_own(file, RUN_CSV, "run.csv", why);
    for (int i = 0; i < SINKS && status == DUEL_OK; i++)
        status = sink_empty(&file->sink[i], why);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Every sink of one format gets the bytes, also after another one has failed; the first failure is reported. */
static enum duel_status put(struct duel_runfile *file, bool csv, const char *bytes, size_t size, struct duel_why *why)
{
    enum duel_status first = DUEL_OK;
    for (int i = 0; i < SINKS; i++) {
        if (is_csv[i] != csv || file->sink[i].fd < 0)
            continue;
        enum duel_status status = sink_write(&file->sink[i], bytes, size, first == DUEL_OK ? why : NULL);
        first = first == DUEL_OK ? status : first;
    }
    return first;
}

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "this record is lost", "free some memory", "out of memory for a record");
}

enum duel_status runfile_put(struct duel_runfile *file, struct duel_record *record, struct duel_why *why)
{
    size_t size = 0;
    char *line = record_line(record, &size);
    enum duel_status status = line ? put(file, false, line, size, why) : no_memory(why);
    free(line);
    record_free(record);
    return status;
}

/* The header line without a row, else the line of the row. */
static enum duel_status put_csv(struct duel_runfile *file, const void *row, struct duel_why *why)
{
    char *line = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&line, &size);
    if (!stream)
        return no_memory(why);
    if (file->sheet && row)
        sheet_csv_row(file->sheet, row, stream);
    else if (file->sheet)
        sheet_csv_header(file->sheet, stream);
    else if (row)
        csv_result(stream, row);
    else
        csv_header(stream);
    enum duel_status status = fclose(stream) == 0 ? put(file, true, line, size, why) : no_memory(why);
    free(line);
    return status;
}

enum duel_status runfile_open(struct duel_runfile **file, const char *dir, const char *json, const char *csv,
                              struct duel_why *why)
{
    return runfile_open_sheet(file, dir, json, csv, NULL, why);
}

enum duel_status runfile_open_sheet(struct duel_runfile **file, const char *dir, const char *json, const char *csv,
                                    const struct duel_sheet *sheet, struct duel_why *why)
{
    *file = calloc(1, sizeof **file);
    if (!*file)
        return no_memory(why);
    (*file)->sheet = sheet;
    (*file)->lock = -1;
    for (int i = 0; i < SINKS; i++)
        (*file)->sink[i].fd = -1;
    enum duel_status status = DUEL_OK;
    if (dir && !((*file)->dir = strdup(dir)))
        status = no_memory(why);
    if (status == DUEL_OK)
        status = open_all(*file, json, csv, why);
    if (status == DUEL_OK)
        status = put_csv(*file, NULL, why);
    if (status != DUEL_OK) {
        runfile_close(*file);
        *file = NULL;
    }
    return status;
}

/* ---- the records ------------------------------------------------------------------------------------------------- */

enum duel_status runfile_run(struct duel_runfile *file, const struct duel_run_info *run, struct duel_why *why)
{
    struct duel_record record;
    record_init(&record, "run");
    record_text(&record, "schema", DUEL_SCHEMA, NULL);
    record_text(&record, "id", run->id, NULL);
    record_text(&record, "started", run->started, NULL);
    record_text(&record, "command", run->command, NULL);
    record_text(&record, "version", run->version, NULL);
    record_seed(&record, "seed", run->seed);
    record_flag(&record, "identify", run->identify);
    return runfile_put(file, &record, why);
}

enum duel_status runfile_host(struct duel_runfile *file, bool identify, struct duel_why *why)
{
    struct duel_record record;
    record_init(&record, "host");
    host_record(&record, "", identify);
    return runfile_put(file, &record, why);
}

enum duel_status runfile_device(struct duel_runfile *file, const char *id, const char *backend, bool emulated,
                                const struct duel_device_info *info, bool identify, struct duel_why *why)
{
    struct duel_record record;
    record_init(&record, "device");
    record_text(&record, "id", id, NULL);
    record_text(&record, "backend", backend, NULL);
    record_flag(&record, "emulated", emulated);
    device_record(&record, info, identify);
    return runfile_put(file, &record, why);
}

enum duel_status runfile_ceiling(struct duel_runfile *file, const struct duel_ceiling *ceiling, struct duel_why *why)
{
    struct duel_record record;
    record_init(&record, "ceiling");
    record_text(&record, "device", ceiling->device, NULL);
    record_text(&record, "precision", ceiling->in == DUEL_NONE ? NULL : dtype_name(ceiling->in), NULL);
    record_count(&record, "threads", ceiling->threads > 0 ? ceiling->threads : -1, NULL);
    record_real(&record, "gflops", ceiling->gflops > 0 ? ceiling->gflops : NAN, "not measured");
    return runfile_put(file, &record, why);
}

enum duel_status runfile_result(struct duel_runfile *file, const struct duel_result *result, struct duel_why *why)
{
    struct duel_record record;
    record_init(&record, "result");
    record_result(&record, result);
    enum duel_status json = runfile_put(file, &record, why);
    enum duel_status csv = file->sheet ? DUEL_OK : put_csv(file, result, json == DUEL_OK ? why : NULL);
    file->results++;
    return json != DUEL_OK ? json : csv;
}

enum duel_status runfile_row(struct duel_runfile *file, const struct duel_sheet *sheet, const void *row,
                             struct duel_why *why)
{
    struct duel_record record;
    sheet_record(sheet, row, &record);
    enum duel_status json = runfile_put(file, &record, why);
    enum duel_status csv = file->sheet == sheet ? put_csv(file, row, json == DUEL_OK ? why : NULL) : DUEL_OK;
    return json != DUEL_OK ? json : csv;
}

enum duel_status runfile_end(struct duel_runfile *file, const char *outcome, int exit_code, struct duel_why *why)
{
    char finished[32];
    utc_now(finished, sizeof finished);
    struct duel_record record;
    record_init(&record, "end");
    record_text(&record, "outcome", outcome, NULL);
    record_count(&record, "exit_code", exit_code, NULL);
    record_text(&record, "finished", finished, NULL);
    record_count(&record, "results", file->results, NULL);
    enum duel_status status = runfile_put(file, &record, why);
    for (int i = 0; i < SINKS; i++) {
        enum duel_status flushed = sink_flush(&file->sink[i], status == DUEL_OK ? why : NULL);
        status = status == DUEL_OK ? flushed : status;
    }
    return status;
}

bool runfile_lost(const struct duel_runfile *file, int i, char *words, size_t size)
{
    for (int sink = 0; sink < SINKS; sink++)
        if (sink_lost(&file->sink[sink], words, size) && i-- == 0)
            return true;
    return false;
}

void runfile_close(struct duel_runfile *file)
{
    if (!file)
        return;
    for (int i = 0; i < SINKS; i++)
        sink_close(&file->sink[i]);
    if (file->lock >= 0)
        close(file->lock);
    free(file->dir);
    free(file);
}

const char *runfile_dir(const struct duel_runfile *file)
{
    return file->dir;
}
