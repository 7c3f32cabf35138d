/* record.h: one line of a run file: a flat JSON object whose first key is `record`. Unknown values are left out, with
 * `<field>_why` in their place where there is a reason to tell. */
#ifndef DUEL_RECORD_H
#define DUEL_RECORD_H

#include <jansson.h>

#include "bench/record/result.h"
#include "bench/record/value.h"

/* Out of memory is remembered and reported once, by record_line(). */
struct duel_record {
    json_t *object;
    bool failed;
};

void record_init(struct duel_record *record, const char *kind);
void record_free(struct duel_record *record);
/* Unknown are: NULL or empty text, a number that is not finite, a negative count. `why` may be NULL. Text that is not
 * UTF-8 keeps its ASCII part, with '?' for the rest. */
void record_text(struct duel_record *record, const char *name, const char *text, const char *why);
void record_real(struct duel_record *record, const char *name, double value, const char *why);
void record_count(struct duel_record *record, const char *name, int64_t value, const char *why);
void record_seed(struct duel_record *record, const char *name, uint64_t seed);
void record_flag(struct duel_record *record, const char *name, bool value);
/* Takes over `value`; NULL counts as out of memory. */
void record_json(struct duel_record *record, const char *name, json_t *value);
void record_why(struct duel_record *record, const char *name, const char *why);
void record_value(struct duel_record *record, const char *name, const struct duel_value *value); /* unless unknown */
json_t *record_string(const char *text);
/* Every known field of a result. */
void record_result(struct duel_record *record, const struct duel_result *result);
/* The finished line with its newline; numbers have the 17 digits that bring back the same double. The caller frees it;
 * NULL when memory ran out somewhere on the way. */
char *record_line(const struct duel_record *record, size_t *size);

#endif
