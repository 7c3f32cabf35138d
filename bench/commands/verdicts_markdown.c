/* verdicts_markdown.c: a comparison for a pull request: the answer, what is not the same, and what else changed. */
#include "bench/commands/verdicts.h"

static const struct verdicts_escape in_markdown[] = {{'|', "\\|"}, {'<', "&lt;"}, {'`', "'"}, {'*', "\\*"}, {0, NULL}};

static void put_row(const struct judge_cell *cell, FILE *stream)
{
    char name[300];
    fprintf(stream, "| %s | ",
            cell->finding.verdict == JUDGE_SLOWER ? "**slower**" : judge_verdict_name(cell->finding.verdict));
    verdicts_put(stream, comparison_case(cell->a, cell->metric, name, sizeof name), in_markdown);
    fputs(" | ", stream);
    verdicts_words(stream, cell, in_markdown);
    fputs(" |\n", stream);
}

static void put_differences(const struct judge_comparison *comparison, FILE *stream)
{
    if (comparison->differences == 0)
        return;
    fputs("\n| what else changed | where | before | after | could explain it |\n|---|---|---|---|---|\n", stream);
    for (int i = 0; i < comparison->differences; i++) {
        const struct judge_difference *difference = &comparison->difference[i];
        const char *const texts[] = {difference->title, difference->where, difference->before, difference->after};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
            fputs("| ", stream);
            verdicts_put(stream, texts[t], in_markdown);
            fputc(' ', stream);
        }
        fprintf(stream, "| %s |\n", difference->reaches & comparison->changed ? "yes" : "no");
    }
}

void verdicts_markdown(const struct verdicts *verdicts, FILE *stream)
{
    static const enum judge_verdict shown[] = {JUDGE_SLOWER, JUDGE_FASTER, JUDGE_INCOMPARABLE, JUDGE_INCONCLUSIVE};
    const struct judge_comparison *comparison = verdicts->comparison;
    char line[900];
    verdicts_line(verdicts, line, sizeof line);
    fprintf(stream, "### duel: %s\n\n", verdicts_code(verdicts) == EXIT_DONE ? "passed" : "NOT passed");
    verdicts_put(stream, line, in_markdown);
    fputs("\n", stream);
    if (comparison->tally[JUDGE_SAME] < comparison->count)
        fputs("\n| verdict | what was timed | change of its time |\n|---|---|---|\n", stream);
    for (size_t s = 0; s < sizeof shown / sizeof *shown; s++)
        for (size_t i = 0; i < comparison->count; i++)
            if (comparison->cell[i].finding.verdict == shown[s])
                put_row(&comparison->cell[i], stream);
    for (size_t i = 0; i < comparison->numerics; i++) {
        char name[300];
        fputs(i == 0 ? "\nOther answers than before:\n\n- " : "- ", stream);
        verdicts_put(stream, comparison_case(comparison->numeric[i].a, JUDGE_KERNEL, name, sizeof name), in_markdown);
        fprintf(stream, ": %s\n", comparison->numeric[i].words);
    }
    put_differences(comparison, stream);
}
