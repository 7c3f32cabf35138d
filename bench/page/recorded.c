#include "bench/page/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "bench/record/reader.h"
#include "bench/record/restore.h"
#include "bench/workload/shape.h"

/* More rows than any run has: what is done with them grows with the square of their number. */
enum { MOST_ROWS = 20000, MOST_OTHERS = 20000 };

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "the run cannot be shown", "close other programs",
                     "out of memory for its records");
}

static enum duel_status take_result(struct duel_recorded *recorded, const struct duel_reader *reader,
                                    const json_t *record, struct duel_why *why)
{
    if (recorded->count == MOST_ROWS)
        return reader_refuse(reader, "there are more results than any run has", why);
    if (recorded->count == recorded->capacity) {
        const size_t capacity = recorded->capacity ? 2 * recorded->capacity : 64;
        struct duel_result *grown = realloc(recorded->row, capacity * sizeof *grown);
        if (!grown)
            return no_memory(why);
        recorded->row = grown;
        recorded->capacity = capacity;
    }
    struct duel_result *row = &recorded->row[recorded->count];
    enum duel_status status = restore_result(row, reader, record, why);
    if (status != DUEL_OK) {
        result_free(row);
        return status;
    }
    recorded->count++;
    recorded->sessions = row->session > recorded->sessions ? row->session : recorded->sessions;
    return DUEL_OK;
}

static bool same_ceiling(const struct duel_ceiling *a, const struct duel_ceiling *b)
{
    return a->in == b->in && a->threads == b->threads && strcmp(a->device, b->device) == 0;
}

/* They are tried more than once: the highest is the peak. */
static void take_ceiling(struct duel_recorded *recorded, const json_t *record)
{
    size_t at = 0;
    const char *device = reader_text(record, "device");
    const int64_t threads = reader_count(record, "threads");
    const double gflops = reader_real(record, "gflops");
    struct duel_ceiling ceiling = {.in = recorded_type(record), .threads = threads > 0 ? (int)(threads & 0xffff) : 0};
    ceiling.gflops = gflops;
    snprintf(ceiling.device, sizeof ceiling.device, "%s", device ? device : "");
    while (at < recorded->ceilings && !same_ceiling(&recorded->ceiling[at], &ceiling))
        at++;
    if (at == sizeof recorded->ceiling / sizeof *recorded->ceiling || !device || !(gflops > 0))
        return;
    if (at == recorded->ceilings || gflops > recorded->ceiling[at].gflops)
        recorded->ceiling[at] = ceiling;
    recorded->ceilings += at == recorded->ceilings;
}

static enum duel_status keep(json_t **list, json_t *record, struct duel_why *why)
{
    if (json_array_size(*list) >= MOST_OTHERS)
        return DUEL_OK;
    return json_array_append(*list, record) == 0 ? DUEL_OK : no_memory(why);
}

static void keep_one(json_t **one, json_t *record)
{
    if (!*one)
        *one = json_incref(record);
}

static enum duel_status take(struct duel_recorded *recorded, const struct duel_reader *reader, json_t *record,
                             struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    if (reader_is(record, "result"))
        return take_result(recorded, reader, record, why);
    if (reader_is(record, "run"))
        keep_one(&recorded->run, record);
    else if (reader_is(record, "host"))
        keep_one(&recorded->host, record);
    else if (reader_is(record, "end"))
        keep_one(&recorded->end, record);
    else if (reader_is(record, "device"))
        status = keep(&recorded->devices, record, why);
    else if (reader_is(record, "telemetry"))
        status = keep(&recorded->telemetry, record, why);
    else if (reader_is(record, "break_even"))
        status = keep(&recorded->break_even, record, why);
    else if (reader_is(record, "ceiling"))
        take_ceiling(recorded, record);
    else if (reader_is(record, "roof"))
        status = recorded_roof(recorded, record);
    else if (reader_is(record, "placement"))
        status = recorded_placement(recorded, record);
    return status == DUEL_ENOMEM ? no_memory(why) : status;
}

/* ---- one row of a case for all its sessions ------------------------------------------------------------------------
 */

static bool same_case(const struct duel_result *a, const struct duel_result *b)
{
    return a->threads == b->threads && a->problem.types.in == b->problem.types.in &&
           shape_same(&a->problem, &b->problem) && strcmp(a->implementation, b->implementation) == 0 &&
           strcmp(a->device, b->device) == 0;
}

