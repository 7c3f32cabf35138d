/* micro.h: softmax with vector instructions. kernel.c is compiled once for each instruction set and element type; each
 * time it makes one of these tables, and micro.c chooses among them when the program runs. */
#ifndef DUEL_SOFTMAX_MICRO_H
#define DUEL_SOFTMAX_MICRO_H

#include "bench/duel.h"

struct softmax_micro {
    const char *text; /* for the record: instruction set and width */
    /* `rows` rows of n numbers; leading dimensions in elements. X and Y do not overlap. */
    void (*rows)(int64_t rows, int64_t n, const void *X, int64_t ldx, void *Y, int64_t ldy);
};

/* The table for this type on this processor, or with the variable DUEL_ISA in the environment for a lesser instruction
 * set. NULL with *why filled when DUEL_ISA names one that is not here. */
const struct softmax_micro *softmax_micro(enum duel_dtype in, struct duel_why *why);

/* The members that the descriptors of the rungs on it share. */
enum duel_status softmax_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                  struct duel_why *why);
const char *softmax_library(void);
enum duel_status softmax_open(struct duel_call *call);

#endif
