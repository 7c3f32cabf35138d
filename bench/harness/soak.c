/* soak.c: the order of work: judge an answer for each of a few inputs and keep it; then load, and after each stretch
 * compare the answer of its last run with the one that was kept. Comparing costs a copy and one look at each element,
 * so that the device has little time to cool. */
#include "bench/harness/soak.h"

#include <math.h>
#include <string.h>

#include "bench/harness/interrupt.h"
#include "bench/harness/lane.h"
#include "bench/matrix/dtype.h"

#define SETS 3        /* inputs that take turns */
#define INTERVALS 16  /* timed ones in a stretch */
#define MOST_RUNS 1e6 /* in an interval */

enum { MARK_START, MARK_STOP };

struct set {
    struct duel_expectation expectation;
    void *answer; /* as it was judged to be right */
};

struct load {
    const struct duel_soak_rules *rules;
    const struct duel_workload *workload;
    struct duel_runner_options options;
    struct duel_result result;
    struct duel_stage stage;
    struct duel_lane lane;
    struct set set[SETS];
    int now;            /* the set that is loaded */
    int64_t batch;      /* runs in a timed interval */
    bool repeats;       /* bit by bit */
    double start, turn; /* host clock: of the load, and when the set changed */
};

void soak_rules_set(struct duel_soak_rules *rules, double load_s)
{
    rules->load_s = load_s;
    /* Energy counters need two seconds, see telemetry.h; what is longer than hours gets longer stretches. */
    rules->point_s = fmax(fmin(fmax(load_s / 60, 0.2), 2.1), load_s / 2000);
    rules->rotate_s = fmax(fmin(load_s / 6, 30), rules->point_s);
}

static enum duel_status fill(struct load *load, int set, struct duel_why *why)
{
    load->now = set;
    return stage_fill(&load->stage, DUEL_UNIFORM, load->rules->seed + (uint64_t)set, NULL, why);
}

static const struct duel_matrix *output_of(const struct load *load)
{
    return &load->stage.host[load->lane.output];
}

static enum duel_status wrong_at_once(const char *reason, struct duel_why *why)
{
    return duel_fail(why, DUEL_EVERIFY, "a load of wrong answers shows nothing", "run `duel verify`",
                     "wrong answer before the load: %s", reason);
}

/* Judges one answer of this set, keeps it, and looks whether a second one has the same bits. */
static enum duel_status learn(struct load *load, int index, struct duel_why *why)
{
    struct set *set = &load->set[index];
    struct duel_verdict verdict;
    const size_t bytes = load->stage.bytes[load->lane.output];
    TRY(fill(load, index, why));
    TRY(expectation_make(&set->expectation, load->workload, &load->stage.problem, load->stage.host, load->stage.before,
                         false, why));
    TRY(lane_call(&load->lane, why));
    TRY(verify_output(&set->expectation, &load->lane.item->problem, output_of(load), load->rules->seed, &verdict, why));
    if (!verdict.right)
        return wrong_at_once(verdict.reason, why);
    set->answer = malloc(bytes);
    if (!set->answer)
        return duel_fail(why, DUEL_ENOMEM, "no answer could be compared", "give a smaller --n",
                         "out of memory for a right answer of %zu bytes", bytes);
    memcpy(set->answer, output_of(load)->data, bytes);
    TRY(lane_call(&load->lane, why));
    load->repeats = load->repeats && memcmp(set->answer, output_of(load)->data, bytes) == 0;
    return DUEL_OK;
}

/* `batch` runs between two marks. */
static enum duel_status run_interval(struct load *load, double *seconds, struct duel_why *why)
{
    struct duel_lane *lane = &load->lane;
    const struct duel_backend *backend = load->stage.backend;
    enum duel_status status = DUEL_OK;
    lane->call.why = why;
    lane_running(lane, "while it was soaked");
    TRY(backend->mark(load->stage.device, MARK_START, why));
    for (int64_t i = 0; i < load->batch && status == DUEL_OK; i++)
        status = lane->item->impl->run(&lane->call);
    running_end();
    TRY(status);
    TRY(backend->mark(load->stage.device, MARK_STOP, why));
    TRY(backend->sync(load->stage.device, why));
    TRY(backend->elapsed(load->stage.device, MARK_START, MARK_STOP, seconds, why));
    if (*seconds > 0 && isfinite(*seconds))
        return DUEL_OK;
    return duel_fail(why, DUEL_EDEVICE, "no rate can be computed from it", "give a larger --n",
                     "the clock gave %g s for %lld runs", *seconds, (long long)load->batch);
}

