/* difference.h: what else changed between two runs, ordered by suspicion, and what each of it could explain. */
#ifndef DUEL_DIFFERENCE_H
#define DUEL_DIFFERENCE_H

#include "bench/judge/side.h"

/* What a change can reach. */
enum {
    REACHES_GPU = 1,     /* kernels on a GPU */
    REACHES_CPU = 2,     /* kernels on the CPU */
    REACHES_COPIES = 4,  /* between host and device */
    REACHES_NUMBERS = 8, /* the answers themselves */
};

struct judge_difference {
    const char *title; /* "driver" */
    char where[40];    /* id of the device, name of the library or variable; empty: the host */
    char before[120], after[120];
    unsigned reaches;
};

#define MOST_DIFFERENCES 48

/* The most suspicious first; returns how many. */
int difference_list(const struct judge_side *a, const struct judge_side *b, struct judge_difference *list, int most);
/* Which of them could explain changes that reach `changed`, in a sentence; empty when nothing changed. */
void difference_sentence(const struct judge_difference *list, int count, unsigned changed, char *text, size_t size);

#endif
