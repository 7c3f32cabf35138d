#include "bench/harness/interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t pending; /* written by the handler alone: the one variable a handler may touch */

static void remember(int signal_number)
{
    pending = signal_number;
}

/* Who started the program with a signal ignored, as nohup does with SIGHUP and a shell for what it runs in the
 * background with SIGINT, wants it to go on. */
static void obey(int signal_number, const struct sigaction *action)
{
    struct sigaction before;
    if (sigaction(signal_number, NULL, &before) != 0 || before.sa_handler != SIG_IGN)
        sigaction(signal_number, action, NULL);
}

void interrupt_install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    /* SA_RESETHAND: once is a request, twice is an order. SA_RESTART: a write of a record is not cut short. */
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    obey(SIGINT, &action);
    obey(SIGTERM, &action);
    obey(SIGHUP, &action); /* the terminal went away, as when ssh is lost */
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
