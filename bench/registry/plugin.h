/* plugin.h: private to registry/. */
#ifndef DUEL_PLUGIN_H
#define DUEL_PLUGIN_H

#include "bench/duel.h"

/* False when the file is cut off, so that loading it would end the program. */
bool elf_is_whole(const char *path);
/* False when opening it and reading its tables ended a child process; *signal_number says by which signal, 0: it ended
 * by itself, as the dynamic linker does. */
bool trial_survived(const char *path, int *signal_number);
duel_plugin_entry *plugin_entry(void *library); /* NULL: it has none */

#endif