/* Every bit that differs from the answer that was kept is an error, where answers repeat. */
static void compare(const struct load *load, struct duel_soak_point *point)
{
    const struct duel_matrix *output = output_of(load);
    const size_t size = dtype_size(output->type);
    const char *kept = load->set[load->now].answer, *now = output->data;
    size_t first = 0;
    for (int64_t row = 0; row < output->rows; row++)
        for (int64_t column = 0; column < output->columns; column++) {
            const size_t at = (size_t)(row * output->ld + column);
            if (memcmp(kept + at * size, now + at * size, size) == 0)
                continue;
            if (point->wrong_elements++ == 0) {
                point->wrong_row = row;
                point->wrong_column = column;
                first = at;
            }
        }
    point->right = point->wrong_elements == 0;
    if (!point->right)
        snprintf(point->reason, sizeof point->reason,
                 "%lld of %lld elements differ from the right answer, the first at (%lld, %lld): %.9g, not %.9g",
                 (long long)point->wrong_elements, (long long)(output->rows * output->columns),
                 (long long)point->wrong_row, (long long)point->wrong_column, dtype_load(output->type, now, first),
                 dtype_load(output->type, kept, first));
}

/* Brings the answer of the last run to the host; that of one more run where each run adds to what the one before left:
 * only from the same beginning does it come to the same end. */
static enum duel_status fetch(struct load *load, struct duel_why *why)
{
    if (load->lane.item->problem.beta != 0)
        return lane_call(&load->lane, why);
    TRY(stage_download(&load->stage, why));
    return load->stage.backend->sync(load->stage.device, why);
}

static enum duel_status check(struct load *load, struct duel_soak_point *point, struct duel_why *why)
{
    struct duel_verdict verdict;
    const void *kept = load->set[load->now].answer;
    TRY(fetch(load, why));
    if (memcmp(kept, output_of(load)->data, load->stage.bytes[load->lane.output]) == 0)
        return DUEL_OK;
    if (load->repeats) {
        compare(load, point);
        return DUEL_OK;
    }
    TRY(verify_output(&load->set[load->now].expectation, &load->lane.item->problem, output_of(load), load->rules->seed,
                      &verdict, why));
    point->right = verdict.right;
    point->wrong_row = verdict.right ? -1 : verdict.worst_row;
    point->wrong_column = verdict.right ? -1 : verdict.worst_column;
    if (!verdict.right)
        memcpy(point->reason, verdict.reason, sizeof point->reason);
    return DUEL_OK;
}

static double host_now(const struct load *load)
{
    return load->stage.backend->now(load->stage.device);
}

static void name_point(const struct load *load, struct duel_soak_point *point)
{
    soak_point_init(point);
    snprintf(point->device, sizeof point->device, "%s", load->lane.item->place->id);
    snprintf(point->workload, sizeof point->workload, "%s", load->workload->name);
    snprintf(point->implementation, sizeof point->implementation, "%s", load->lane.item->name);
    point->problem = load->lane.item->problem;
    point->threads = load->result.threads;
}

/* One stretch of load and its answer. */
static enum duel_status stretch(struct load *load, struct duel_soak_point *point, struct duel_why *why)
{
    const struct duel_soak_rules *rules = load->rules;
    const double start = host_now(load);
    double spent_s = 0;
    name_point(load, point);
    if (rules->begin)
        rules->begin(rules->context);
    while (host_now(load) - start < rules->point_s && !(point->runs > 0 && interrupt_pending())) {
        double seconds = 0;
        TRY(run_interval(load, &seconds, why));
        spent_s += seconds;
        point->runs += load->batch;
        if (rules->between)
            rules->between(rules->context, host_now(load) - load->start);
    }
    point->at_s = host_now(load) - load->start;
    point->run_s = spent_s / (double)point->runs;
    const double flops = load->workload->flops(&point->problem), bytes = load->workload->bytes(&point->problem);
    point->gflops = flops > 0 ? flops / point->run_s / 1e9 : (double)NAN;
    point->gbps = bytes / point->run_s / 1e9;
    return check(load, point, why);
}

