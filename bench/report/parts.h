/* parts.h: a run over several workloads is told workload by workload, in the order of its rows. */
#ifndef DUEL_REPORT_PARTS_H
#define DUEL_REPORT_PARTS_H

#include "bench/record/result.h"

/* Is row `at` the first with a time of its workload? */
bool parts_begin(const struct duel_result *results, size_t at);
/* Have rows of more than one workload a time? */
bool parts_several(const struct duel_result *results, size_t count);

#endif
