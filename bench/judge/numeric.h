/* numeric.h: other answers than before. A changed answer within its bound is no error, but it is a finding. */
#ifndef DUEL_NUMERIC_H
#define DUEL_NUMERIC_H

#include "bench/judge/comparison.h"

/* Fills comparison->numeric, which has room for every case of A. */
void numeric_list(struct judge_comparison *comparison);

#endif
