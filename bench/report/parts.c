#include "bench/report/parts.h"

#include <string.h>

bool parts_begin(const struct duel_result *results, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (result_timed(&results[i]) && strcmp(results[i].workload, results[at].workload) == 0)
            return false;
    return result_timed(&results[at]);
}

bool parts_several(const struct duel_result *results, size_t count)
{
    int begun = 0;
    for (size_t i = 0; i < count && begun < 2; i++)
        begun += parts_begin(results, i);
    return begun > 1;
}
