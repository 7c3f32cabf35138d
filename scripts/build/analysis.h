/* analysis.h: read before every file by the static analysers only. They do not follow variadic functions, so they
 * cannot know that duel_fail() returns the status it is given; as a macro it says so. */
#ifndef DUEL_ANALYSIS_H
#define DUEL_ANALYSIS_H

#include "bench/duel.h"

int analysis_reads(const void *why, ...);
#define duel_fail(why, status, ...) (analysis_reads(why, __VA_ARGS__), (status))

#endif
