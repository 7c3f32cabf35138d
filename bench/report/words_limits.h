/* words_limits.h: the sentences and headings about copies and ceilings; the others are in words.h. */
#ifndef DUEL_WORDS_LIMITS_H
#define DUEL_WORDS_LIMITS_H

#include "bench/report/words.h"

/* copies: table_transfer.c, plot_transfer.c */
#define WORDS_COPY_READING "GB/s of all bytes that crossed, and half of the 95 % interval"
#define WORDS_COPY_CARRIES "  %s carries %.1f GB/s each way"
#define WORDS_COPY_WAY "way, host memory"
#define WORDS_COPY_BEST "best"
#define WORDS_COPY_AT "at"
#define WORDS_COPY_FIXED "fixed cost"
#define WORDS_COPY_HALF "half of it at"
#define WORDS_COPY_HALF_SIZE "the size with half of the best rate"
#define WORDS_COPY_LINK "of the link"
#define WORDS_COPY_HIDDEN "hidden"
#define WORDS_COPY_REASON "%s %s, %s: %s: %s"
#define WORDS_COPY_UNKNOWN "%s %s: %s is unknown: %s"
#define WORDS_COPY_NO_LINK "percent of the link is unknown: %s"
#define WORDS_COPY_TITLE "How fast do bytes move, by size? (GB/s)"
#define WORDS_COPY_REMARK "higher is better; rings: half of the best rate"
#define WORDS_COPY_AXIS "bytes of one copy"
#define WORDS_COPY_NOTE_HALF "half of the best rate at %s"
#define WORDS_COPY_NOTE_FIXED "fixed cost of a copy: %s"

/* ceilings: table_roofline.c, plot_roofline.c */
#define WORDS_ROOF_HIGHEST "measured ceilings: the highest of several tries"
#define WORDS_ROOF_ARITHMETIC "multiply-adds"
#define WORDS_ROOF_LEVEL "memory level"
#define WORDS_ROOF_ARRAYS "arrays of"
#define WORDS_ROOF_READ "GB/s: read"
#define WORDS_ROOF_UNKNOWN "not known: the ceiling of %s: %s"
#define WORDS_ROOF_BUSY                                                                                            \
    "%d threads of %s reached %.3g GFLOP/s and %d %.3g: other work held this machine up; repeat when it is idle. " \
    "Until then the higher one counts for both."
#define WORDS_ROOF_WHO "implementation"
#define WORDS_ROOF_LEAST "FLOP/B from"
#define WORDS_ROOF_MODEL "model"
#define WORDS_ROOF_MOST "to"
#define WORDS_ROOF_ROOF "roof"
#define WORDS_ROOF_PART "% of it"
#define WORDS_ROOF_MODEL_PART "% at model"
#define WORDS_ROOF_MODELLED "model of %s%s%s: %s"
#define WORDS_ROOF_LIMIT "made by"
#define WORDS_ROOF_FED "without reuse fed by"
#define WORDS_ROOF_READING                                                                                          \
    "FLOP/B: from no reuse at all (both factors of each multiply-add fetched for it) over what a model of the "     \
    "implementation's own blocking moves (an estimate, below) to compulsory traffic (each operand crosses once), "  \
    "where the roof is. % at model: of the roof there; above 100 the caches kept more than the model assumes. "     \
    "Without reuse fed by: the farthest level fast enough even then; registers: none is, so operands must be kept " \
    "in registers."
#define WORDS_ROOF_DIAGONAL "%s  %s GB/s"
#define WORDS_ROOF_TITLE "How close to what this machine can do? (GFLOP/s)"
#define WORDS_ROOF_REMARK "grey: measured roofs; point: all the reuse there can be, ring: its model's, left end: none"
#define WORDS_ROOF_AXIS "arithmetic intensity (FLOP per byte)"

#endif
