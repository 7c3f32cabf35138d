/* micro.h: convolution with vector instructions. kernel.c is compiled once for each instruction set and element type;
 * each time it makes one of these tables, and micro.c chooses among them when the program runs. */
#ifndef DUEL_CONV_MICRO_H
#define DUEL_CONV_MICRO_H

#include "bench/duel.h"

/* A few rows of one output, each the sum over all channels. Sizes and leading dimensions in elements. */
struct conv2d_strip {
    int64_t rows, n;     /* at most `rows` of the table, n pixels each */
    int64_t k, channels; /* filters of k x k, one for each channel, k rows apart */
    const void *X;       /* the first row that the strip needs, in channel 0 */
    int64_t ldx, plane;  /* from row to row, from channel to channel */
    const void *W;       /* the first row of the filter of channel 0 */
    int64_t ldw;
    void *Y;
    int64_t ldy;
    bool past; /* Y is so large that it had better not go through the caches */
};

struct conv2d_micro {
    const char *text; /* for the record: instruction set and shape of the tile */
    int rows;         /* of a whole strip */
    size_t size;      /* bytes of an element */
    void (*strip)(const struct conv2d_strip *strip);
};

/* The table for this type on this processor, or with the variable DUEL_ISA in the environment for a lesser instruction
 * set. NULL with *why filled when DUEL_ISA names one that is not here. */
const struct conv2d_micro *conv2d_micro(enum duel_dtype in, struct duel_why *why);
/* Strip number `strip` of output `output` of a call whose state is such a table. */
void conv2d_run_strip(const struct duel_call *call, int64_t output, int64_t strip);
int64_t conv2d_strips(const struct duel_call *call);

/* The members that the descriptors of the rungs on it share. */
enum duel_status conv2d_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                 struct duel_why *why);
const char *conv2d_library(void);
enum duel_status conv2d_open(struct duel_call *call);

#endif