static void count(struct duel_soak *soak, const struct duel_soak_point *point)
{
    soak->checks++;
    if (point->right || soak->wrong_checks++ > 0)
        return;
    soak->first_wrong_s = point->at_s;
    soak->first_wrong_row = point->wrong_row;
    soak->first_wrong_column = point->wrong_column;
    soak->first_wrong_elements = point->wrong_elements;
    snprintf(soak->reason, sizeof soak->reason, "%s", point->reason);
}

static enum duel_status run_all(struct load *load, struct duel_soak *soak, struct duel_why *why)
{
    double once_s = 0;
    load->batch = 1;
    TRY(run_interval(load, &once_s, why));
    load->batch = (int64_t)fmax(1, fmin(MOST_RUNS, load->rules->point_s / INTERVALS / once_s));
    load->start = load->turn = host_now(load);
    while (host_now(load) - load->start < load->rules->load_s && !interrupt_pending()) {
        struct duel_soak_point point;
        if (host_now(load) - load->turn >= load->rules->rotate_s) {
            TRY(fill(load, (load->now + 1) % SETS, why));
            load->turn = host_now(load);
        }
        TRY(stretch(load, &point, why));
        count(soak, &point);
        if (load->rules->point)
            load->rules->point(load->rules->context, &point);
    }
    return DUEL_OK;
}

static void conclude(struct duel_soak *soak, enum duel_status status, const struct duel_why *why)
{
    const char *word = status != DUEL_OK         ? "FAILED"
                       : soak->wrong_checks > 0  ? "wrong"
                       : interrupt_pending() > 0 ? "interrupted"
                                                 : "ok";
    soak->cause = status != DUEL_OK ? status : soak->wrong_checks > 0 ? DUEL_EVERIFY : DUEL_OK;
    snprintf(soak->status, sizeof soak->status, "%s", word);
    if (status != DUEL_OK)
        snprintf(soak->reason, sizeof soak->reason, "%s", why->seen);
}

enum duel_status soak_run(const struct duel_soak_rules *rules, const struct duel_workload *workload,
                          struct duel_case *item, struct duel_soak *soak, struct duel_why *why)
{
    struct load *load = calloc(1, sizeof *load);
    enum duel_status status = DUEL_OK;
    soak_init(soak);
    if (!load)
        return duel_fail(why, DUEL_ENOMEM, "nothing was loaded", "close other programs", "out of memory");
    *load = (struct load){.rules = rules, .workload = workload, .repeats = true};
    result_init(&load->result);
    lane_init(&load->lane, item, &load->result, &load->options);
    load->lane.stage = &load->stage;
    status =
        stage_open(&load->stage, item->place->backend, item->place->device, DUEL_PINNED, workload, &item->problem, why);
    if (status == DUEL_OK)
        status = lane_open(&load->lane, why);
    for (int i = 0; i < SETS && status == DUEL_OK; i++)
        status = learn(load, i, why);
    soak->problem = item->problem;
    soak->repeats = load->repeats;
    soak->threads = load->result.threads;
    snprintf(soak->device, sizeof soak->device, "%s", item->place->id);
    snprintf(soak->device_name, sizeof soak->device_name, "%s", item->place->info.name);
    snprintf(soak->workload, sizeof soak->workload, "%s", workload->name);
    snprintf(soak->implementation, sizeof soak->implementation, "%s", item->name);
    if (status == DUEL_OK)
        status = run_all(load, soak, why);
    conclude(soak, status, why);
    lane_close(&load->lane);
    for (int i = 0; i < SETS; i++) {
        expectation_free(&load->set[i].expectation);
        free(load->set[i].answer);
    }
    stage_close(&load->stage);
    free(load);
    return status;
}
