/* verdicts_prometheus.c: a comparison as metrics, for node_exporter's textfile collector. */
#include <math.h>

#include "bench/commands/verdicts.h"
#include "bench/matrix/dtype.h"
#include "bench/workload/shape.h"

static const struct verdicts_escape in_label[] = {{'\\', "\\\\"}, {'"', "\\\""}, {'\n', "\\n"}, {0, NULL}};

static void put_labels(const struct judge_cell *cell, FILE *stream)
{
    const struct duel_result *key = &cell->a->key;
    char shape[120];
    fputs("{implementation=\"", stream);
    verdicts_put(stream, key->implementation, in_label);
    fputs("\",device=\"", stream);
    verdicts_put(stream, key->device, in_label);
    fprintf(stream, "\",shape=\"%s\",precision=\"%s\",threads=\"%d\",metric=\"%s\"}",
            shape_typed(key->workload, &key->problem, shape, sizeof shape), dtype_name(key->problem.types.in),
            key->threads, side_metric_name(cell->metric));
}

/* What is unknown has no line: a gap in a graph, not a zero. */
static void put_metric(const struct verdicts *verdicts, const char *name, const char *help,
                       double (*value)(const struct judge_cell *), FILE *stream)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    fprintf(stream, "# HELP duel_%s %s\n# TYPE duel_%s gauge\n", name, help, name);
    for (size_t i = 0; i < comparison->count; i++) {
        const double number = value(&comparison->cell[i]);
        if (!isfinite(number))
            continue;
        fprintf(stream, "duel_%s", name);
        put_labels(&comparison->cell[i], stream);
        fprintf(stream, " %.9g\n", number);
    }
}

static double ratio_of(const struct judge_cell *cell)
{
    return cell->finding.ratio;
}

static double time_of(const struct judge_cell *cell)
{
    return cell->finding.typical_s[1];
}

void verdicts_prometheus(const struct verdicts *verdicts, FILE *stream)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    fprintf(stream,
            "# HELP duel_exit_code Exit code of the comparison: 0 passed, 1 slower\n# TYPE duel_exit_code "
            "gauge\nduel_exit_code %d\n# HELP duel_cases Cases by verdict\n# TYPE duel_cases gauge\n",
            verdicts_code(verdicts));
    for (int verdict = 0; verdict < JUDGE_VERDICTS; verdict++)
        fprintf(stream, "duel_cases{verdict=\"%s\"} %zu\n", judge_verdict_name((enum judge_verdict)verdict),
                comparison->tally[verdict]);
    fprintf(stream,
            "# HELP duel_other_answers Cases whose output changed\n# TYPE duel_other_answers gauge\n"
            "duel_other_answers %zu\n",
            comparison->numerics);
    put_metric(verdicts, "time_ratio", "Time over that of the baseline", ratio_of, stream);
    put_metric(verdicts, "time_seconds", "Time now, geometric mean over sessions", time_of, stream);
}
