/* whole.h: files that others read at any moment: they are replaced as a whole, and never seen half written. */
#ifndef DUEL_WHOLE_H
#define DUEL_WHOLE_H

#include "bench/duel.h"

/* Writes `text` beside `path` and then renames it; "-" is stdout. `option` names the option for messages. */
enum duel_status whole_write(const char *path, const char *option, const char *text, size_t size, struct duel_why *why);
/* Can it be written? Leaves nothing behind. NULL and "-" can. */
enum duel_status whole_check(const char *path, const char *option, struct duel_why *why);

#endif
