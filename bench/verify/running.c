#include "bench/verify/running.h"

#include <signal.h>

/* For the handler of a signal, which nobody can hand anything: the thread that calls writes it, the thread that crashes
 * reads it. */
static struct duel_running call;
static volatile sig_atomic_t known;

void running_begin(const char *name, const char *device, const char *phase, const struct duel_problem *problem,
                   int threads)
{
    known = 0; /* a crash in the middle of these lines is none of an implementation */
    call = (struct duel_running){name, device, phase, *problem, threads, true};
    known = 1;
}

void running_end(void)
{
    call.inside = false;
}

const struct duel_running *running_now(void)
{
    return known ? &call : NULL;
}