/* How many sessions of this case were faster; those without a time are slower than all. */
static size_t rank_of(const struct duel_recorded *recorded, size_t at, size_t *timed)
{
    const struct duel_result *row = &recorded->row[at];
    size_t faster = 0;
    *timed = 0;
    for (size_t i = 0; i < recorded->count; i++) {
        const struct duel_result *other = &recorded->row[i];
        if (!same_case(other, row))
            continue;
        *timed += result_timed(other);
        faster += result_timed(other) &&
                  (other->kernel.median < row->kernel.median || (other->kernel.median <= row->kernel.median && i < at));
    }
    return faster;
}

/* A case that failed in one session has failed. */
static bool stands_for_all(const struct duel_recorded *recorded, size_t at)
{
    const struct duel_result *row = &recorded->row[at];
    size_t timed, first = recorded->count, failed = recorded->count;
    for (size_t i = 0; i < recorded->count; i++) {
        if (!same_case(&recorded->row[i], row))
            continue;
        first = i < first ? i : first;
        failed = recorded->row[i].status == ROW_FAILED && i < failed ? i : failed;
    }
    if (failed < recorded->count)
        return at == failed;
    const size_t rank = rank_of(recorded, at, &timed);
    return timed > 0 ? result_timed(row) && rank == (timed - 1) / 2 : at == first;
}

static enum duel_status join_sessions(struct duel_recorded *recorded, struct duel_why *why)
{
    bool *kept = calloc(recorded->count + 1, sizeof *kept);
    size_t count = 0;
    if (!kept)
        return no_memory(why);
    for (size_t i = 0; i < recorded->count; i++)
        kept[i] = stands_for_all(recorded, i);
    for (size_t i = 0; i < recorded->count; i++) {
        if (kept[i])
            recorded->row[count++] = recorded->row[i];
        else
            result_free(&recorded->row[i]);
    }
    recorded->count = count;
    free(kept);
    return DUEL_OK;
}

/* ---- names ---------------------------------------------------------------------------------------------------------
 */

static void name_machine(struct duel_recorded *recorded)
{
    const char *model = reader_text(recorded->host, "cpu_model"), *started = reader_text(recorded->run, "started");
    recorded->usable = reader_count(recorded->host, "cpus_usable");
    const long long usable = (long long)recorded->usable;
    snprintf(recorded->machine, sizeof recorded->machine, "%.200s", model ? model : "an unknown processor");
    const size_t used = strlen(recorded->machine);
    if (usable > 0)
        snprintf(recorded->machine + used, sizeof recorded->machine - used, ", %lld CPU%s", usable,
                 usable == 1 ? "" : "s");
    snprintf(recorded->day, sizeof recorded->day, "%.10s", started ? started : "");
    snprintf(recorded->title, sizeof recorded->title, "%s", recorded->machine);
    for (size_t i = 0; i < recorded->count; i++) {
        const struct duel_result *row = &recorded->row[i];
        const size_t length = strlen(recorded->title);
        if (result_timed(row) && !result_on_cpu(row) && *row->device_name && !strstr(recorded->title, row->device_name))
            snprintf(recorded->title + length, sizeof recorded->title - length, " + %.60s", row->device_name);
    }
}

enum duel_status recorded_read(struct duel_recorded *recorded, const char *path, struct duel_why *why)
{
    struct duel_reader *reader = NULL;
    *recorded = (struct duel_recorded){.devices = json_array(), .telemetry = json_array(), .break_even = json_array()};
    snprintf(recorded->path, sizeof recorded->path, "%s", path);
    enum duel_status status = reader_open(&reader, path, NULL, why);
    for (json_t *record = NULL; status == DUEL_OK; json_decref(record)) {
        status = reader_next(reader, &record, why);
        if (status != DUEL_OK || !record)
            break;
        status = take(recorded, reader, record, why);
    }
    if (status == DUEL_OK && reader_dropped(reader))
        snprintf(recorded->dropped, sizeof recorded->dropped, "%s", reader_dropped(reader));
    if (status == DUEL_OK && recorded->sessions > 0)
        status = join_sessions(recorded, why);
    if (status == DUEL_OK)
        name_machine(recorded);
    reader_close(reader);
    return status;
}

void recorded_free(struct duel_recorded *recorded)
{
    json_t *const records[] = {recorded->run,     recorded->host,      recorded->end,
                               recorded->devices, recorded->telemetry, recorded->break_even};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        json_decref(records[i]);
    for (size_t i = 0; i < recorded->count; i++)
        result_free(&recorded->row[i]);
    free(recorded->row);
    free(recorded->roof);
    free(recorded->placement);
    *recorded = (struct duel_recorded){.count = 0};
}
