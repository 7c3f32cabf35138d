/* words.h: the sentences and headings that people read in tables, summaries and pictures, in one place. */
#ifndef DUEL_WORDS_H
#define DUEL_WORDS_H

/* table.c */
#define WORDS_WORKLOAD "%s: %s. %s"
#define WORDS_PROBLEM "%s  %s"
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
#define WORDS_SKIPPED_SIZES "%s at %s: skipped: %s"

#define WORDS_NEVER "never"

/* summary.c */
#define WORDS_BEST_CPU "At %s the fastest CPU row is %s: %s%s%s%s."
#define WORDS_TIMES_SERIAL " times the serial row"
#define WORDS_THREAD ", %d thread"
#define WORDS_THREADS ", %d threads"
#define WORDS_BEST_GPU "The fastest GPU row is %s: %s; %s times %s by its kernel alone, %s times end to end."
#define WORDS_BEST_GPU_ALONE "The fastest GPU row is %s: %s; there is no CPU row to compare it with."
#define WORDS_OTHER_PRECISION                                                                                 \
    "With %s inputs, which is another problem, %s reaches %s: %s times %s by its kernel alone, %s times end " \
    "to "                                                                                                     \
    "end."
#define WORDS_REUSE "Uses of the same operands until copying them pays: %s%s."
#define WORDS_REUSE_BETWEEN " (95 %% interval: %s to %s)"
#define WORDS_REUSE_OPEN " (95 %% interval: %s or more, perhaps never)"
#define WORDS_COLD \
    "A first single use in a fresh process, with context, memory and copies, takes it %s: %s times as fast as %s."
#define WORDS_BREAK_EVEN "Up to %s the copies make every GPU row slower than the CPU."
#define WORDS_NO_GPU                                                                                            \
    "No GPU was measured here: one would add the gpu/ rows, and show how much of their speed the copies take; " \
    "`duel devices` says what is missing."
#define WORDS_FAILURES "%d row%s FAILED and therefore %s no time: the reason stands above."

/* run_break_even.c */
#define WORDS_BREAK_EVEN_SIZE "From which size on does %s %s pay, against %s?"
#define WORDS_BREAK_EVEN_KERNEL "kernel alone"
#define WORDS_BREAK_EVEN_WHOLE "end to end"
#define WORDS_BREAK_EVEN_AMORTISED "with one copy"
#define WORDS_BREAK_EVEN_USES " for %lld uses"

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

/* story.c: a moral stands in a picture's third line, of about 95 letters with the workload before it */
#define WORDS_STORY "The story in pictures:"
#define WORDS_STORY_COPIES "each number is used once, so that copying it costs as much as anything"
#define WORDS_STORY_EATEN "kernel %s times as fast as the CPU, with its copies %s times: they eat the gain"
#define WORDS_STORY_COPIES_CPU "each number is used once: memory sets the pace. A GPU row would add two copies"
#define WORDS_STORY_TOKEN "a language model reads each weight once per token: bandwidth is its speed"
#define WORDS_STORY_TOKEN_CPU "a language model reads each weight once per token. A GPU row would show its memory"
#define WORDS_STORY_REUSE "n uses of each number: copies fade; solid: kernel, dashed: end to end"
#define WORDS_STORY_REUSE_CPU "each number is used n times: caches, vectors, cores pay. A GPU row would go on from here"
#define WORDS_STORY_TYPES "shorter numbers: faster, and less exact"
#define WORDS_STORY_TYPES_CPU "shorter numbers: less exact. A GPU row would show TF32 and FP16 on Tensor Cores"
#define WORDS_STORY_PRECISION "4  Precision: "

/* pictures: titles, subtitles, names and axes */
#define WORDS_SPEEDUP_SERIAL "How many times faster than the serial loop?"
#define WORDS_SPEEDUP_BASE "How many times faster than the best CPU row?"
#define WORDS_GFLOPS "How much arithmetic per second? (GFLOP/s)"
#define WORDS_TITLE_UNIT " GFLOP/s"
#define WORDS_GBPS "How many bytes per second? (GB/s)"
#define WORDS_TITLE_BYTES " GB/s"
#define WORDS_TRAFFIC "of the bytes that must move; higher is better"
#define WORDS_TERA "T"
#define WORDS_MARK_OTHER " *"
#define WORDS_OTHER "* %s inputs: another problem"
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
#define WORDS_PRECISION "Speed against error at %s"
#define WORDS_ERROR_AXIS "relative error (at 1e-16: none to be seen in FP64)"
#define WORDS_N "size %s"
#define WORDS_SIZE "size: geometric mean of %s"
#define WORDS_PHASE_CONVERT "convert"
#define WORDS_PHASE_H2D "copy to device"
#define WORDS_PHASE_KERNEL "kernel"
#define WORDS_PHASE_D2H "copy back"
#define WORDS_TIME_AXIS "time in %s"
#define WORDS_CUT "an arrow: longer than the picture"
#define WORDS_KERNEL_ONLY "kernels only: the CPU needs no copies, a GPU would"

#endif
