/* verdicts_junit.c: a comparison as JUnit XML, for a test system: one test per time and per changed answer. */
#include <math.h>
#include <string.h>

#include "bench/commands/verdicts.h"

static const struct verdicts_escape in_xml[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {0, NULL}};

/* The element that says how a test ended; NULL: it passed. */
static const char *outcome(const struct verdicts *verdicts, const struct judge_cell *cell)
{
    for (size_t i = 0; cell->b && i < cell->b->rows; i++)
        if (cell->b->row[i].status == ROW_FAILED)
            return "error";
    if (verdicts_fails(verdicts, cell))
        return "failure";
    const enum judge_verdict verdict = cell->finding.verdict;
    return verdict == JUDGE_INCONCLUSIVE || verdict == JUDGE_INCOMPARABLE ? "skipped" : NULL;
}

static void put_testcase(const struct verdicts *verdicts, const struct judge_cell *cell, FILE *stream)
{
    const char *element = outcome(verdicts, cell), *verdict = judge_verdict_name(cell->finding.verdict);
    char name[300];
    fputs("    <testcase classname=\"duel.", stream);
    verdicts_put(stream, cell->a->key.implementation, in_xml);
    fputs("\" name=\"", stream);
    verdicts_put(stream, comparison_case(cell->a, cell->metric, name, sizeof name), in_xml);
    fprintf(stream, "\" time=\"%.9g\">\n", isfinite(cell->finding.typical_s[1]) ? cell->finding.typical_s[1] : 0);
    if (element)
        fprintf(stream, "      <%s message=\"%s: ", element, verdict);
    else
        fprintf(stream, "      <system-out>%s: ", verdict);
    verdicts_words(stream, cell, in_xml);
    fprintf(stream, "%s\n    </testcase>\n", element ? "\"/>" : "</system-out>");
}

static void put_answer(const struct verdicts *verdicts, const struct judge_numeric *numeric, FILE *stream)
{
    char name[300];
    fputs("    <testcase classname=\"duel.answers\" name=\"", stream);
    verdicts_put(stream, comparison_case(numeric->a, JUDGE_KERNEL, name, sizeof name), in_xml);
    fprintf(stream, "\" time=\"0\">\n      <%s message=\"", verdicts->options->on_numeric ? "failure" : "skipped");
    verdicts_put(stream, numeric->words, in_xml);
    fprintf(stream, "; relative error %.3g before, %.3g now\"/>\n    </testcase>\n", numeric->error[0],
            numeric->error[1]);
}

/* What else changed, where a test system shows the conditions of a suite. */
static void put_properties(const struct judge_comparison *comparison, FILE *stream)
{
    if (comparison->differences == 0)
        return;
    fputs("    <properties>\n", stream);
    for (int i = 0; i < comparison->differences; i++) {
        const struct judge_difference *difference = &comparison->difference[i];
        char name[200], value[300];
        snprintf(name, sizeof name, "%s%s%s", difference->title, *difference->where ? " of " : "", difference->where);
        snprintf(value, sizeof value, "%s -> %s", difference->before, difference->after);
        fputs("      <property name=\"", stream);
        verdicts_put(stream, name, in_xml);
        fputs("\" value=\"", stream);
        verdicts_put(stream, value, in_xml);
        fputs("\"/>\n", stream);
    }
    fputs("    </properties>\n", stream);
}

void verdicts_junit(const struct verdicts *verdicts, FILE *stream)
{
    const struct judge_comparison *comparison = verdicts->comparison;
    size_t failures = verdicts->options->on_numeric ? comparison->numerics : 0;
    size_t skipped = comparison->numerics - failures, errors = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const char *element = outcome(verdicts, &comparison->cell[i]);
        failures += element && strcmp(element, "failure") == 0;
        errors += element && strcmp(element, "error") == 0;
        skipped += element && strcmp(element, "skipped") == 0;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", stream);
    fprintf(stream, "  <testsuite name=\"duel\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
            comparison->count + comparison->numerics, failures, errors, skipped);
    put_properties(comparison, stream);
    for (size_t i = 0; i < comparison->count; i++)
        put_testcase(verdicts, &comparison->cell[i], stream);
    for (size_t i = 0; i < comparison->numerics; i++)
        put_answer(verdicts, &comparison->numeric[i], stream);
    fputs("  </testsuite>\n</testsuites>\n", stream);
}
