/* side.c: run files into cases. Files may come from anywhere: record/reader.h and record/restore.h check every line. */
#include "bench/judge/side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge/identity.h"
#include "bench/record/restore.h"
#include "bench/workload/shape.h"

const char *side_metric_name(enum judge_metric metric)
{
    static const char *const name[JUDGE_METRICS] = {
        [JUDGE_KERNEL] = "kernel", [JUDGE_H2D] = "copy to the device", [JUDGE_D2H] = "copy back"};
    return name[metric];
}

/* ---- finding a case --------------------------------------------------------------------------------------------- */

static bool same_work(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->implementation, b->implementation) == 0 && strcmp(a->workload, b->workload) == 0 &&
           shape_same(&a->problem, &b->problem) && a->problem.types.in == b->problem.types.in &&
           a->threads == b->threads && a->problem.alpha == b->problem.alpha && a->problem.beta == b->problem.beta;
}

const struct judge_case *side_find(const struct judge_side *side, const struct judge_case *item, size_t *hint,
                                   const struct judge_case **elsewhere)
{
    *elsewhere = NULL;
    for (size_t i = 0; i < side->count; i++) {
        const size_t at = (*hint + i) % side->count;
        const struct judge_case *other = &side->item[at];
        if (!same_work(&item->key, &other->key))
            continue;
        if (strcmp(item->device, other->device) == 0) {
            *hint = at + 1;
            return other;
        }
        *elsewhere = other;
    }
    return NULL;
}

/* ---- one row ---------------------------------------------------------------------------------------------------- */

