/* cells.h: private to the checker: what it does with the shadow cells of an access. */
#ifndef EMULATED_CELLS_H
#define EMULATED_CELLS_H

#include "gpu/emulator/hooked/findings.h"

namespace emulated
{

/* A mistake of the running thread; `memory` is NULL when the address lies nowhere. */
mistake mistake_begin(mistake_kind kind, const memory_access &what, const access_record &now, const shadow *memory);
/* Adds what is wrong with it to the findings, and remembers it. */
void cells_check(const memory_access &what, shadow *memory, const access_record &now);
void cells_begin();
/* Decides about reads of what nobody had written. */
void cells_settle(bool all);

} // namespace emulated

#endif
