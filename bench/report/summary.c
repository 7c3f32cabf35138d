/* summary.c: the few sentences under the table: what was fastest, against what, and what the copies cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/console.h"
#include "bench/report/parts.h"
#include "bench/report/rate.h"
#include "bench/report/report.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

/* Those of one workload are what all sentences but the last two speak of. */
struct rows {
    const struct duel_result *results;
    size_t count;
    const char *workload;
};

static double volume(const struct duel_result *row)
{
    return shape_size(row->workload, &row->problem);
}

static bool has_time(const struct rows *rows, const struct duel_result *row)
{
    return strcmp(row->workload, rows->workload) == 0 && result_timed(row) && row->kernel.median > 0;
}

static bool same_size(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->workload, b->workload) == 0 && shape_same(&a->problem, &b->problem);
}

/* A row of the largest problem that has a time; NULL without one. */
static const struct duel_result *largest(const struct rows *rows)
{
    const struct duel_result *best = NULL;
    for (size_t i = 0; i < rows->count; i++)
        if (has_time(rows, &rows->results[i]) && (!best || volume(&rows->results[i]) > volume(best)))
            best = &rows->results[i];
    return best;
}

/* The fastest row at the size of `at`, on the CPU or elsewhere; DUEL_NONE takes any input type. */
static const struct duel_result *fastest(const struct rows *rows, const struct duel_result *at, bool cpu,
                                         enum duel_dtype in)
{
    const struct duel_result *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct duel_result *row = &rows->results[i];
        if (has_time(rows, row) && same_size(row, at) && result_on_cpu(row) == cpu &&
            (in == DUEL_NONE || row->problem.types.in == in) && (!best || row->kernel.median < best->kernel.median))
            best = row;
    }
    return best;
}

/* "cpu/gemm/openblas (fp32, 2 threads)". */
static const char *row_words(const struct duel_result *row, char *out, size_t size)
{
    char threads[32] = "";
    if (row->threads > 0)
        snprintf(threads, sizeof threads, row->threads == 1 ? WORDS_THREAD : WORDS_THREADS, row->threads);
    snprintf(out, size, "%s (%s%s)", row->implementation, dtype_name(row->problem.types.in), threads);
    return out;
}

static void say(FILE *stream, const struct duel_console *console, const char *sentence)
{
    console_wrap(stream, console, 0, SHADE_PLAIN, sentence);
}

static void say_cpu(FILE *stream, const struct duel_console *console, const struct duel_result *cpu)
{
    char sentence[600], size[96], label[160], rate[32], serial[32];
    rate_words(cpu, rate, sizeof rate);
    format_number(cpu->speedup_serial, serial, sizeof serial);
    /* A baseline that is itself serial has nothing to tell here. */
    bool compare = *serial && !strstr(cpu->implementation, "/serial");
    snprintf(sentence, sizeof sentence, WORDS_BEST_CPU, shape_words(cpu->workload, &cpu->problem, size, sizeof size),
             row_words(cpu, label, sizeof label), rate, compare ? ", " : "", compare ? serial : "",
             compare ? WORDS_TIMES_SERIAL : "");
    say(stream, console, sentence);
}

/* One sentence about a GPU row; `other` when its inputs are narrower than what it is compared with. */
static void say_gpu(FILE *stream, const struct duel_console *console, const struct duel_result *gpu, bool other)
{
    char sentence[800], label[160], rate[32], kernel[32], whole[32];
    row_words(gpu, label, sizeof label);
    rate_words(gpu, rate, sizeof rate);
    format_number(gpu->speedup_kernel.value, kernel, sizeof kernel);
    format_number(gpu->speedup_end_to_end.value, whole, sizeof whole);
    if (!*gpu->base || !*kernel || !*whole)
        snprintf(sentence, sizeof sentence, WORDS_BEST_GPU_ALONE, label, rate);
    else if (other)
        snprintf(sentence, sizeof sentence, WORDS_OTHER_PRECISION, dtype_name(gpu->problem.types.in),
                 gpu->implementation, rate, kernel, gpu->base, whole);
    else
        snprintf(sentence, sizeof sentence, WORDS_BEST_GPU, label, rate, kernel, gpu->base, whole);
    say(stream, console, sentence);
}

static void uses_words(double uses, char *out, size_t size)
{
    snprintf(out, size, uses < 1e7 ? "%.0f" : "%.3g", uses);
}

