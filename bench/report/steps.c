/* steps.c: the four steps of a GPU program with their times; a full bar would be the whole. */
#include <math.h>
#include <string.h>

#include "bench/report/console.h"
#include "bench/report/report.h"
#include "bench/report/words.h"

#define BAR 40 /* columns of a step that takes all the time */

struct step {
    const char *name;
    double (*seconds)(const struct duel_result *row);
    bool device;   /* does not exist on the CPU */
    bool optional; /* left out when it did not happen */
};

static double read_of(const struct duel_result *row)
{
    return row->read_s;
}

static double convert_of(const struct duel_result *row)
{
    return row->convert_s;
}

static double h2d_of(const struct duel_result *row)
{
    return row->h2d.median;
}

static double kernel_of(const struct duel_result *row)
{
    return row->kernel.median;
}

static double d2h_of(const struct duel_result *row)
{
    return row->d2h.median;
}

static double write_of(const struct duel_result *row)
{
    return row->write_s;
}

static const struct step steps[] = {
    {WORDS_STEP_READ, read_of, false, false}, {WORDS_STEP_CONVERT, convert_of, false, true},
    {WORDS_STEP_H2D, h2d_of, true, false},    {WORDS_STEP_KERNEL, kernel_of, false, false},
    {WORDS_STEP_D2H, d2h_of, true, false},    {WORDS_STEP_WRITE, write_of, false, true},
};
#define STEPS (sizeof steps / sizeof *steps)

static double total_of(const struct duel_result *row)
{
    double total = 0;
    for (size_t s = 0; s < STEPS; s++)
        total += steps[s].seconds(row) > 0 ? steps[s].seconds(row) : 0; /* NaN is not above 0 */
    return total;
}

/* A bar of full blocks and one partial block, or of '#'. What is too short to see still gets a mark. */
static void put_bar(FILE *stream, const struct duel_console *console, double share)
{
    static const char *const eighth[] = {"",
                                         "\342\226\217",
                                         "\342\226\216",
                                         "\342\226\215",
                                         "\342\226\214",
                                         "\342\226\213",
                                         "\342\226\212",
                                         "\342\226\211"};
    int parts = (int)lround(share * BAR * 8);
    parts = parts > 0 ? parts : 1;
    if (!console->utf8) {
        fprintf(stream, "%.*s", parts / 8 > 0 ? parts / 8 : 1, "########################################");
        return;
    }
    for (int i = 0; i < parts / 8; i++)
        fputs("\342\226\210", stream);
    fputs(eighth[parts % 8], stream);
}

static void put_step(FILE *stream, const struct duel_console *console, const struct step *step,
                     const struct duel_result *row, int number, double total)
{
    double seconds = step->seconds(row);
    char time[32];
    format_seconds(console, seconds, time, sizeof time);
    fprintf(stream, "  %d %-18s %9s  ", number, step->name, time);
    if (*time)
        fprintf(stream, "%3.0f %%  ", 100 * seconds / total);
    if (*time)
        put_bar(stream, console, seconds / total);
    else
        fprintf(stream, "%s%s%s", console_shade(console, SHADE_DIM),
                step->device && result_on_cpu(row) ? WORDS_STEP_NONE : WORDS_STEP_UNKNOWN, console_end(console));
    fputc('\n', stream);
}

static void put_steps(FILE *stream, const struct duel_console *console, const struct duel_result *row)
{
    char label[160], time[32], heading[240];
    int number = 0;
    double total = total_of(row);
    format_seconds(console, total, time, sizeof time);
    snprintf(heading, sizeof heading, WORDS_STEPS_TOTAL, result_label(row, label, sizeof label), row->device, time);
    fprintf(stream, "\n%s%s%s\n", console_shade(console, SHADE_BOLD), heading, console_end(console));
    for (size_t s = 0; s < STEPS; s++)
        if (!steps[s].optional || steps[s].seconds(row) > 0)
            put_step(stream, console, &steps[s], row, ++number, total);
}

/* Two rows tell the story: the fastest on the CPU beside the fastest with copies. */
void table_steps(FILE *stream, const struct duel_result *results, size_t count)
{
    struct duel_console console = console_of(stream);
    for (int cpu = 1; cpu >= 0; cpu--) {
        const struct duel_result *best = NULL;
        for (size_t i = 0; i < count; i++)
            if (result_timed(&results[i]) && total_of(&results[i]) > 0 && result_on_cpu(&results[i]) == (cpu == 1) &&
                (!best || total_of(&results[i]) < total_of(best)))
                best = &results[i];
        if (best)
            put_steps(stream, &console, best);
    }
}
