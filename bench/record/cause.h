/* cause.h: kinds of mistakes in a kernel, and how strongly wrong answers speak for each. A wrong answer rarely proves
 * its cause: what is said here is "likely" or "possible", and where nothing fits, "not known". */
#ifndef DUEL_CAUSE_H
#define DUEL_CAUSE_H

#include <stddef.h>

enum duel_cause {
    CAUSE_UNKNOWN,
    CAUSE_BETA,      /* the old C has another share in the result than beta */
    CAUSE_ALPHA,     /* the product has */
    CAUSE_SUM_LOST,  /* no term of the sum arrives */
    CAUSE_SUM_END,   /* its last terms are missing */
    CAUSE_SUM_START, /* its first terms are missing */
    CAUSE_SUM_TERMS, /* others are */
    CAUSE_SUM_TWICE, /* terms are added more than once */
    CAUSE_ROW,       /* a row of C holds what belongs into another */
    CAUSE_COLUMN,
    CAUSE_PLACE,  /* right values in wrong places, or places that nobody writes */
    CAUSE_READ_A, /* other elements of A than the right ones */
    CAUSE_READ_B,
    CAUSE_PAIR,    /* A(i, l) is multiplied with another element of B's column than B(l, j) */
    CAUSE_LD,      /* a leading dimension */
    CAUSE_EDGE,    /* nothing or too little is written at an edge of C */
    CAUSE_OUTSIDE, /* something is written outside C */
    CAUSE_BEYOND,  /* what lies beyond the end of a row of A or B is used */
    CAUSE_STALE,   /* an element of a tile from another step, or one that nobody wrote */
    DUEL_CAUSES
};

/* How strongly one or several wrong answers speak for each cause. All 0: nothing was examined. */
struct duel_suspects {
    double weight[DUEL_CAUSES];
};

/* Adds what another wrong answer says. */
void suspects_add(struct duel_suspects *to, const struct duel_suspects *from);

enum { SUSPECTS_SHOWN = 3 };
/* Causes by falling weight, at most SUSPECTS_SHOWN, weak ones left out; returns how many. None: not known. */
int suspects_rank(const struct duel_suspects *suspects, enum duel_cause cause[SUSPECTS_SHOWN]);
/* Does the first of them explain most of what was examined? Then it is "likely", else "possible". */
int suspects_sure(const struct duel_suspects *suspects);
/* What the student is told, and one word for tables. */
const char *cause_words(enum duel_cause cause);
const char *cause_name(enum duel_cause cause);

#endif
