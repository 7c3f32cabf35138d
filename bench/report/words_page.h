/* words_page.h: what a report says, in one place. */
#ifndef DUEL_WORDS_PAGE_H
#define DUEL_WORDS_PAGE_H

#define WORDS_PAGE_TITLE "CPU against GPU: "
#define WORDS_PAGE_MACHINES "%zu machines"
#define WORDS_PAGE_RECORDED "recorded on %s, %s"
#define WORDS_PAGE_ON "%s on %s, %s"

/* what ran where */
#define WORDS_PAGE_WHERE "What ran where"
#define WORDS_PAGE_WHERE_CAPTION "The machines and their runs"
#define WORDS_PAGE_ABSENT "What did not run, and why"
#define WORDS_PAGE_ABSENT_CAPTION "Devices that could not be used, and cases without a time"
#define WORDS_PAGE_NOTHING_ABSENT "Everything that was asked for ran."
#define WORDS_PAGE_DEVICE "device %s"
#define WORDS_PAGE_COUNTS "%zu measured, %zu only verified, %zu skipped, %zu FAILED"
#define WORDS_PAGE_EMULATED "an emulated GPU: its answers are checked, its times mean nothing and are not shown"
#define WORDS_PAGE_CASES ": %zu case%s"
#define WORDS_PAGE_UNFINISHED "The run %s did not end as planned: %s."
#define WORDS_PAGE_CRASHED "its end is missing, so it was stopped from outside"
#define WORDS_PAGE_DROPPED "Of %s %s."

/* steps */
#define WORDS_PAGE_STEPS "Where the time goes"
#define WORDS_PAGE_STEPS_SAY \
    "A GPU program has four steps: read the data, copy it in, run the kernel, copy the answer back. The CPU has one."
#define WORDS_PAGE_STEPS_CAPTION "%s: the steps at %s, to scale"
#define WORDS_PAGE_STEPS_TABLE "%s at %s: the time of each step"

/* speed-up */
#define WORDS_PAGE_SPEEDUP "How many times faster"
#define WORDS_PAGE_SPEEDUP_CAPTION "%s: speed-up against size, with 95 %% intervals"
#define WORDS_PAGE_RATE_CAPTION "%s: rate against size, with 95 %% intervals"
#define WORDS_PAGE_SPEEDUP_TABLE "%s at %s: speed-ups with their 95 %% intervals"
#define WORDS_PAGE_BETWEEN "%s (%s to %s)"
#define WORDS_PAGE_BREAK_EVEN "%s %s, %s: pays from %lld on, against %s; proved not to pay up to %lld."
#define WORDS_PAGE_BREAK_EVEN_OPEN "%s %s, %s: %s."

/* ladder */
#define WORDS_PAGE_LADDER "The ladder: one idea per rung"
#define WORDS_PAGE_LADDER_TABLE "%s at %s, bottom rung first"
#define WORDS_PAGE_NO_LESSON "not in this version of duel"

/* roofline, precision, energy */
#define WORDS_PAGE_ROOF "How close to the machine's limits"
#define WORDS_PAGE_ROOF_CAPTION "Implementations under the measured ceilings of %s"
#define WORDS_PAGE_ROOF_TABLE "Rates under the roof of %s"
#define WORDS_PAGE_CEILINGS "Peaks of arithmetic that were measured beside the run"
#define WORDS_PAGE_PRECISION "Precision: time against error"
#define WORDS_PAGE_PRECISION_CAPTION "%s: rate against relative error"
#define WORDS_PAGE_PRECISION_TABLE "%s at %s: what each type costs and gives"
#define WORDS_PAGE_ENERGY "Energy"
#define WORDS_PAGE_ENERGY_TABLE "Energy of a whole device while a size was measured, whoever used it"
#define WORDS_PAGE_NO_ENERGY "No energy was measured: %s."

/* several */
#define WORDS_PAGE_SIDE "Side by side"
#define WORDS_PAGE_SIDE_SAY                                                                                         \
    "Cases are comparable when implementation, size, types, factors, data, cache, memory and use of the CPUs (one " \
    "thread, all of them, or the same number) are the same. Each column is one run."
#define WORDS_PAGE_SIDE_TABLE "%s: kernel rate of the same cases"
#define WORDS_PAGE_SIDE_CAPTION "%s: the same implementations on each machine at %s"
#define WORDS_PAGE_SIDE_TITLE "The same work on each machine at %s"
#define WORDS_PAGE_SIDE_SUBTITLE "recorded on each of these machines, %s to %s"
#define WORDS_PAGE_SIDE_REMARK "kernel alone, higher is better; a colour is an implementation"
#define WORDS_PAGE_SIDE_AXIS "GFLOP/s, or GB/s where bandwidth decides"
#define WORDS_PAGE_SIDE_NONE "No case was measured in more than one of these runs."
#define WORDS_PAGE_ALONE "Not comparable"
#define WORDS_PAGE_ALONE_TABLE "Cases that only one of these runs has a time for"
#define WORDS_PAGE_NOT_IN "not in this run"

/* data and method */
#define WORDS_PAGE_METHOD "Data and method"
#define WORDS_PAGE_METHOD_SAY                                                                                     \
    "Every answer was verified before and after timing; wrong ones have no time. Copies and kernels are timed "   \
    "separately. A time is the median of its samples, with a 95 %% interval; a speed-up is of pairs measured in " \
    "turns, "                                                                                                     \
    "with an interval of its own. Emulated rows have no speed."
#define WORDS_PAGE_REPEAT "To repeat it: `%s` with duel %s, seed %lld."
#define WORDS_PAGE_FILES "The same numbers: report.csv, report.md and the pictures in plots/, beside this page."
#define WORDS_PAGE_ALL "All rows of %s"
#define WORDS_PAGE_SOURCES "Sources of the implementations"
#define WORDS_PAGE_LEFT_OUT "Left out to keep the page small; it is in %s."
#define WORDS_PAGE_NO_PICTURE "%s: this picture was not drawn."
#define WORDS_PAGE_SAMPLES "%lld%s"

#endif
