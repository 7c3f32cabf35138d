#include "bench/buyer/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buyer/evidence.h"
#include "bench/buyer/roof.h"
#include "bench/matrix/dtype.h"
#include "bench/record/restore.h"

#define CELL(member, type, unit, name, help)                                            \
    {                                                                                   \
        name, unit, true, value_##type, offsetof(struct duel_score, member), NULL, help \
    }
static const struct duel_cell cells[] = {
    CELL(kind, text, "", "kind", "`measured`"),
    CELL(device, text, "", "device_name", "as it calls itself"),
    CELL(id, text, "", "device", "`cpu`, `cuda:0`"),
    CELL(card, text, "", "card", "of gpu-specs.csv that it is; absent: none, or not told apart"),
    CELL(problem.types.in, dtype, "", "precision", "type of the inputs"),
    CELL(workload, text, "", "workload", "of the best row"),
    CELL(implementation, text, "", "implementation", "of the best row"),
    CELL(problem.m, extent, "", "m", "as in a result"),
    CELL(problem.n, extent, "", "n", "as in a result"),
    CELL(problem.k, extent, "", "k", "as in a result"),
    CELL(threads, threads, "", "threads", "CPU threads; absent on a GPU"),
    CELL(burst_gflops, positive, "GFLOP/s", "burst_gflops",
         "in the fastest sample of the best row; of `duel soak` in its first seconds"),
    CELL(sustained_gflops, positive, "GFLOP/s", "sustained_gflops",
         "in the median of the last third of its samples, or of the load of `duel soak`, which counts before all rows"),
    CELL(sustained_s, positive, "s", "load_s", "how long the samples of that row, or the load, took together"),
    CELL(gbps, positive, "GB/s", "gbps", "the highest of rows that bandwidth decides, and of the roofline's loops"),
    CELL(power_w, positive, "W", "power_w", "median while the best row's size was measured"),
    CELL(gflops_per_w, positive, "GFLOP/s/W", "gflops_per_w", "sustained_gflops over power_w"),
    CELL(gflops_per_price, positive, "GFLOP/s", "gflops_per_price", "sustained_gflops over the price of --prices"),
    CELL(spec_gflops, positive, "GFLOP/s", "spec_gflops", "published, dense, at boost clock"),
    CELL(spec_percent, positive, "%", "spec_percent", "sustained_gflops of that"),
    CELL(spec_gbps, positive, "GB/s", "spec_gbps", "published bandwidth of its memory"),
    CELL(spec_gbps_percent, positive, "%", "spec_gbps_percent", "gbps of that"),
    CELL(file, text, "", "file", "the run file"),
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet score_sheet = {"score", cells};

/* ---- one run file ----------------------------------------------------------------------------------------------- */

enum { MOST_DEVICES = 16, MOST_POWERS = 512 };

struct device {
    char id[32], name[96];
    const struct duel_card *card;
    double gbps; /* of its memory, from the roofline */
};

/* Power while one size was measured. */
struct power {
    char id[32], workload[32];
    int64_t m, n, k;
    double power_w;
};

struct pass {
    const struct duel_choice *choice;
    const struct duel_card *as;
    struct device device[MOST_DEVICES];
    int devices;
    struct power *power;
    int powers;
    size_t first; /* row of this file in the scores */
    const char *path;
};

static struct device *device_of(struct pass *pass, const char *id)
{
    for (int i = 0; id && i < pass->devices; i++)
        if (strcmp(pass->device[i].id, id) == 0)
            return &pass->device[i];
    return NULL;
}

static void take_device(struct pass *pass, const json_t *record)
{
    const char *id = reader_text(record, "id"), *name = reader_text(record, "name");
    const double processors = reader_real(record, "processors");
    if (!id || !name || pass->devices == MOST_DEVICES)
        return;
    struct device *device = &pass->device[pass->devices++];
    *device = (struct device){.gbps = NAN};
    snprintf(device->id, sizeof device->id, "%s", id);
    snprintf(device->name, sizeof device->name, "%s", name);
    if (strncmp(id, "cuda", 4) == 0)
        device->card = pass->as ? pass->as
                                : card_identify(&pass->choice->cards, name,
                                                processors > 0 && processors < 1e6 ? (int)processors : 0,
                                                reader_real(record, "memory_bytes"));
}

static void take_roof(struct pass *pass, const json_t *record)
{
    struct device *device = device_of(pass, reader_text(record, "device"));
    const char *level = reader_text(record, "level");
    const double gbps = reader_real(record, "gbps");
    if (device && level && strcmp(level, "memory") == 0 && gbps > 0)
        device->gbps = fmax(gbps, device->gbps); /* fmax() passes over NaN */
}

/* What `record` says of one size, with `power_w` while it ran. */
static void put_power(struct pass *pass, const json_t *record, double power_w)
{
    const char *id = reader_text(record, "device"), *workload = reader_text(record, "workload");
    if (!id || !workload || !(power_w > 0) || pass->powers == MOST_POWERS)
        return;
    struct power *power = &pass->power[pass->powers++];
    *power = (struct power){.m = reader_count(record, "m"),
                            .n = reader_count(record, "n"),
                            .k = reader_count(record, "k"),
                            .power_w = power_w};
    snprintf(power->id, sizeof power->id, "%s", id);
    snprintf(power->workload, sizeof power->workload, "%s", workload);
}

static void take_power(struct pass *pass, const json_t *record)
{
    const double seconds = reader_real(record, "seconds"), power_w = reader_real(record, "power_w_median");
    put_power(pass, record, isnan(power_w) && seconds > 0 ? reader_real(record, "energy_j") / seconds : power_w);
}

static struct duel_score *score_of(struct duel_scores *scores, const struct pass *pass,
                                   const struct duel_result *result)
{
    for (size_t i = pass->first; i < scores->count; i++)
        if (strcmp(scores->row[i].id, result->device) == 0 &&
            scores->row[i].problem.types.in == result->problem.types.in)
            return &scores->row[i];
    if (scores->count == scores->capacity) {
        const size_t capacity = scores->capacity ? 2 * scores->capacity : 16;
        struct duel_score *grown = realloc(scores->row, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        scores->row = grown;
        scores->capacity = capacity;
    }
    struct duel_score *score = &scores->row[scores->count++];
    *score = (struct duel_score){.kind = "measured", .problem.types.in = result->problem.types.in};
    score->burst_gflops = score->sustained_gflops = score->sustained_s = score->gbps = NAN;
    snprintf(score->id, sizeof score->id, "%s", result->device);
    snprintf(score->device, sizeof score->device, "%s", result->device_name);
    snprintf(score->file, sizeof score->file, "%s", pass->path);
    return score;
}

/* Median of the last third of the samples, in seconds; the median of all where there are few. */
static double late_median(const struct duel_result *result)
{
    const size_t count = result->kernel_s.count, third = count / 3;
    return third < 3 ? result->kernel.median : stats_median(result->kernel_s.value + count - third, third);
}

static bool take_result(struct duel_scores *scores, const struct pass *pass, const struct duel_result *result)
{
    const struct duel_workload *workload = workload_of(result->implementation);
    struct duel_score *score = score_of(scores, pass, result);
    if (!score)
        return false;
    if (workload && workload->memory_bound && result->bytes > 0)
        score->gbps = fmax(result->bytes / result->kernel.median / 1e9, score->gbps);
    const double sustained = result->flops / late_median(result) / 1e9;
    if (!(result->flops > 0) || score->soaked || sustained <= score->sustained_gflops)
        return true;
    double load_s = 0;
    for (size_t i = 0; i < result->kernel_s.count; i++)
        load_s += result->kernel_s.value[i] * (double)(result->batch > 0 ? result->batch : 1);
    score->problem = result->problem;
    score->threads = result->threads;
    score->sustained_gflops = sustained;
    score->burst_gflops = result->flops / result->kernel.min / 1e9;
    score->sustained_s = load_s;
    snprintf(score->workload, sizeof score->workload, "%s", result->workload);
    snprintf(score->implementation, sizeof score->implementation, "%s", result->implementation);
    return true;
}

/* Minutes of load say more about sustained speed than the samples of a row; what was wrong says nothing. */
static bool take_soak(struct duel_scores *scores, struct pass *pass, const json_t *record)
{
    const char *id = reader_text(record, "device"), *name = reader_text(record, "device_name"),
               *workload = reader_text(record, "workload"), *implementation = reader_text(record, "implementation"),
               *precision = reader_text(record, "precision"), *status = reader_text(record, "status");
    const double burst = reader_real(record, "burst_gflops"), sustained = reader_real(record, "sustained_gflops");
    const double threads = reader_real(record, "threads");
    struct duel_result row = {
        .problem = {.m = reader_count(record, "m"), .n = reader_count(record, "n"), .k = reader_count(record, "k")}};
    if (!id || !name || !workload || !implementation || !precision || !status || !(burst > 0) || !(sustained > 0) ||
        strcmp(status, "wrong") == 0 || strcmp(status, "FAILED") == 0)
        return true;
    row.problem.types.in = dtype_parse(precision);
    snprintf(row.device, sizeof row.device, "%s", id);
    snprintf(row.device_name, sizeof row.device_name, "%s", name);
    struct duel_score *score = row.problem.types.in == DUEL_NONE ? NULL : score_of(scores, pass, &row);
    if (!score)
        return row.problem.types.in == DUEL_NONE;
    score->soaked = true;
    score->problem = row.problem;
    score->threads = threads >= 1 && threads < 1e6 ? (int)threads : 0;
    score->burst_gflops = burst;
    score->sustained_gflops = sustained;
    score->sustained_s = reader_real(record, "seconds");
    snprintf(score->workload, sizeof score->workload, "%s", workload);
    snprintf(score->implementation, sizeof score->implementation, "%s", implementation);
    put_power(pass, record, reader_real(record, "power_w"));
    return true;
}

/* Divides what was measured by power, price and specification. */
static void finish(struct pass *pass, struct duel_score *score)
{
    const struct device *device = device_of(pass, score->id);
    const struct duel_card *card = device ? device->card : NULL;
    const struct duel_price *price = card || strcmp(score->id, "cpu") == 0 ? choice_price(pass->choice, card) : NULL;
    const struct duel_workload *workload = workload_find(score->workload, strlen(score->workload));
    score->power_w = score->spec_gflops = score->spec_gbps = NAN;
    if (device)
        score->gbps = fmax(device->gbps, score->gbps);
    for (int i = 0; i < pass->powers; i++) {
        const struct power *power = &pass->power[i];
        if (strcmp(power->id, score->id) == 0 && strcmp(power->workload, score->workload) == 0 &&
            power->m == score->problem.m && power->n == score->problem.n && power->k == score->problem.k)
            score->power_w = power->power_w;
    }
    if (card) {
        snprintf(score->card, sizeof score->card, "%s", card->name);
        score->spec_gbps = card->bandwidth_gb_s;
        if (workload)
            score->spec_gflops =
                1e3 * card_rate(card, score->problem.types.in, workload->sums && !workload->memory_bound);
    }
    score->gflops_per_w = score->sustained_gflops / score->power_w;
    score->gflops_per_price = score->sustained_gflops / (price ? price->price : NAN);
    score->spec_percent = 100 * score->sustained_gflops / score->spec_gflops;
    score->spec_gbps_percent = 100 * score->gbps / score->spec_gbps;
}

static enum duel_status take(struct duel_scores *scores, struct pass *pass, const struct duel_reader *reader,
                             const json_t *record, struct duel_why *why)
{
    struct duel_result result;
    if (reader_is(record, "device"))
        take_device(pass, record);
    else if (reader_is(record, "roof"))
        take_roof(pass, record);
    else if (reader_is(record, "telemetry"))
        take_power(pass, record);
    if (reader_is(record, "soak") && !take_soak(scores, pass, record))
        return duel_fail(why, DUEL_ENOMEM, "there is no score", "free some memory", "out of memory for scores");
    if (!reader_is(record, "result"))
        return DUEL_OK;
    enum duel_status status = restore_result(&result, reader, record, why);
    if (status == DUEL_OK && result_timed(&result) && !result.emulated && result.kernel.median > 0 &&
        !take_result(scores, pass, &result))
        status = duel_fail(why, DUEL_ENOMEM, "there is no score", "free some memory", "out of memory for scores");
    result_free(&result);
    return status;
}

enum duel_status score_file(struct duel_scores *scores, const struct duel_choice *choice, const char *path,
                            const struct duel_card *as, struct duel_why *why)
{
    struct duel_reader *reader = NULL;
    struct pass pass = {.choice = choice, .as = as, .first = scores->count, .path = path};
    pass.power = calloc(MOST_POWERS, sizeof *pass.power);
    enum duel_status status =
        pass.power ? reader_open(&reader, path, NULL, why)
                   : duel_fail(why, DUEL_ENOMEM, "there is no score", "free some memory", "out of memory for scores");
    for (json_t *record = NULL; status == DUEL_OK; json_decref(record)) {
        status = reader_next(reader, &record, why);
        if (status != DUEL_OK || !record)
            break;
        status = take(scores, &pass, reader, record, why);
    }
    for (size_t i = pass.first; i < scores->count; i++)
        finish(&pass, &scores->row[i]);
    if (status == DUEL_OK && scores->count == pass.first)
        status = duel_fail(why, DUEL_EINVAL, "there is nothing to score",
                           "give a run file of `duel run`, `duel soak` or `duel roofline`", "%s has no row with a time",
                           path);
    snprintf(scores->currency, sizeof scores->currency, "%s", choice->prices.currency);
    reader_close(reader);
    free(pass.power);
    return status;
}

void scores_free(struct duel_scores *scores)
{
    free(scores->row);
    *scores = (struct duel_scores){.count = 0};
}
