#include "bench/report/rate.h"

#include <math.h>
#include <string.h>

#include "bench/report/console.h"
#include "bench/workload/workload.h"

bool rate_is_bytes(const char *name)
{
    const struct duel_workload *workload = workload_find(name, strlen(name));
    return workload && workload->memory_bound;
}

struct duel_rate rate_of(const struct duel_result *row)
{
    const double work = rate_is_bytes(row->workload) ? row->bytes : row->flops;
    if (!result_timed(row) || !(work > 0) || !(row->kernel.median > 0))
        return (struct duel_rate){NAN, NAN, NAN};
    return (struct duel_rate){work / row->kernel.median / 1e9, work / row->kernel.ci_hi / 1e9,
                              work / row->kernel.ci_lo / 1e9};
}

void rate_words(const struct duel_result *row, char *out, size_t size)
{
    if (rate_is_bytes(row->workload))
        format_bandwidth(rate_of(row).value, out, size);
    else
        format_rate(rate_of(row).value, out, size);
}
