/* evidence.c: published measurements, and what run files say. */
#include "bench/buyer/evidence.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buyer/roof.h"
#include "bench/cards/spreadsheet.h"
#include "bench/matrix/dtype.h"
#include "bench/record/restore.h"

enum { MOST_DEVICES = 16, MOST_FILES = 256 };

bool evidence_add(struct duel_evidence *evidence, const struct duel_share *share)
{
    if (evidence->count == evidence->capacity) {
        const size_t capacity = evidence->capacity ? 2 * evidence->capacity : 64;
        struct duel_share *grown = realloc(evidence->share, capacity * sizeof *grown);
        if (!grown)
            return false;
        evidence->share = grown;
        evidence->capacity = capacity;
    }
    evidence->share[evidence->count++] = *share;
    return true;
}

static bool add_cpu(struct duel_evidence *evidence, const struct duel_cpu_row *row)
{
    if (evidence->cpu_count == evidence->cpu_capacity) {
        const size_t capacity = evidence->cpu_capacity ? 2 * evidence->cpu_capacity : 64;
        struct duel_cpu_row *grown = realloc(evidence->cpu, capacity * sizeof *grown);
        if (!grown)
            return false;
        evidence->cpu = grown;
        evidence->cpu_capacity = capacity;
    }
    evidence->cpu[evidence->cpu_count++] = *row;
    return true;
}

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "predictions would be calibrated on a part of it", "free some memory",
                     "out of memory for measurements");
}

/* ---- published -------------------------------------------------------------------------------------------------- */

enum { IMPLEMENTATION, APPLIES, CARD, N, VALUE, UNIT, PEAK, CELLS };
static const char *const names[] = {"implementation", "applies", "card", "n", "value", "unit", "peak", NULL};

static enum duel_status take_published(struct duel_evidence *evidence, const struct duel_spreadsheet *sheet,
                                       char (*cell)[SPREADSHEET_CELL], struct duel_why *why)
{
    struct duel_share share = {.recorded = false};
    double n, value, peak;
    if (!spreadsheet_number(cell[N], &n) || !spreadsheet_number(cell[VALUE], &value) ||
        !spreadsheet_number(cell[PEAK], &peak) || isnan(value) || isnan(peak) || value > peak)
        return spreadsheet_refuse(sheet, why, "write a value above 0 and a peak that is not below it",
                                  "this is no share of a peak", cell[VALUE]);
    if (strlen(cell[IMPLEMENTATION]) >= sizeof share.implementation || strlen(cell[APPLIES]) >= sizeof share.applies ||
        strlen(cell[CARD]) >= sizeof share.card)
        return spreadsheet_refuse(sheet, why, "shorten it", "a text is too long", cell[CARD]);
    memcpy(share.implementation, cell[IMPLEMENTATION], strlen(cell[IMPLEMENTATION]) + 1);
    memcpy(share.applies, cell[APPLIES], strlen(cell[APPLIES]) + 1);
    memcpy(share.card, cell[CARD], strlen(cell[CARD]) + 1);
    share.share = value / peak;
    /* A published size is the n of square matrices. */
    share.roof_s = strcmp(cell[UNIT], "TFLOP/s") == 0 ? 2 * n * n * n / (peak * 1e12) : NAN;
    return evidence_add(evidence, &share) ? DUEL_OK : no_memory(why);
}

enum duel_status evidence_published(struct duel_evidence *evidence, const char *path, struct duel_why *why)
{
    char own[4200];
    struct duel_spreadsheet sheet;
    snprintf(own, sizeof own, "%s/published.csv", paths_data_dir());
    char(*cell)[SPREADSHEET_CELL] = calloc(CELLS, sizeof *cell);
    if (!cell)
        return no_memory(why);
    bool more = true;
    enum duel_status status =
        spreadsheet_open(&sheet, path ? path : own, names, "predictions are calibrated on it", why);
    const bool opened = status == DUEL_OK;
    while (status == DUEL_OK && (status = spreadsheet_next(&sheet, cell, CELLS, &more, why)) == DUEL_OK && more)
        status = take_published(evidence, &sheet, cell, why);
    if (opened)
        spreadsheet_close(&sheet);
    free(cell);
    return status;
}

/* ---- run files -------------------------------------------------------------------------------------------------- */

/* The GPUs of one run file. */
struct devices {
    char id[MOST_DEVICES][32];
    const struct duel_card *card[MOST_DEVICES];
    int count;
};

static void take_device(struct devices *devices, const struct duel_cards *cards, const json_t *record)
{
    const char *id = reader_text(record, "id"), *name = reader_text(record, "name");
    const double processors = reader_real(record, "processors");
    if (!id || !name || devices->count == MOST_DEVICES || strncmp(id, "cuda", 4) != 0)
        return;
    snprintf(devices->id[devices->count], sizeof devices->id[0], "%s", id);
    devices->card[devices->count++] = card_identify(
        cards, name, processors > 0 && processors < 1e6 ? (int)processors : 0, reader_real(record, "memory_bytes"));
}

static bool take_cpu(struct duel_evidence *evidence, const struct duel_result *result, const char *path)
{
    struct duel_cpu_row row = {.problem = result->problem, .threads = result->threads};
    row.kernel_s = result->kernel.median;
    row.flops = result->flops;
    snprintf(row.workload, sizeof row.workload, "%s", result->workload);
    snprintf(row.implementation, sizeof row.implementation, "%s", result->implementation);
    snprintf(row.machine, sizeof row.machine, "%s", result->device_name);
    snprintf(row.file, sizeof row.file, "%s", path);
    return add_cpu(evidence, &row);
}

