#include "bench/judge/numeric.h"

#include <math.h>

#define ERROR_GREW 1.5 /* the rounding of another order of sums stays below it */

/* One side's answers: all sessions the same, not the same, or not known. */
static uint64_t common_hash(const struct judge_case *item, bool *varies)
{
    uint64_t hash = 0;
    *varies = false;
    for (size_t i = 0; i < item->rows; i++) {
        const uint64_t own = item->row[i].hash;
        *varies = *varies || (hash && own && own != hash);
        hash = own ? own : hash;
    }
    return hash;
}

static double largest_error(const struct judge_case *item)
{
    double error = NAN;
    for (size_t i = 0; i < item->rows; i++)
        error = fmax(error, item->row[i].error);
    return error;
}

/* Other inputs give other answers. A side that does not repeat its own answers cannot be told from another one by
 * them; that it no longer repeats them is a finding. */
static const char *change(const struct judge_case *a, const struct judge_case *b)
{
    bool a_varies, b_varies;
    const uint64_t before = common_hash(a, &a_varies), after = common_hash(b, &b_varies);
    const double error_a = largest_error(a), error_b = largest_error(b);
    if (a->key.seed != b->key.seed || !before || !after)
        return NULL;
    if (!a_varies && b_varies)
        return "the output no longer repeats: its hash differs between sessions of B";
    if (!a_varies && before != after)
        return "the output changed (another hash)";
    return error_b > ERROR_GREW * error_a ? "the error grew" : error_a > ERROR_GREW * error_b ? "the error fell" : NULL;
}

void numeric_list(struct judge_comparison *comparison)
{
    comparison->numerics = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct judge_cell *cell = &comparison->cell[i];
        struct judge_numeric *numeric = &comparison->numeric[comparison->numerics];
        if (cell->finding.verdict == JUDGE_INCOMPARABLE || cell->metric != JUDGE_KERNEL)
            continue;
        const char *words = change(cell->a, cell->b);
        *numeric = (struct judge_numeric){
            .a = cell->a, .b = cell->b, .words = words, .error = {largest_error(cell->a), largest_error(cell->b)}};
        comparison->numerics += words != NULL;
    }
}
