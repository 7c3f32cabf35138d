/* session_cases.c: the same case in several sessions: found, put into one row, and compared with its base. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/sessions.h"
#include "bench/workload/shape.h"

/* What is sampled in a session. */
static const struct {
    size_t samples, summary;
} sampled[] = {
#define SAMPLED(name)                                                              \
    {                                                                              \
        offsetof(struct duel_result, name##_s), offsetof(struct duel_result, name) \
    }
    SAMPLED(kernel), SAMPLED(kernel_host), SAMPLED(h2d), SAMPLED(d2h), SAMPLED(end_to_end), SAMPLED(overlapped)};

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static bool same_problem(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->workload, b->workload) == 0 && shape_same(&a->problem, &b->problem);
}

static bool same_case(const struct duel_result *a, const struct duel_result *b)
{
    return same_problem(a, b) && strcmp(a->implementation, b->implementation) == 0 &&
           strcmp(a->device, b->device) == 0 && a->problem.types.in == b->problem.types.in && a->threads == b->threads;
}

static const struct duel_result *any_row(const struct session_case *item)
{
    int i = 0;
    while (!item->row[i])
        i++;
    return item->row[i];
}

/* A case that was asked for twice is there twice: the one that this session has no row of yet. */
static struct session_case *find(const struct session_cases *cases, const struct duel_result *row, int session)
{
    for (size_t i = 0; i < cases->count; i++)
        if (!cases->item[i].row[session] && same_case(any_row(&cases->item[i]), row))
            return &cases->item[i];
    return NULL;
}

static struct session_case *append(struct session_cases *cases)
{
    if (cases->count == cases->capacity) {
        size_t capacity = cases->capacity ? 2 * cases->capacity : 64;
        struct session_case *grown = realloc(cases->item, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        cases->item = grown;
        cases->capacity = capacity;
    }
    struct session_case *item = &cases->item[cases->count];
    *item = (struct session_case){.row = calloc((size_t)cases->sessions, sizeof(struct duel_result *))};
    result_init(&item->combined);
    sessions_init(&item->record);
    if (item->row)
        cases->count++;
    return item->row ? item : NULL;
}

bool session_cases_add(struct session_cases *cases, const struct duel_result *row, int session)
{
    struct duel_result *own = malloc(sizeof *own);
    struct session_case *item = own ? find(cases, row, session - 1) : NULL;
    if (own && !item)
        item = append(cases);
    if (!item) {
        free(own);
        return false;
    }
    *own = *row;
    own->disturbed = (struct duel_samples){NULL, 0, 0};
    for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++)
        *(struct duel_samples *)((char *)own + sampled[i].samples) = own->disturbed;
    item->row[session - 1] = own;
    item->rows++;
    return true;
}

void session_cases_free(struct session_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        for (int s = 0; s < cases->sessions; s++)
            free(cases->item[i].row[s]);
        free(cases->item[i].row);
        result_free(&cases->item[i].combined);
        sessions_free(&cases->item[i].record);
    }
    free(cases->item);
    *cases = (struct session_cases){0};
}

/* ---- one row of several ----------------------------------------------------------------------------------------- */

/* The row that speaks for all: a failure before a time, a time before anything else, and of several the one whose
 * answer was furthest from right. */
static int rank(const struct duel_result *row)
{
    static const int ranks[] = {[ROW_FAILED] = 3, [ROW_OK] = 2, [ROW_VERIFIED] = 1, [ROW_SKIPPED] = 0};
    return ranks[row->status];
}

static const struct duel_result *speaker(const struct session_case *item, int sessions, int *session)
{
    const struct duel_result *best = NULL;
    for (int s = 0; s < sessions; s++) {
        const struct duel_result *row = item->row[s];
        if (!row || (best && (rank(row) < rank(best) ||
                              (rank(row) == rank(best) && !(row->verdict.bound_ratio > best->verdict.bound_ratio)))))
            continue;
        best = row;
        *session = s + 1;
    }
    return best;
}

/* What happens once in a session. */
static const size_t once[] = {offsetof(struct duel_result, convert_s), offsetof(struct duel_result, allocate_s),
                              offsetof(struct duel_result, read_s),    offsetof(struct duel_result, write_s),
                              offsetof(struct duel_result, open_s),    offsetof(struct duel_result, first_call_s),
                              offsetof(struct duel_result, warmup_s),  offsetof(struct duel_result, first_upload_s),
                              offsetof(struct duel_result, cold_s)};

