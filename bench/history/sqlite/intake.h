/* intake.h: a run file on its way into the data base. Private to import.c and intake.c. */
#ifndef DUEL_HISTORY_INTAKE_H
#define DUEL_HISTORY_INTAKE_H

#include "bench/history/sqlite/store.h"
#include "bench/record/reader.h"

struct intake {
    struct duel_history *history;
    struct duel_reader *reader;
    struct store_pack *pack;
    struct history_intake *told;
    json_t *head, *host, *devices; /* the records of the run; devices by their ids */
    int64_t run, started;
    bool ended;
    char outcome[32];
};

/* Is this row one that a trend shows: measured, or tried and failed? */
bool intake_wants(const struct duel_result *result);
/* Adds it as a point of its series. */
enum duel_status intake_result(struct intake *intake, const struct duel_result *result, struct duel_why *why);

#endif
