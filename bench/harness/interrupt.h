/* interrupt.h: Ctrl-C and SIGTERM end a run between two samples, so that all that was measured is kept. */
#ifndef DUEL_INTERRUPT_H
#define DUEL_INTERRUPT_H

/* Installs handlers for SIGINT and SIGTERM. The second signal ends the program at once, by the default action. */
void interrupt_install(void);
/* The signal that arrived, or 0. */
int interrupt_pending(void);

#endif
