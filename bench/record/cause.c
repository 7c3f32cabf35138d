/* cause.c: the words for each cause, and the ranking of several. */
#include "bench/record/cause.h"

/* Out of all that was examined: what explains less is not worth a line; what explains most is likely. */
#define WEAK 0.1
#define MOST 0.5

static const struct {
    const char *name, *words;
} cause_table[DUEL_CAUSES] = {
    [CAUSE_UNKNOWN] = {"unknown", "not known: no simple mistake explains these numbers"},
    [CAUSE_BETA] = {"beta", "beta C is missing, wrongly scaled, or read although beta is 0"},
    [CAUSE_ALPHA] = {"alpha", "the product has another factor than alpha"},
    [CAUSE_SUM_LOST] = {"sum-lost", "the sum never reaches C: a lost accumulator, or alpha A B left out"},
    [CAUSE_SUM_END] = {"sum-end", "the last terms of the sum are missing: a loop over k that ends early, or a dropped "
                                  "remainder of k"},
    [CAUSE_SUM_START] = {"sum-start", "the first terms of the sum are missing: a loop over k that starts late, or a "
                                      "later piece that overwrites instead of adding"},
    [CAUSE_SUM_TERMS] = {"sum-terms", "terms within the sum are missing: a step along k that is too long, or a loop "
                                      "over a tile that ends early"},
    [CAUSE_SUM_TWICE] = {"sum-twice", "terms of the sum are added more than once: a step along k that is too short, or "
                                      "a loop that runs twice"},
    [CAUSE_ROW] = {"row", "rows hold the values of other rows: the row index for A or for C"},
    [CAUSE_COLUMN] = {"column", "columns hold the values of other columns: the column index for B or for C"},
    [CAUSE_PLACE] = {"place", "right values in wrong places: which thread or lane writes which element of C"},
    [CAUSE_READ_A] = {"read-a", "other elements of A are multiplied: an index of A or of its tile"},
    [CAUSE_READ_B] = {"read-b", "other elements of B are multiplied: an index of B or of its tile"},
    [CAUSE_PAIR] = {"pair", "elements of A meet those of B of another k: the index along k where A or B is fetched or "
                            "read"},
    [CAUSE_LD] = {"ld", "a leading dimension: rows that are longer than the matrix is wide are not stepped over"},
    [CAUSE_EDGE] = {"edge", "the edge of C is cut off: a guard against m or n that is too strict, or too few tiles"},
    [CAUSE_OUTSIDE] = {"outside", "something is written outside C: a missing guard against m or n, or a wrong ldc"},
    [CAUSE_BEYOND] = {"beyond", "what lies beyond a row of A or B is used: a missing guard against k, m or n, or a "
                                "wrong leading dimension"},
    [CAUSE_STALE] = {"stale", "a tile holds what an earlier step left, or what nobody wrote: a missing barrier or "
                              "wait, or the wrong buffer"},
};

const char *cause_words(enum duel_cause cause)
{
    return cause_table[cause].words;
}

const char *cause_name(enum duel_cause cause)
{
    return cause_table[cause].name;
}

void suspects_add(struct duel_suspects *to, const struct duel_suspects *from)
{
    for (int i = 0; i < DUEL_CAUSES; i++)
        to->weight[i] += from->weight[i];
}

static double total(const struct duel_suspects *suspects)
{
    double sum = 0;
    for (int i = 0; i < DUEL_CAUSES; i++)
        sum += suspects->weight[i];
    return sum;
}

int suspects_rank(const struct duel_suspects *suspects, enum duel_cause cause[SUSPECTS_SHOWN])
{
    const double least = WEAK * total(suspects);
    int count = 0;
    for (int i = CAUSE_UNKNOWN + 1; i < DUEL_CAUSES; i++) {
        int place = count;
        if (suspects->weight[i] <= 0 || suspects->weight[i] < least)
            continue;
        while (place > 0 && suspects->weight[cause[place - 1]] < suspects->weight[i])
            place--;
        if (place == SUSPECTS_SHOWN)
            continue;
        count += count < SUSPECTS_SHOWN;
        for (int later = count - 1; later > place; later--)
            cause[later] = cause[later - 1];
        cause[place] = (enum duel_cause)i;
    }
    return count;
}

int suspects_sure(const struct duel_suspects *suspects)
{
    enum duel_cause cause[SUSPECTS_SHOWN];
    return suspects_rank(suspects, cause) > 0 && suspects->weight[cause[0]] > MOST * total(suspects);
}
