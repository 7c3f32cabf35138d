/* trace_report.h: private to what only duel-emulated-hooked.so holds: a trace by source lines, as bench/inspect.h
 * tells it. Each function is false past the end. */
#ifndef EMULATED_TRACE_REPORT_H
#define EMULATED_TRACE_REPORT_H

#include "bench/inspect.h"

namespace emulated
{

void report_clear();
bool report_kernel(int64_t kernel, struct duel_trace_kernel *out);
bool report_line(int64_t kernel, int64_t index, struct duel_trace_line *out);
bool report_flops(int64_t kernel, int64_t index, struct duel_trace_flops *out);
bool report_meeting(int64_t kernel, int64_t index, struct duel_trace_meeting *out);
bool report_sample(int64_t kernel, int64_t index, struct duel_trace_sample *out);

} // namespace emulated

#endif
