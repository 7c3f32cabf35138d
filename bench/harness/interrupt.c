#include "bench/harness/interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t pending; /* written by the handler alone: the one variable a handler may touch */

static void remember(int signal_number)
{
    pending = signal_number;
}

void interrupt_install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    /* SA_RESETHAND: once is a request, twice is an order. SA_RESTART: a write of a record is not cut short. */
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL); /* the terminal went away, as when ssh is lost */
    /* A reader that has gone and a file that may not grow become errors of write(), which are told and end nothing. */
    action.sa_handler = SIG_IGN;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

int interrupt_pending(void)
{
    return (int)pending;
}
