/* break_even.h: from which size on one implementation pays: the record `break_even`. */
#ifndef DUEL_BREAK_EVEN_H
#define DUEL_BREAK_EVEN_H

#include "bench/record/result.h"
#include "bench/record/sheet.h"

struct duel_break_even {
    char implementation[96], device[32], base[96];
    enum duel_dtype precision;
    int threads;
    char speedup[16]; /* "kernel", "end_to_end", "amortised" */
    int64_t reuse;    /* of "amortised"; 0 otherwise */
    /* -1: unknown, and `words` says why. Below is the last size that is proved not to pay. */
    int64_t n_below, n_above, n_undecided, crossings, first_n_below, first_n_above;
    int64_t measured; /* further sizes that were measured to find it */
    char words[240];
};

extern const struct duel_sheet break_even_sheet;

#endif