/* How often its operands must be used, and what it costs to use it only once. */
static void say_uses(FILE *stream, const struct duel_console *console, const struct duel_result *gpu)
{
    char sentence[600], uses[120], lo[32], hi[32], between[128] = "", time[32], times[32];
    const struct duel_ratio *ratio = &gpu->break_even_reuse;
    const char *why = result_reuse_why(gpu);
    uses_words(ratio->value, uses, sizeof uses);
    uses_words(ratio->lo, lo, sizeof lo);
    uses_words(ratio->hi, hi, sizeof hi);
    if (isfinite(ratio->value) && isfinite(ratio->lo) && isfinite(ratio->hi))
        snprintf(between, sizeof between, WORDS_REUSE_BETWEEN, lo, hi);
    else if (isfinite(ratio->value) && isfinite(ratio->lo))
        snprintf(between, sizeof between, WORDS_REUSE_OPEN, lo);
    snprintf(sentence, sizeof sentence, WORDS_REUSE, why ? why : uses, between);
    if (*gpu->base && (why || isfinite(ratio->value)))
        say(stream, console, sentence);
    format_seconds(console, gpu->cold_s, time, sizeof time);
    format_number(gpu->speedup_cold.value, times, sizeof times);
    snprintf(sentence, sizeof sentence, WORDS_COLD, time, times, gpu->base);
    if (*time && *times)
        say(stream, console, sentence);
}

/* What the GPU rows of one type are at the size of `at`, copies counted: faster when one is, slower when all are. */
static enum duel_side side_at(const struct rows *rows, const struct duel_result *at, enum duel_dtype in)
{
    enum duel_side side = SIDE_UNDECIDED;
    bool any = false;
    for (size_t i = 0; i < rows->count && side != SIDE_FASTER; i++) {
        const struct duel_result *row = &rows->results[i];
        if (!has_time(rows, row) || result_on_cpu(row) || !same_size(row, at) || row->problem.types.in != in)
            continue;
        const enum duel_side own = ratio_side(&row->speedup_end_to_end);
        side = own == SIDE_FASTER || !any || side == own ? own : SIDE_UNDECIDED;
        any = true;
    }
    return side;
}

/* The largest size up to which, counting from the smallest, no GPU row pays end to end. */
static void say_break_even(FILE *stream, const struct duel_console *console, const struct rows *rows,
                           enum duel_dtype in)
{
    const struct duel_result *lost = NULL, *open = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct duel_result *row = &rows->results[i];
        bool gpu = has_time(rows, row) && !result_on_cpu(row) && row->problem.types.in == in;
        if (gpu && side_at(rows, row, in) != SIDE_SLOWER && (!open || volume(row) < volume(open)))
            open = row;
    }
    for (size_t i = 0; i < rows->count; i++) {
        const struct duel_result *row = &rows->results[i];
        bool below =
            has_time(rows, row) && side_at(rows, row, in) == SIDE_SLOWER && (!open || volume(row) < volume(open));
        if (below && (!lost || volume(row) > volume(lost)))
            lost = row;
    }
    char sentence[300], size[96];
    if (lost) {
        snprintf(sentence, sizeof sentence, WORDS_BREAK_EVEN,
                 shape_words(lost->workload, &lost->problem, size, sizeof size));
        say(stream, console, sentence);
    }
}

static void say_failures(FILE *stream, const struct duel_console *console, const struct rows *rows)
{
    int failed = 0;
    for (size_t i = 0; i < rows->count; i++)
        failed += rows->results[i].status == ROW_FAILED;
    char sentence[200];
    snprintf(sentence, sizeof sentence, WORDS_FAILURES, failed, failed == 1 ? "" : "s", failed == 1 ? "has" : "have");
    if (failed)
        say(stream, console, sentence);
}

/* What the rows of one workload say. */
static void say_workload(FILE *stream, const struct duel_console *console, const struct rows *rows,
                         const struct duel_result *at)
{
    const struct duel_result *cpu = fastest(rows, at, true, DUEL_NONE);
    const enum duel_dtype in = cpu ? cpu->problem.types.in : DUEL_NONE;
    const struct duel_result *gpu = fastest(rows, at, false, in), *any = fastest(rows, at, false, DUEL_NONE);
    if (cpu)
        say_cpu(stream, console, cpu);
    if (gpu)
        say_gpu(stream, console, gpu, false);
    if (gpu)
        say_uses(stream, console, gpu);
    if (any && any != gpu)
        say_gpu(stream, console, any, true);
    if (gpu && cpu)
        say_break_even(stream, console, rows, in);
}

void table_summary(FILE *stream, const struct duel_result *results, size_t count)
{
    struct duel_console console = console_of(stream);
    struct rows rows = {results, count, ""};
    const bool several = parts_several(results, count);
    bool any = false, gpu = false;
    fputc('\n', stream);
    for (size_t i = 0; i < count; i++) {
        gpu = gpu || (result_timed(&results[i]) && !result_on_cpu(&results[i]));
        if (!parts_begin(results, i))
            continue;
        rows.workload = results[i].workload;
        const struct duel_result *at = largest(&rows);
        if (!at)
            continue;
        if (several)
            fprintf(stream, "%s%s%s%s\n", any ? "\n" : "", console_shade(&console, SHADE_BOLD), rows.workload,
                    console_end(&console));
        say_workload(stream, &console, &rows, at);
        any = true;
    }
    if (any && !gpu && several)
        fputc('\n', stream);
    if (any && !gpu)
        say(stream, &console, WORDS_NO_GPU);
    say_failures(stream, &console, &rows);
}
