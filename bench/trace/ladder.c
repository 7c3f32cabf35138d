/* ladder.c: the picture of a ladder: how much each rung asks of global memory. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/picture.h"
#include "bench/trace/trace.h"

struct ladder {
    const struct duel_trace *const *trace;
    size_t count;
};

static enum duel_status plot(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct ladder *ladder = context;
    char label[80], subtitle[160];
    double most = 0, least = INFINITY;
    (void)why;
    *drawn = ladder->count > 0;
    if (!*drawn)
        return DUEL_OK;
    const struct duel_problem *p = &ladder->trace[0]->problem;
    snprintf(subtitle, sizeof subtitle, "%lld x %lld x %lld, counted on the emulated GPU", (long long)p->m,
             (long long)p->n, (long long)p->k);
    script_titles(script, "How much does each rung ask of global memory?", subtitle,
                  "a model of the source without caches; shorter is better");
    script_number(script, "rows", (double)ladder->count);
    script_array(script, "name", ladder->count);
    script_array(script, "total", ladder->count);
    for (size_t i = 0; i < ladder->count; i++) {
        const double bytes = ladder->trace[i]->total.global_bytes;
        const char *name = strrchr(ladder->trace[i]->impl->name, '/');
        snprintf(label, sizeof label, "%.50s %s", name ? name + 1 : "", dtype_name(ladder->trace[i]->problem.types.in));
        script_text_element(script, "name", i + 1, label);
        script_text_element(script, "total", i + 1, trace_bytes(bytes, label, sizeof label));
        most = fmax(most, bytes);
        least = fmin(least, bytes);
        fprintf(script->data, "%zu ", i + 1);
        script_value(script, bytes);
        fputc('\n', script->data);
    }
    script_number(script, "x_low", pow(10, floor(log10(least > 0 ? least : 1)) - 1));
    script_number(script, "x_high", most > 0 ? most * 4 : 1);
    return DUEL_OK;
}

enum duel_status trace_plot(const char *dir, const struct duel_trace *const *trace, size_t count, bool terminal,
                            struct duel_why *why)
{
    const struct ladder ladder = {trace, count};
    const struct duel_picture picture = {"traffic", "ladder", plot, &ladder};
    const struct duel_plot_request request = {.dir = dir, .machine = "", .terminal = terminal, .stream = stdout};
    return pictures_write(&request, &picture, 1, why);
}
