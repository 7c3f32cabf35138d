/* verdicts_json.c: a comparison as one JSON object. Names carry units; what is unknown is left out. */
#include <math.h>

#include "bench/commands/marks.h"
#include "bench/commands/verdicts.h"
#include "bench/matrix/dtype.h"

static void add_finding(struct duel_record *record, const struct judge_finding *finding)
{
    record_text(record, "verdict", judge_verdict_name(finding->verdict), NULL);
    record_count(record, "sessions_a", (int64_t)finding->sessions[0], NULL);
    record_count(record, "sessions_b", (int64_t)finding->sessions[1], NULL);
    record_real(record, "time_a_s", finding->typical_s[0], NULL);
    record_real(record, "time_b_s", finding->typical_s[1], NULL);
    record_real(record, "time_ratio", finding->ratio, NULL);
    record_real(record, "time_ratio_ci_lo", finding->lo, NULL);
    record_real(record, "time_ratio_ci_hi", finding->hi, NULL);
    record_real(record, "margin", finding->margin, NULL);
    record_real(record, "noise_floor", finding->noise, NULL);
    record_real(record, "p", finding->chance, NULL);
    record_real(record, "p_adjusted", finding->adjusted, NULL);
    if (finding->verdict == JUDGE_INCONCLUSIVE)
        record_count(record, "further_sessions", finding->further, "more than anybody waits for");
}

static void add_case(struct duel_record *record, const struct judge_case *item)
{
    const struct duel_problem *problem = &item->key.problem;
    record_text(record, "workload", item->key.workload, NULL);
    record_text(record, "implementation", item->key.implementation, NULL);
    record_text(record, "device", item->key.device, NULL);
    record_count(record, "m", problem->m, NULL);
    record_count(record, "n", problem->n, NULL);
    record_count(record, "k", problem->k, NULL);
    record_count(record, "count", problem->count, NULL);
    record_text(record, "precision", dtype_name(problem->types.in), NULL);
    record_count(record, "threads", item->key.threads > 0 ? item->key.threads : -1, NULL);
}

static json_t *cell_object(const struct judge_cell *cell, bool *failed)
{
    char remark[300];
    struct duel_record record;
    record_init(&record, "verdict");
    add_case(&record, cell->a);
    record_text(&record, "metric", side_metric_name(cell->metric), NULL);
    add_finding(&record, &cell->finding);
    record_real(&record, "clock_ratio", cell->clock_ratio, NULL);
    if (cell->cycles.verdict != JUDGE_INCOMPARABLE) {
        record_text(&record, "cycles_verdict", judge_verdict_name(cell->cycles.verdict), NULL);
        record_real(&record, "cycles_ratio", cell->cycles.ratio, NULL);
        record_real(&record, "cycles_ratio_ci_lo", cell->cycles.lo, NULL);
        record_real(&record, "cycles_ratio_ci_hi", cell->cycles.hi, NULL);
        record_flag(&record, "because_of_clocks", cell->by_clocks);
    }
    record_flag(&record, "confirmed", cell->confirmed);
    record_text(&record, "remark", verdicts_remark(cell, remark, sizeof remark), NULL);
    record_text(&record, "note", cell->note, NULL);
    *failed = *failed || record.failed;
    return record.object;
}

static json_t *difference_object(const struct judge_comparison *comparison, const struct judge_difference *difference,
                                 bool *failed)
{
    struct duel_record record;
    record_init(&record, "difference");
    record_text(&record, "what", difference->title, NULL);
    record_text(&record, "where", difference->where, NULL);
    record_text(&record, "before", difference->before, NULL);
    record_text(&record, "after", difference->after, NULL);
    record_flag(&record, "could_explain", (difference->reaches & comparison->changed) != 0);
    *failed = *failed || record.failed;
    return record.object;
}

static json_t *numeric_object(const struct judge_numeric *numeric, bool *failed)
{
    struct duel_record record;
    record_init(&record, "numeric");
    add_case(&record, numeric->a);
    record_text(&record, "what", numeric->words, NULL);
    record_real(&record, "relative_frobenius_a", numeric->error[0], NULL);
    record_real(&record, "relative_frobenius_b", numeric->error[1], NULL);
    *failed = *failed || record.failed;
    return record.object;
}

static void add_counts(struct duel_record *record, const struct judge_comparison *comparison)
{
    for (int verdict = 0; verdict < JUDGE_VERDICTS; verdict++)
        record_count(record, judge_verdict_name((enum judge_verdict)verdict), (int64_t)comparison->tally[verdict],
                     NULL);
    record_count(record, "wrong", (int64_t)comparison->wrong, NULL);
    record_count(record, "failed", (int64_t)comparison->broken, NULL);
    record_count(record, "only_a", (int64_t)comparison->only_a, NULL);
    record_count(record, "only_b", (int64_t)comparison->only_b, NULL);
    record_real(record, "threshold", comparison->limits.threshold, NULL);
    record_real(record, "floor_s", comparison->limits.floor_s, NULL);
}

enum duel_status verdicts_json(const struct verdicts *verdicts, const char *path, struct duel_why *why)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    struct duel_record record;
    char line[900];
    json_t *cells = json_array(), *differences = json_array(), *numerics = json_array();
    bool failed = !cells || !differences || !numerics;
    record_init(&record, "comparison");
    record_text(&record, "a", verdicts->before, NULL);
    record_text(&record, "b", verdicts->after, NULL);
    record_text(&record, "machine_a", comparison->a.machine, NULL);
    record_text(&record, "machine_b", comparison->b.machine, NULL);
    record_count(&record, "exit_code", verdicts_code(verdicts), NULL);
    verdicts_line(verdicts, line, sizeof line);
    record_text(&record, "answer", line, NULL);
    add_counts(&record, comparison);
    for (size_t i = 0; !failed && i < comparison->count; i++)
        failed = json_array_append_new(cells, cell_object(&comparison->cell[i], &failed)) != 0 || failed;
    for (int i = 0; !failed && i < comparison->differences; i++)
        failed = json_array_append_new(differences,
                                       difference_object(comparison, &comparison->difference[i], &failed)) != 0 ||
                 failed;
    for (size_t i = 0; !failed && i < comparison->numerics; i++)
        failed = json_array_append_new(numerics, numeric_object(&comparison->numeric[i], &failed)) != 0 || failed;
    difference_sentence(comparison->difference, comparison->differences, comparison->changed, line, sizeof line);
    record_text(&record, "explanation", line, NULL);
    record_json(&record, "differences", differences);
    record_json(&record, "numeric", numerics);
    record_json(&record, "verdicts", cells);
    record.failed = record.failed || failed;
    return marks_write(&record, path, why);
}
