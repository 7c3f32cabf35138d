/* updates.h: simulated updates: recorded sessions before and after something known has changed. */
#ifndef TESTS_UPDATES_H
#define TESTS_UPDATES_H

#include "bench/judge/comparison.h"
#include "tests/judge/made.h"

enum { UPDATES_CASES = 100, UPDATES_SESSIONS = 5 };

/* What an update did. */
struct update {
    double factor;     /* of every kernel */
    double degenerate; /* of one case more; 0: as the others */
    int bad_session;   /* 1 .. 5 takes three times as long; 0: none */
    bool bimodal, other_hash;
    double error, copies; /* 0: as before */
    struct made_machine machine;
};

/* Kernels by verdict. */
struct updates_kernels {
    size_t of[JUDGE_VERDICTS], by_clocks;
};

struct update updates_none(void);
char *updates_path(const char *dir, const char *name); /* the caller frees it */
/* A run of a hundred kernels in five sessions; case 41 is the degenerate shape. */
void updates_write(const char *path, const char *id, const struct update *update, uint64_t seed);
/* The caller frees the comparison. */
void updates_compare(struct judge_comparison *comparison, const char *before, const char *after);
/* Both sides written and compared. */
void updates_simulate(struct judge_comparison *comparison, const struct update *before, const struct update *after,
                      uint64_t seed);
struct updates_kernels updates_kernels(const struct judge_comparison *comparison);

#endif
