/* words.h: the sentences and headings that people read in tables, summaries and pictures, in one place. */
#ifndef DUEL_WORDS_H
#define DUEL_WORDS_H

/* table.c */
#define WORDS_SQUARE "%s  n = %lld"
#define WORDS_SHAPE "%s  m x n x k = %lld x %lld x %lld"
#define WORDS_FACTORS "  alpha %g, beta %g"
#define WORDS_AGAINST "  speed-ups against %s"
#define WORDS_SEVERAL_BASES "the base of their type"
#define WORDS_FAILED "FAILED"
#define WORDS_NO_REASON "no reason was given"
#define WORDS_ONCE "once, before the samples:"
#define WORDS_ONCE_CALL "%s%s first call %s"
#define WORDS_ONCE_ALLOCATE ", allocation %s"
#define WORDS_EMULATED "emulated rows are verified; their times mean nothing and are not shown"
#define WORDS_SKIPPED "%s: skipped: %s"
#define WORDS_SKIPPED_SIZES "%s at n = %s: skipped: %s"

/* summary.c */
#define WORDS_BEST_CPU "At %s the fastest CPU row is %s: %s GFLOP/s%s%s%s."
#define WORDS_TIMES_SERIAL " times the serial row"
#define WORDS_THREAD ", %d thread"
#define WORDS_THREADS ", %d threads"
#define WORDS_BEST_GPU "The fastest GPU row is %s: %s GFLOP/s; %s times %s by its kernel alone, %s times end to end."
#define WORDS_BEST_GPU_ALONE "The fastest GPU row is %s: %s GFLOP/s; there is no CPU row to compare it with."
#define WORDS_OTHER_PRECISION                                                                                         \
    "With %s inputs, which is another problem, %s reaches %s GFLOP/s: %s times %s by its kernel alone, %s times end " \
    "to "                                                                                                             \
    "end."
#define WORDS_BREAK_EVEN "Up to %s the copies make every GPU row slower than the CPU."
#define WORDS_NO_GPU                                                                                            \
    "No GPU was measured here: one would add the gpu/ rows, and show how much of their speed the copies take; " \
    "`duel devices` says what is missing."
#define WORDS_NOTHING "No row has a time."
#define WORDS_FAILURES "%d row%s FAILED and therefore %s no time: the reason stands above."

/* steps.c */
#define WORDS_STEP_READ "read from disk"
#define WORDS_STEP_CONVERT "round to this type"
#define WORDS_STEP_H2D "copy to the device"
#define WORDS_STEP_KERNEL "kernel"
#define WORDS_STEP_D2H "copy back"
#define WORDS_STEP_WRITE "write to disk"
#define WORDS_STEPS_TOTAL "%s, %s: %s in all"
#define WORDS_STEP_NONE "none: host memory is device memory"
#define WORDS_STEP_UNKNOWN "not measured"

/* pictures: titles, subtitles, names and axes */
#define WORDS_SPEEDUP_SERIAL "How many times faster than the serial loop?"
#define WORDS_SPEEDUP_BASE "How many times faster than the best CPU row?"
#define WORDS_GFLOPS "How much arithmetic per second? (GFLOP/s)"
#define WORDS_PHASES "Where does the time go at %s?"
#define WORDS_HIGHER "higher is better"
#define WORDS_SHORTER "shorter is better"
#define WORDS_HIGHER_PEAK "higher is better; grey lines: measured peak"
#define WORDS_LINES "solid: kernel alone, dashed: end to end"
#define WORDS_BASELINE "1 = %s"
#define WORDS_SEVERAL "the best CPU row of each size and type"
#define WORDS_LEVEL_BASE "1 = best CPU"
#define WORDS_TIMES "\303\227"
#define WORDS_END_TO_END "%s end to end"
#define WORDS_CEILING "peak %s%s%s  %s"
#define WORDS_N "matrix size n (m = n = k)"
#define WORDS_SIZE "size: cube root of m n k"
#define WORDS_PHASE_CONVERT "convert"
#define WORDS_PHASE_H2D "copy to device"
#define WORDS_PHASE_KERNEL "kernel"
#define WORDS_PHASE_D2H "copy back"
#define WORDS_TIME_AXIS "time in %s"
#define WORDS_CUT "an arrow: longer than the picture"
#define WORDS_KERNEL_ONLY "kernels only: the CPU needs no copies, a GPU would"

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
#define WORDS_ROOF_UNKNOWN "the ceiling of %s%s%s is not known: %s"
#define WORDS_ROOF_BUSY                                                                                            \
    "%d threads of %s reached %.3g GFLOP/s and %d %.3g: other work held this machine up; repeat when it is idle. " \
    "Until then the higher one counts for both."
#define WORDS_ROOF_WHO "implementation"
#define WORDS_ROOF_LEAST "FLOP/B from"
#define WORDS_ROOF_MOST "to"
#define WORDS_ROOF_ROOF "roof"
#define WORDS_ROOF_PART "% of it"
#define WORDS_ROOF_LIMIT "made by"
#define WORDS_ROOF_FED "without reuse fed by"
#define WORDS_ROOF_READING                                                                                         \
    "FLOP/B: from no reuse at all (both factors of each multiply-add fetched for it) to compulsory traffic (each " \
    "operand crosses once), where the roof is. Without reuse fed by: the farthest level fast enough even then; "   \
    "registers: none is, so operands must be kept in registers."
#define WORDS_ROOF_DIAGONAL "%s  %s GB/s"
#define WORDS_ROOF_TITLE "How close to what this machine can do? (GFLOP/s)"
#define WORDS_ROOF_REMARK "grey: measured roofs; a point has all the reuse there can be, the left end of its line none"
#define WORDS_ROOF_AXIS "arithmetic intensity (FLOP per byte)"

#endif
