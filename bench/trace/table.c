/* table.c: one line per trace, as CSV. */
#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/record/csv.h"
#include "bench/trace/trace.h"

/* What was not counted has an empty cell. */
static void cell(FILE *stream, double value)
{
    fputc(',', stream);
    if (isfinite(value))
        csv_real(stream, value);
}

/* Of a kind of work that nothing was seen of, nothing is known either. */
static double seen(double count)
{
    return count > 0 ? count : NAN;
}

void trace_csv(FILE *stream, const struct duel_trace *const *trace, size_t count)
{
    fprintf(stream, "implementation,m,n,k,precision,global_bytes,global_requests,global_sectors,global_sectors_best,"
                    "shared_asked_bytes,shared_rounds,shared_rounds_best,flops,tensor_flops,busy_lanes_share,barriers,"
                    "atomics,uncertain_requests\n");
    for (size_t i = 0; i < count; i++) {
        const struct duel_problem *p = &trace[i]->problem;
        const struct duel_trace_totals *t = &trace[i]->total;
        fprintf(stream, "%s,%lld,%lld,%lld,%s", trace[i]->impl->name, (long long)p->m, (long long)p->n, (long long)p->k,
                dtype_name(p->types.in));
        const double values[] = {seen(t->global_bytes), seen(t->requests), seen(t->sectors),     seen(t->sectors_best),
                                 seen(t->shared_bytes), seen(t->rounds),   seen(t->rounds_best), t->all_flops,
                                 seen(t->tensor_flops), t->efficiency,     seen(t->barriers),    seen(t->atomics),
                                 t->uncertain};
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            cell(stream, values[v]);
        fputc('\n', stream);
    }
}
