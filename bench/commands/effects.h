/* effects.h: options that change nothing in this run are told, one line each: nobody should believe that they did. */
#ifndef DUEL_EFFECTS_H
#define DUEL_EFFECTS_H

#include "bench/harness/plan.h"

/* Precisions that nothing selected has, thread counts that nothing can use, and sizes that were given twice. */
void effects_of_choice(const struct duel_options *options, const struct duel_registry *registry);
/* Options of measuring, once it is planned what is measured. */
void effects_of_plan(const struct duel_options *options, const struct duel_plan *plan);

#endif
