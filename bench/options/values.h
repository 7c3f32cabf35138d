/* values.h: from the text after an option to a field. Internal to bench/options. */
#ifndef DUEL_VALUES_H
#define DUEL_VALUES_H

#include "bench/options/options.h"

/* Reads `text` into the option's field; the lists get the whole struct duel_options as `field`. */
typedef enum duel_status option_reader(const struct duel_option *option, const char *text, void *field,
                                       struct duel_why *why);

/* values.c */
option_reader option_text, option_count, option_real, option_seconds, option_percent, option_seed, option_choice;
option_reader option_tokens;
option_reader option_bytes; /* bytes.c */
/* lists.c */
option_reader option_sizes, option_shapes, option_precisions, option_threads, option_cards;

/* What is wrong with `length` characters as a whole number from `least` to `most`; NULL when nothing is, and then
 * *number is set. Only decimal digits are a number: no sign, space, 0x or exponent. */
const char *option_number_fault(const char *text, size_t length, int64_t least, int64_t most, int64_t *number);

/* Steps through "a,b,c": false at the end. "a," has a second, empty item, which no reader accepts. Start with *rest at
 * the text. */
bool option_next_item(const char **rest, const char **item, size_t *length);

/* The message for one item of a list that is not accepted: --threads 1,x: "x" is not a whole number. */
enum duel_status option_item_refused(const char *name, const char *text, const char *item, size_t length,
                                     const char *fault, const char *next, struct duel_why *why);

#endif
