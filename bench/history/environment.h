/* environment.h: what surrounds a row and may change its time: driver, libraries, compiler, modes. */
#ifndef DUEL_HISTORY_ENVIRONMENT_H
#define DUEL_HISTORY_ENVIRONMENT_H

#include <jansson.h>

#include "bench/record/result.h"

/* The facts of a row as JSON text, always in the same order, so that equal environments have equal texts. `host` and
 * `device` (the row's) are records of the run and may be NULL; `version` is the program's. The caller frees it; NULL:
 * out of memory. */
char *environment_facts(const json_t *host, const json_t *device, const char *version,
                        const struct duel_result *result);
/* "driver 550.54 -> 555.42, kernel 6.8.0 -> 6.9.1": what differs, by suspicion; of the first environment (before is
 * NULL) the facts that name a version. Returns how many differ. */
int environment_difference(const char *before, const char *after, char *out, size_t size);

#endif
