/* margin.c: the source of a kernel with its counts in the margin. A line that does several kinds of access has a row of
 * the margin for each. */
#include <stdlib.h>
#include <string.h>

#include "bench/trace/trace.h"

static const char *const access_name[] = {"load", "store", "atomic"};

/* What stands at a line of the file that holds the kernel. */
static bool is_here(const struct duel_trace *trace, const struct duel_trace_place *place, size_t line)
{
    return (size_t)place->line == line && strcmp(trace_file(place->file), trace_source_file(trace)) == 0;
}

#define MARGIN_WIDTH 60

static void print_head(void)
{
    printf("%-15s %9s %5s %14s %8s  %4s\n", "access", "requests", "lanes", "cost (best)", "flops", "line");
}

/* Sectors or rounds per request, and how few there could be. */
static void print_access(const struct duel_trace_line *line, const char *flops)
{
    char what[32], cost[32], requests[24];
    const double n = (double)line->requests;
    snprintf(what, sizeof what, "%s %s%s", line->shared ? "shared" : "global", access_name[line->access],
             line->uncertain ? "~" : "");
    snprintf(cost, sizeof cost, "%.2f (%.2f)", (double)line->units / n, (double)line->units_best / n);
    printf("%-15s %9s %5.1f %14s %8s", what, trace_number(n, requests, sizeof requests), (double)line->lanes / n, cost,
           flops);
}

static const char *flops_at(const struct duel_trace *trace, size_t line, char *out, size_t size)
{
    double flops = 0;
    for (size_t k = 0; k < trace->kernels; k++)
        for (int64_t i = 0; i < trace->kernel[k].about.flops; i++) {
            const struct duel_trace_flops *at = &trace->kernel[k].flops[i];
            if (!is_here(trace, &at->place, line))
                continue;
            flops += (double)at->tensor;
            for (int type = 0; type < DUEL_DTYPES; type++)
                flops += (double)at->count[type];
        }
    return flops > 0 ? trace_number(flops, out, size) : "";
}

static const struct duel_trace_meeting *meeting_at(const struct duel_trace *trace, size_t line)
{
    for (size_t k = 0; k < trace->kernels; k++)
        for (int64_t i = 0; i < trace->kernel[k].about.meetings; i++)
            if (is_here(trace, &trace->kernel[k].meeting[i].place, line))
                return &trace->kernel[k].meeting[i];
    return NULL;
}

/* One line of the source with all its margins; `mark` stands before it. */
static void print_line(const struct duel_trace *trace, size_t number, char mark, const char *text)
{
    char flops[24], waits[24];
    int rows = 0;
    flops_at(trace, number, flops, sizeof flops);
    const char *arithmetic = flops_at(trace, number, flops, sizeof flops);
    for (size_t k = 0; k < trace->kernels; k++)
        for (int64_t i = 0; i < trace->kernel[k].about.lines; i++) {
            if (!is_here(trace, &trace->kernel[k].line[i].place, number))
                continue;
            print_access(&trace->kernel[k].line[i], rows == 0 ? arithmetic : "");
            if (rows++ == 0)
                printf(" %c%4zu  %s\n", mark, number, text);
            else
                printf("\n");
        }
    if (rows > 0)
        return;
    const struct duel_trace_meeting *meeting = meeting_at(trace, number);
    if (meeting)
        printf("%-15s %9s %5s %14s %8s", meeting->barrier ? "barrier" : "warp meets",
               trace_number((double)(meeting->barrier ? meeting->blocks : meeting->warps), waits, sizeof waits), "", "",
               arithmetic);
    else
        printf("%*s%8s", MARGIN_WIDTH - 13, "", arithmetic);
    printf(" %c%4zu  %s\n", mark, number, text);
}

/* The kernel without the comment at the top and the descriptor at the end: from the first to the last line that has a
 * count, with some lines around. */
