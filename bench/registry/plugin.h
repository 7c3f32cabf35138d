/* plugin.h: private to registry/. */
#ifndef DUEL_PLUGIN_H
#define DUEL_PLUGIN_H

#include <stdbool.h>

/* False when the file is cut off, so that loading it would end the program. */
bool elf_is_whole(const char *path);

#endif