static struct judge_case *append_case(struct judge_side *side, const struct duel_result *key, const char *device)
{
    if (side->count == side->capacity) {
        const size_t capacity = side->capacity ? 2 * side->capacity : 64;
        struct judge_case *grown = realloc(side->item, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        side->item = grown;
        side->capacity = capacity;
    }
    struct judge_case *item = &side->item[side->count++];
    *item = (struct judge_case){.key = *key};
    item->key.kernel_s = item->key.kernel_host_s = item->key.h2d_s = (struct duel_samples){NULL, 0, 0};
    item->key.d2h_s = item->key.end_to_end_s = item->key.overlapped_s = item->key.disturbed = item->key.h2d_s;
    snprintf(item->device, sizeof item->device, "%s", device);
    return item;
}

static struct judge_row *append_row(struct judge_case *item)
{
    if (item->rows == item->capacity) {
        const size_t capacity = item->capacity ? 2 * item->capacity : 8;
        struct judge_row *grown = realloc(item->row, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        item->row = grown;
        item->capacity = capacity;
    }
    return &item->row[item->rows++];
}

static double above_zero(double value)
{
    return value > 0 && isfinite(value) ? value : NAN;
}

static void fill_row(struct judge_row *row, const struct duel_result *result, double clock_mhz)
{
    const bool timed = result_timed(result) && result->kernel.median > 0;
    *row = (struct judge_row){.session = result->session > 0 ? result->session : 1,
                              .status = result->status,
                              .cause = result->cause,
                              .clean = result->clean,
                              .time_s = {timed ? above_zero(result->kernel.median) : NAN,
                                         timed ? above_zero(result->h2d.median) : NAN,
                                         timed ? above_zero(result->d2h.median) : NAN},
                              .clock_mhz = clock_mhz,
                              .error = result->verdict.relative_frobenius,
                              .bound_ratio = result->verdict.bound_ratio,
                              .hash = result->verdict.hash};
}

/* The devices of a run are told once, by its first session; a row of another card is another card's. */
static const char *identity_of(const struct judge_side *side, const struct duel_result *result, char *text, size_t size)
{
    const struct judge_device *device = side_device(side, result->device);
    const char *name = device ? reader_text(device->record, "name") : NULL;
    if (result_on_cpu(result))
        snprintf(text, size, "%s", side->machine);
    else if (name && (!result->device_name[0] || strcmp(name, result->device_name) == 0))
        identity_device(device->record, side->machine, text, size);
    else
        snprintf(text, size, "%s", result->device_name[0] ? result->device_name : result->device);
    return text;
}

static struct judge_case *case_of(struct judge_side *side, const struct duel_result *result)
{
    char identity[200];
    const struct judge_case *elsewhere, *found = NULL;
    struct judge_case *wanted = malloc(sizeof *wanted);
    if (!wanted)
        return NULL;
    *wanted = (struct judge_case){.key = *result};
    snprintf(wanted->device, sizeof wanted->device, "%s", identity_of(side, result, identity, sizeof identity));
    found = side_find(side, wanted, &side->hint, &elsewhere);
    free(wanted);
    return found ? &side->item[found - side->item] : append_case(side, result, identity);
}

static void note_row(struct judge_side *side, struct judge_case *item, const struct judge_row *row,
                     const struct duel_result *result)
{
    const bool timed = !isnan(row->time_s[JUDGE_KERNEL]);
    if (!timed && !item->reason[0])
        snprintf(item->reason, sizeof item->reason, "%s%s%.160s", row_status_name(result->status),
                 result->reason[0] ? ": " : "", result->reason);
    side->sessions = (int)item->rows > side->sessions ? (int)item->rows : side->sessions;
    side->rows_unclean += timed && !row->clean;
    side->foreign_share = fmax(side->foreign_share, result->foreign_cpu_share);
}

/* A case that was asked for twice is measured twice in one process: that is one session, and its first row counts. */
static bool add_result(struct judge_side *side, const struct duel_result *result, double clock_mhz)
{
    struct judge_case *item = case_of(side, result);
    struct judge_row own;
    fill_row(&own, result, clock_mhz);
    if (item && item->rows > 0 && item->row[item->rows - 1].session == own.session)
        return true;
    struct judge_row *row = item ? append_row(item) : NULL;
    if (!row)
        return false;
    *row = own;
    note_row(side, item, row, result);
    return true;
}

size_t side_times(const struct judge_case *item, enum judge_metric metric, double *times, double *clocks, bool *clocked)
{
    size_t timed = 0, clean = 0, count = 0;
    for (size_t i = 0; i < item->rows; i++) {
        const bool has = !isnan(item->row[i].time_s[metric]);
        timed += has;
        clean += has && item->row[i].clean;
    }
    *clocked = true;
    for (size_t i = 0; i < item->rows; i++) {
        const struct judge_row *row = &item->row[i];
        if (isnan(row->time_s[metric]) || (2 * clean > timed && !row->clean))
            continue;
        times[count] = row->time_s[metric];
        clocks[count++] = row->clock_mhz;
        *clocked = *clocked && row->clock_mhz > 0;
    }
    return count;
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static enum duel_status no_memory(const char *path, struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "nothing is compared", "close other programs and try again",
                     "out of memory for the cases of %s", path);
}

/* `clock_mhz` of each device is that of the size whose rows come next. */
static enum duel_status take_record(struct judge_side *side, const struct duel_reader *reader, json_t *record,
                                    double *clock_mhz, struct duel_why *why)
{
    bool done = true;
    enum duel_status status = DUEL_OK;
    if (reader_is(record, "run") && !side->run) {
        side->run = json_incref(record);
    } else if (reader_is(record, "host") && !side->host) {
        side->host = json_incref(record);
        identity_machine(record, NULL, side->machine, sizeof side->machine);
    } else if (reader_is(record, "device")) {
        side_take_device(side, record);
    } else if (reader_is(record, "end")) {
        json_decref(side->end);
        side->end = json_incref(record);
    } else if (reader_is(record, "telemetry")) {
        done = side_take_telemetry(side, record, clock_mhz);
    } else if (reader_is(record, "result")) {
        struct duel_result result;
        status = restore_result(&result, reader, record, why);
        const struct judge_device *device = side_device(side, result.device);
        done = status != DUEL_OK || add_result(side, &result, device ? clock_mhz[device - side->device] : NAN);
        result_free(&result);
    }
    return done ? status : no_memory(side->path, why);
}

enum duel_status side_read(struct judge_side *side, const char *name, const char *path, struct duel_why *why)
{
    struct duel_reader *reader = NULL;
    json_t *record = NULL;
    double clock_mhz[SIDE_DEVICES];
    *side = (struct judge_side){.foreign_share = NAN};
    snprintf(side->name, sizeof side->name, "%s", name);
    snprintf(side->path, sizeof side->path, "%s", path);
    for (int i = 0; i < SIDE_DEVICES; i++)
        clock_mhz[i] = NAN;
    enum duel_status status = reader_open(&reader, path, NULL, why);
    while (status == DUEL_OK && (status = reader_next(reader, &record, why)) == DUEL_OK && record) {
        status = take_record(side, reader, record, clock_mhz, why);
        json_decref(record);
    }
    if (reader)
        snprintf(side->path, sizeof side->path, "%s", reader_path(reader));
    if (reader && reader_dropped(reader))
        snprintf(side->dropped, sizeof side->dropped, "%s", reader_dropped(reader));
    reader_close(reader);
    if (status == DUEL_OK && side->count == 0)
        status = duel_fail(why, DUEL_EINVAL, "there is nothing to compare",
                           "measure again: duel run --sessions 5, and let it end", "%s holds no result", path);
    return status;
}

void side_free(struct judge_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        free(side->item[i].row);
    for (int i = 0; i < side->devices; i++) {
        json_decref(side->device[i].record);
        samples_free(&side->device[i].clock_mhz);
    }
    free(side->item);
    json_decref(side->run);
    json_decref(side->host);
    json_decref(side->end);
    *side = (struct judge_side){.foreign_share = NAN};
}
