/* running.h: which call of an implementation runs now, so that a crash inside it has a name. */
#ifndef DUEL_RUNNING_H
#define DUEL_RUNNING_H

#include "bench/duel.h"

struct duel_running {
    const char *name, *device, *phase; /* "cpu/gemm/serial", "cpu", "while it was timed"; texts that outlive the call */
    struct duel_problem problem;
    int threads;
    bool inside; /* false: it has returned; what it did to memory may show only later */
};

void running_begin(const char *name, const char *device, const char *phase, const struct duel_problem *problem,
                   int threads);
void running_end(void);
/* The call that runs now, or else the last one; NULL before the first. May be called by a signal handler. */
const struct duel_running *running_now(void);

#endif