static void span(const struct duel_trace *trace, const struct duel_source *source, size_t *first, size_t *last)
{
    char flops[24];
    *first = source->count;
    *last = 0;
    for (size_t line = 1; line <= source->count; line++) {
        bool any = *flops_at(trace, line, flops, sizeof flops) || meeting_at(trace, line);
        for (size_t k = 0; k < trace->kernels && !any; k++)
            for (int64_t i = 0; i < trace->kernel[k].about.lines && !any; i++)
                any = is_here(trace, &trace->kernel[k].line[i].place, line);
        if (any && line < *first)
            *first = line;
        if (any)
            *last = line;
    }
    *first = *first > 14 ? *first - 14 : 1;
    *last = *last + 3 < source->count ? *last + 3 : source->count;
}

/* Accesses whose line is not among those that are shown: in another file, not known, or none are shown. */
static void print_elsewhere(const struct duel_trace *trace, bool none_shown)
{
    char place[240];
    const char *file = trace_source_file(trace);
    for (size_t k = 0; k < trace->kernels; k++)
        for (int64_t i = 0; i < trace->kernel[k].about.lines; i++) {
            const struct duel_trace_line *line = &trace->kernel[k].line[i];
            if (!none_shown && strcmp(trace_file(line->place.file), file) == 0)
                continue;
            snprintf(place, sizeof place, "%.160s:%d", trace_file(line->place.file), line->place.line);
            print_access(line, "");
            printf("        %s\n", *line->place.file ? place : "line not known");
        }
}

void trace_print_source(const struct duel_trace *trace, const struct duel_source *source)
{
    size_t first = 1, last = 0;
    if (source->count > 0)
        span(trace, source, &first, &last);
    print_head();
    for (size_t line = first; line <= last; line++)
        print_line(trace, line, ' ', source->line[line - 1]);
    print_elsewhere(trace, source->count == 0);
    printf("\ncost: sectors of 32 bytes per global request, rounds over the 32 banks per shared request\n");
    if (trace->total.uncertain > 0)
        printf("~: lanes took different ways; these requests were put together by loop rounds, which can be wrong\n");
}

/* ---- what changed ----------------------------------------------------------------------------------------------- */

/* Longest common subsequence of two files: length[i][j] of what is left from lines i and j on. */
static unsigned short *common(const struct duel_source *a, const struct duel_source *b)
{
    const size_t width = b->count + 1;
    unsigned short *length = calloc((a->count + 1) * width, sizeof *length);
    for (size_t i = a->count; length && i-- > 0;)
        for (size_t j = b->count; j-- > 0;) {
            const unsigned short down = length[(i + 1) * width + j], right = length[i * width + j + 1];
            length[i * width + j] = strcmp(a->line[i], b->line[j]) == 0
                                        ? (unsigned short)(length[(i + 1) * width + j + 1] + 1)
                                        : (down > right ? down : right);
        }
    return length;
}

void trace_print_diff(const struct duel_trace *trace, const struct duel_source *source, const struct duel_trace *below,
                      const struct duel_source *below_source)
{
    size_t first, last, below_first, below_last, i, j;
    unsigned short *length = common(below_source, source);
    const size_t width = source->count + 1;
    span(trace, source, &first, &last);
    span(below, below_source, &below_first, &below_last);
    printf("- %s\n+ %s\n", below->impl->name, trace->impl->name);
    print_head();
    for (i = 0, j = 0; length && (i < below_source->count || j < source->count);) {
        const bool same =
            i < below_source->count && j < source->count && strcmp(below_source->line[i], source->line[j]) == 0;
        const bool gone = !same && i < below_source->count &&
                          (j == source->count || length[(i + 1) * width + j] >= length[i * width + j + 1]);
        if (gone) {
            if (i + 1 >= below_first && i + 1 <= below_last)
                print_line(below, i + 1, '-', below_source->line[i]);
            i++;
            continue;
        }
        if (j + 1 >= first && j + 1 <= last)
            print_line(trace, j + 1, same ? ' ' : '+', source->line[j]);
        i += same;
        j++;
    }
    free(length);
}
