/* fight.h: a base without copies against a device with them, both on scripted clocks. */
#ifndef TESTS_FIGHT_H
#define TESTS_FIGHT_H

#include "tests/mock/mock.h"

enum { BASE, ROW, CASES };

/* A duel on scripted clocks. */
struct fight {
    struct mock mock[CASES];
    struct duel_backend without_copies;
    struct duel_place place[CASES];
    struct duel_case cases[CASES];
    struct duel_group group;
    struct duel_runner runner;
    struct duel_result result[CASES];
};

/* Copies of 3 operands: 2 ms in, 2 ms in, 1 ms out. */
#define BASE_10_MS        \
    {                     \
        .kernel_s = 10e-3 \
    }
#define ROW_5_MS                                               \
    {                                                          \
        .kernel_s = 5e-3, .upload_s = 2e-3, .download_s = 1e-3 \
    }

/* An 8 x 8 x 8 product in FP32; the base is "cpu/gemm/base", the row "gpu/gemm/right". */
void fight_prepare(struct fight *fight, const struct mock *base, const struct mock *row);
/* Runs it; a second time is the same process once more. */
void fight_run(struct fight *fight);
void fight_finish(struct fight *fight);
/* Why the field `name` of the row is unknown; "" when it is known or nothing is told. */
const char *fight_why(const struct duel_result *row, const char *name);
void assert_close(double value, double expected); /* to 1e-9 of 1 and of itself */

#endif