static bool take_gpu(struct duel_evidence *evidence, const struct devices *devices, const struct duel_result *result)
{
    const struct duel_workload *workload = workload_of(result->implementation);
    const struct duel_card *card = NULL;
    for (int i = 0; i < devices->count; i++)
        if (strcmp(devices->id[i], result->device) == 0)
            card = devices->card[i];
    if (!card || !workload) {
        evidence->unplaced++;
        return true;
    }
    struct duel_problem problem = result->problem;
    struct duel_card_roof roof;
    struct duel_share share = {.recorded = true};
    card_roof(card, workload, &problem, &roof);
    share.roof_s = roof.kernel_s;
    share.share = roof.kernel_s / result->kernel.median;
    if (!(share.share > 0 && share.share <= 1.2)) /* above its own specification: another card, or another clock */
        return true;
    share.share = fmin(share.share, 1);
    snprintf(share.implementation, sizeof share.implementation, "%s", result->implementation);
    snprintf(share.applies, sizeof share.applies, "%s", dtype_name(result->problem.types.in));
    snprintf(share.card, sizeof share.card, "%s", card->name);
    return evidence_add(evidence, &share);
}

/* The fastest loop of this file over the memory of a CPU, from `duel roofline`. */
static void take_roof(struct duel_evidence *evidence, double *fastest, const json_t *cpu, const json_t *record)
{
    const char *device = reader_text(record, "device"), *level = reader_text(record, "level");
    const double gbps = reader_real(record, "gbps"), memory = reader_real(cpu, "memory_bytes");
    if (!device || !level || strcmp(device, "cpu") != 0 || strcmp(level, "memory") != 0 || !(gbps > *fastest))
        return;
    const char *name = reader_text(cpu, "name");
    evidence->cpu_gbps = *fastest = gbps;
    evidence->cpu_memory_bytes = memory > 0 ? memory : 0;
    snprintf(evidence->cpu_machine, sizeof evidence->cpu_machine, "%s", name ? name : "CPU");
}

static enum duel_status take_result(struct duel_evidence *evidence, const struct devices *devices,
                                    const struct duel_reader *reader, const json_t *record, struct duel_why *why)
{
    struct duel_result result;
    enum duel_status status = restore_result(&result, reader, record, why);
    if (status == DUEL_OK && result_timed(&result) && result.kernel.median > 0 && !result.emulated) {
        const bool added = result_on_cpu(&result) ? take_cpu(evidence, &result, reader_path(reader))
                                                  : take_gpu(evidence, devices, &result);
        status = added ? DUEL_OK : no_memory(why);
    }
    result_free(&result);
    return status;
}

enum duel_status evidence_run_file(struct duel_evidence *evidence, const struct duel_cards *cards, const char *path,
                                   struct duel_why *why)
{
    struct duel_reader *reader = NULL;
    struct devices devices = {.count = 0};
    json_t *cpu = NULL;
    double fastest = 0;
    enum duel_status status = reader_open(&reader, path, NULL, why);
    for (json_t *record = NULL; status == DUEL_OK; json_decref(record)) {
        status = reader_next(reader, &record, why);
        if (status != DUEL_OK || !record)
            break;
        if (reader_is(record, "device") && !cpu && reader_text(record, "id") &&
            strcmp(reader_text(record, "id"), "cpu") == 0)
            cpu = json_incref(record);
        else if (reader_is(record, "device"))
            take_device(&devices, cards, record);
        else if (reader_is(record, "roof"))
            take_roof(evidence, &fastest, cpu, record);
        else if (reader_is(record, "result"))
            status = take_result(evidence, &devices, reader, record, why);
    }
    evidence->files += status == DUEL_OK;
    json_decref(cpu);
    reader_close(reader);
    return status;
}

/* What came with the program: one that is broken is no reason to refuse the user's question. */
static enum duel_status take_recorded(struct duel_evidence *evidence, const struct duel_cards *cards,
                                      struct duel_why *why)
{
    char folder[4200], path[4600];
    snprintf(folder, sizeof folder, "%s/recorded", paths_data_dir());
    DIR *directory = opendir(folder);
    enum duel_status status = DUEL_OK;
    int files = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory)) && files < MOST_FILES && status == DUEL_OK;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        files++;
        if (evidence_run_file(evidence, cards, path, why) == DUEL_ENOMEM)
            status = DUEL_ENOMEM;
    }
    if (directory)
        closedir(directory);
    return status;
}

enum duel_status evidence_read(struct duel_evidence *evidence, const struct duel_cards *cards, const char *const *files,
                               int file_count, struct duel_why *why)
{
    *evidence = (struct duel_evidence){.count = 0};
    enum duel_status status = evidence_published(evidence, NULL, why);
    if (status == DUEL_OK)
        status = take_recorded(evidence, cards, why);
    for (int i = 0; i < file_count && status == DUEL_OK; i++)
        status = evidence_run_file(evidence, cards, files[i], why);
    return status;
}

void evidence_free(struct duel_evidence *evidence)
{
    free(evidence->share);
    free(evidence->cpu);
    *evidence = (struct duel_evidence){.count = 0};
}
