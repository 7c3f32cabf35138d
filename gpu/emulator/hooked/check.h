/* check.h: strict mode: watches kernels for what CUDA forbids. */
#ifndef EMULATED_CHECK_H
#define EMULATED_CHECK_H

#include "bench/inspect.h"
#include "gpu/emulator/watch.h"

namespace emulated
{

extern const watcher checker;

void check_clear();
int64_t check_findings();
bool check_finding(int64_t index, duel_finding *finding);

} // namespace emulated

#endif
