/* break_even.c: the record of a size from which on it pays. */
#include "bench/record/break_even.h"

static const char *why_not_found(const void *at)
{
    return ((const struct duel_break_even *)at)->words;
}

#define ROW(member) offsetof(struct duel_break_even, member)
static const struct duel_cell cells[] = {
    {"implementation", "", false, value_text, ROW(implementation), NULL, "full name"},
    {"device", "", false, value_text, ROW(device), NULL, "where it ran"},
    {"precision", "", false, value_dtype, ROW(precision), NULL, "type of the inputs"},
    {"threads", "", false, value_threads, ROW(threads), NULL, "CPU threads; absent on a GPU"},
    {"base", "", false, value_text, ROW(base), NULL, "what it is compared with"},
    {"speedup", "", false, value_text, ROW(speedup), NULL,
     "which of the speed-ups passes 1: `kernel`, `end_to_end`, `amortised`"},
    {"reuse", "", false, value_count, ROW(reuse), NULL, "uses per copy, of `amortised`"},
    {"n_below", "", false, value_extent, ROW(n_below), why_not_found,
     "the last measured size whose interval proves that it does not pay"},
    {"n_above", "", false, value_extent, ROW(n_above), why_not_found,
     "the first size after it whose interval proves that it pays"},
    {"n_undecided", "", false, value_extent, ROW(n_undecided), NULL,
     "measured sizes between these two whose interval holds 1"},
    {"crossings", "", false, value_count, ROW(crossings), NULL,
     "how often it passes from not paying to paying; n_below and n_above are of the last time"},
    {"first_n_below", "", false, value_extent, ROW(first_n_below), NULL, "n_below of the first of several crossings"},
    {"first_n_above", "", false, value_extent, ROW(first_n_above), NULL, "n_above of the first of several crossings"},
    {"measured", "", false, value_count, ROW(measured), NULL, "further sizes that were measured to find it"},
    {"words", "", false, value_text, ROW(words), NULL, "the same as a sentence"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet break_even_sheet = {"break_even", cells};
