/* table.c: one table per problem size; a column that is empty in every row is left out. */
#include <math.h>
#include <string.h>

#include "bench/report/columns.h"
#include "bench/report/report.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"
#include "bench/workload/workload.h"

static bool same_problem(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->workload, b->workload) == 0 && shape_same(&a->problem, &b->problem) &&
           a->problem.alpha == b->problem.alpha && a->problem.beta == b->problem.beta;
}

/* Rows of one problem, from `first` up to `end`; skipped ones have their own lines. */
struct group {
    const struct duel_result *first, *end;
};

static bool shown(const struct group *group, const struct duel_result *row)
{
    return row->status != ROW_SKIPPED && same_problem(group->first, row);
}

static void put_cell(const struct duel_view *view, const char *text, int width, bool left, enum duel_shade shade)
{
    int pad = width > format_width(text) ? width - format_width(text) : 0;
    fprintf(view->stream, "  %*s%s%s%s%*s", left ? 0 : pad, "", console_shade(view->console, shade), text,
            console_end(view->console), left ? pad : 0, "");
}

/* The baseline when there is one for all rows; several types have several. */
static const char *common_base(const struct group *group)
{
    const char *base = "";
    for (const struct duel_result *row = group->first; row < group->end; row++) {
        if (!shown(group, row) || !result_timed(row) || !*row->base)
            continue;
        if (*base && strcmp(base, row->base) != 0)
            return WORDS_SEVERAL_BASES;
        base = row->base;
    }
    return base;
}

static void put_heading(const struct duel_view *view, const struct group *group)
{
    const struct duel_problem *problem = &group->first->problem;
    const char *base = common_base(group);
    char size[100];
    fprintf(view->stream, "\n%s", console_shade(view->console, SHADE_BOLD));
    fprintf(view->stream, WORDS_PROBLEM, group->first->workload,
            shape_words(group->first->workload, problem, size, sizeof size));
    fprintf(view->stream, "%s", console_end(view->console));
    if (problem->alpha != 1 || problem->beta != 0)
        fprintf(view->stream, WORDS_FACTORS, problem->alpha, problem->beta);
    if (*base)
        fprintf(view->stream, WORDS_AGAINST, base);
    fputc('\n', view->stream);
}

/* 0 for a column that is empty in every row. */
static void measure_columns(const struct duel_view *view, const struct group *group, int *width)
{
    for (int c = 0; duel_columns[c].head; c++) {
        width[c] = 0;
        for (const struct duel_result *row = group->first; row < group->end; row++) {
            char text[DUEL_CELL] = "";
            if (shown(group, row))
                duel_columns[c].cell(view, row, text);
            width[c] = format_width(text) > width[c] ? format_width(text) : width[c];
        }
    }
}

static int last_column(const int *width)
{
    int last = 0;
    for (int c = 0; duel_columns[c].head; c++)
        last = width[c] > 0 ? c : last;
    return last;
}

static void put_heads(const struct duel_view *view, int *width)
{
    for (int c = 0; duel_columns[c].head; c++) {
        const struct duel_column *column = &duel_columns[c];
        const char *head = view->console->utf8 && column->head_utf8 ? column->head_utf8 : column->head;
        if (width[c] == 0)
            continue;
        width[c] = format_width(head) > width[c] ? format_width(head) : width[c];
        put_cell(view, head, last_column(width) == c && column->left ? 0 : width[c], column->left, SHADE_DIM);
    }
    fputc('\n', view->stream);
}

/* Ends after its last cell that is not empty, so that no line ends in blanks. */
static void put_row(const struct duel_view *view, const struct duel_result *row, const int *width)
{
    bool failed = row->status == ROW_FAILED;
    char text[DUEL_COLUMNS][DUEL_CELL] = {{0}};
    int last = 0;
    for (int c = 0; duel_columns[c].head; c++) {
        duel_columns[c].cell(view, row, text[c]);
        last = *text[c] ? c : last;
    }
    for (int c = 0; c <= last; c++) {
        const struct duel_column *column = &duel_columns[c];
        if (width[c] > 0)
            put_cell(view, text[c], c == last && column->left ? 0 : width[c], column->left,
                     failed ? SHADE_RED : column->shade);
    }
    fputc('\n', view->stream);
    if (failed)
        console_wrap(view->stream, view->console, 6, SHADE_RED, *row->reason ? row->reason : WORDS_NO_REASON);
}

/* Set-up costs are no part of a sample, but a program that multiplies once pays them: they get a line of their own. */
static void put_one_time_costs(const struct duel_view *view, const struct group *group)
{
    char text[2000] = WORDS_ONCE;
    bool any = false;
    for (const struct duel_result *row = group->first; row < group->end; row++) {
        char time[32];
        size_t used = strlen(text);
        if (!shown(group, row) || !result_timed(row) || !(row->first_call_s > 10 * row->kernel.median))
            continue;
        format_seconds(view->console, row->first_call_s, time, sizeof time);
        used += (size_t)snprintf(text + used, sizeof text - used, WORDS_ONCE_CALL, any ? "; " : " ",
                                 row->implementation, time);
        any = true;
        format_seconds(view->console, row->allocate_s, time, sizeof time);
        if (*time && used < sizeof text)
            snprintf(text + used, sizeof text - used, WORDS_ONCE_ALLOCATE, time);
        if (strlen(text) > sizeof text - 300)
            break;
    }
    if (any)
        console_wrap(view->stream, view->console, 2, SHADE_DIM, text);
}

static void put_group(struct duel_view *view, const struct group *group)
{
    int width[DUEL_COLUMNS];
    bool emulated = false;
    view->copies = false;
    for (const struct duel_result *row = group->first; row < group->end; row++) {
        view->copies |= shown(group, row) && result_timed(row) && !result_on_cpu(row);
        emulated |= shown(group, row) && row->emulated && row->status != ROW_FAILED;
    }
    measure_columns(view, group, width);
    put_heading(view, group);
    put_heads(view, width);
    for (const struct duel_result *row = group->first; row < group->end; row++)
        if (shown(group, row))
            put_row(view, row, width);
    put_one_time_costs(view, group);
    if (emulated)
        console_wrap(view->stream, view->console, 2, SHADE_DIM, WORDS_EMULATED);
}

void table_workload(FILE *stream, const struct duel_workload *workload)
{
    struct duel_console console = console_of(stream);
    char text[600];
    snprintf(text, sizeof text, WORDS_WORKLOAD, workload->name, workload->formula, workload->doc);
    fputc('\n', stream);
    console_wrap(stream, &console, 0, SHADE_BOLD, text);
}

void table_rows(FILE *stream, const struct duel_result *results, size_t count)
{
    struct duel_console console = console_of(stream);
    struct duel_view view = {.console = &console, .stream = stream};
    for (size_t i = 0; i < count; i++) {
        struct group group = {&results[i], results + count};
        bool begun = results[i].status == ROW_SKIPPED;
        for (size_t j = 0; j < i && !begun; j++)
            begun = results[j].status != ROW_SKIPPED && same_problem(&results[j], &results[i]);
        if (!begun)
            put_group(&view, &group);
    }
}

void table_results(FILE *stream, const struct duel_result *results, size_t count)
{
    table_rows(stream, results, count);
    table_skipped(stream, results, count);
}