bool session_has_time(const struct duel_result *row)
{
    return row && result_timed(row) && row->kernel.count > 0;
}

static double real_at(const struct duel_result *row, size_t offset)
{
    double value;
    memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}

/* The session medians become the samples; where one session has no such median, none is taken. */
static bool take_medians(struct session_case *item, int sessions)
{
    for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++) {
        struct duel_samples *samples = (struct duel_samples *)((char *)&item->combined + sampled[i].samples);
        bool all = true;
        for (int s = 0; s < sessions; s++) {
            if (!session_has_time(item->row[s]))
                continue;
            const struct duel_summary *own = (const void *)((const char *)item->row[s] + sampled[i].summary);
            all &= own->median > 0;
            if (!samples_add(samples, own->median))
                return false;
        }
        if (!all)
            samples_free(samples);
    }
    return true;
}

static void take_medians_of_once(struct session_case *item, int sessions)
{
    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        struct duel_samples values = {NULL, 0, 0};
        for (int s = 0; s < sessions; s++)
            if (session_has_time(item->row[s]) && isfinite(real_at(item->row[s], once[i])))
                samples_add(&values, real_at(item->row[s], once[i]));
        const double median = stats_median(values.value, values.count);
        memcpy((char *)&item->combined + once[i], &median, sizeof median);
        samples_free(&values);
    }
}

/* A time that was disturbed in one session is disturbed. */
static void take_disturbance(struct session_case *item, int sessions)
{
    for (int s = 0; s < sessions; s++)
        if (session_has_time(item->row[s])) {
            item->combined.clean &= item->row[s]->clean;
            item->combined.foreign_cpu_share = fmax(item->combined.foreign_cpu_share, item->row[s]->foreign_cpu_share);
        }
}

/* Those of one session are not those of all. */
static void forget_speedups(struct duel_result *row)
{
    const struct duel_ratio unknown = {NAN, NAN, NAN};
    row->session = 0;
    row->base[0] = '\0';
    row->speedup_serial = NAN;
    row->speedup_kernel = row->speedup_end_to_end = row->speedup_amortised = unknown;
    row->speedup_cold = row->break_even_reuse = unknown;
}

static bool combine_one(struct session_case *item, int sessions)
{
    struct duel_result *row = &item->combined;
    int session = 0;
    *row = *speaker(item, sessions, &session);
    forget_speedups(row);
    if (row->status == ROW_FAILED)
        snprintf(row->reason, sizeof row->reason, "session %d: %.660s", session, item->row[session - 1]->reason);
    if (!session_has_time(row))
        return true;
    if (!take_medians(item, sessions))
        return false;
    take_medians_of_once(item, sessions);
    result_summarise(row);
    take_disturbance(item, sessions);
    sessions_interval(row->kernel_s.value, row->kernel_s.count, &row->kernel.ci_lo, &row->kernel.ci_hi);
    return true;
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static void describe(struct session_case *item)
{
    const struct duel_result *row = &item->combined;
    struct duel_sessions *record = &item->record;
    snprintf(record->workload, sizeof record->workload, "%s", row->workload);
    snprintf(record->implementation, sizeof record->implementation, "%s", row->implementation);
    snprintf(record->device, sizeof record->device, "%s", row->device);
    record->m = row->problem.m;
    record->n = row->problem.n;
    record->k = row->problem.k;
    record->batch = row->problem.count;
    record->precision = row->problem.types.in;
    record->threads = row->threads;
    record->cold_s = row->cold_s;
    if (!session_has_time(row))
        snprintf(record->reason, sizeof record->reason, "%.20s%s%.660s", row_status_name(row->status),
                 row->reason[0] ? ": " : "", row->reason);
    for (size_t i = 0; i < row->kernel_s.count; i++)
        samples_add(&record->median_s, row->kernel_s.value[i]);
    sessions_summarise(record);
}

bool session_cases_combine(struct session_cases *cases, const char *base, uint64_t seed)
{
    for (size_t i = 0; i < cases->count; i++) {
        if (!combine_one(&cases->item[i], cases->sessions))
            return false;
        describe(&cases->item[i]);
    }
    for (size_t first = 0, end; first < cases->count; first = end) {
        end = first + 1;
        while (end < cases->count && same_problem(&cases->item[first].combined, &cases->item[end].combined))
            end++;
        if (!session_speedups(cases, first, end, base, seed))
            return false;
    }
    return true;
}
