/* process.h: duel, started again as a process of its own. */
#ifndef DUEL_PROCESS_H
#define DUEL_PROCESS_H

#include "bench/duel.h"

enum process_watch {
    PROCESS_TIME,   /* its duration alone; its output is thrown away */
    PROCESS_TEXT,   /* what it prints is kept */
    PROCESS_MEMORY, /* its memory is looked at every millisecond, which makes its duration inexact */
};

struct process_outcome {
    double seconds;      /* from before its start until after its end */
    double processor_s;  /* that it and its own children worked */
    uint64_t peak_bytes; /* most memory that it held at once; 0: not known */
    int exit_status;     /* 128 + the signal when one ended it */
    char *text;          /* its stdout, to be freed; NULL unless asked for */
};

/* Runs `program` with arguments[1] .. (arguments[0] is its name, NULL ends them, none is changed), stdin and stderr
 * from and to /dev/null. A status only when it could not be started or read. */
enum duel_status process_run(const char *program, char *const *arguments, enum process_watch watch,
                             struct process_outcome *outcome, struct duel_why *why);

#endif
