/* restore.h: a `result` record becomes a struct duel_result again, by the field table that wrote it. */
#ifndef DUEL_RESTORE_H
#define DUEL_RESTORE_H

#include "bench/record/reader.h"
#include "bench/record/result.h"

/* Everything that the record holds; what it does not hold is unknown, as after result_init(). Written again it gives
 * the same record. Of the summaries that are only partly recorded (copies, end to end) the rest is unknown. A field of
 * another type than the table's is refused (DUEL_EINVAL), an unknown field is ignored. Release with result_free(), also
 * after a failure. */
enum duel_status restore_result(struct duel_result *result, const struct duel_reader *reader, const json_t *record,
                                struct duel_why *why);

#endif
