/* hook.h: private to what only duel-emulated-hooked.so holds. */
#ifndef EMULATED_HOOK_H
#define EMULATED_HOOK_H

#include "gpu/emulator/watch.h"

namespace emulated
{

hook_counts hooks_counted();
void hooks_clear();

} // namespace emulated

#endif
