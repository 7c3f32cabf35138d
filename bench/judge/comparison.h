/* comparison.h: two sides, case by case: what became faster or slower, what the answers do, what else changed. */
#ifndef DUEL_COMPARISON_H
#define DUEL_COMPARISON_H

#include "bench/judge/difference.h"
#include "bench/judge/judge.h"

/* One quantity of one case. */
struct judge_cell {
    const struct judge_case *a, *b; /* b: NULL where B has no such row; a: never NULL */
    enum judge_metric metric;
    struct judge_finding finding; /* in seconds */
    struct judge_finding cycles;  /* in cycles, where both sides know their clock; else incomparable */
    double clock_ratio;           /* of B over A; NaN: unknown */
    bool by_clocks;               /* changed in seconds, not in cycles: the clock did it */
    bool confirmed;               /* a second, fresh measurement said the same (gate) */
    char note[240];               /* what a reader should know; empty: nothing */
};

struct judge_numeric {
    const struct judge_case *a, *b;
    const char *words;
    double error[2]; /* relative (Frobenius), largest of each side; NaN: unknown */
};

struct judge_comparison {
    struct judge_side a, b;
    struct judge_limits limits;
    struct judge_cell *cell;
    size_t count;
    size_t tally[JUDGE_VERDICTS];
    struct judge_numeric *numeric; /* other answers than before */
    size_t numerics;
    size_t wrong, broken;  /* rows of B that failed: with a wrong answer, or with an error */
    size_t lost;           /* cases with a time in A that B could not measure, or measured on something else */
    size_t only_a, only_b; /* cases that the other side has no row of */
    struct judge_difference difference[MOST_DIFFERENCES];
    int differences;
    unsigned changed; /* what the changes found reach: REACHES_GPU and so on */
};

/* From a and b, which must be read; everything else is filled. false: out of memory. */
bool comparison_make(struct judge_comparison *comparison);
/* Once more from the findings as they are now. */
void comparison_count(struct judge_comparison *comparison);
void comparison_free(struct judge_comparison *comparison);
/* "cpu/gemm/serial fp32 2 threads, n = 512" and, unless it is the kernel, ", copy back". Returns `text`. */
const char *comparison_case(const struct judge_case *item, enum judge_metric metric, char *text, size_t size);

#endif
