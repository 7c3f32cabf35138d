/* advice.c: the candidates' rows as data. */
#include "bench/buyer/advice.h"

#include <math.h>
#include <stdlib.h>

#define CELL(member, type, unit, name, help)                                             \
    {                                                                                    \
        name, unit, true, value_##type, offsetof(struct duel_advice, member), NULL, help \
    }

static const char *why_break_even(const void *row)
{
    const struct duel_advice *advice = row;
    return isinf(advice->break_even_hours) ? "never: an hour of electricity costs more than an hour of rent" : NULL;
}

static const struct duel_cell cells[] = {
    CELL(name, text, "", "candidate", "a card, several of them, or the CPU"),
    CELL(kind, text, "", "kind",
         "of `speed`: `predicted`, `measured`, `bound` (no program is faster; the speed is not known), `unknown`"),
    CELL(cards, threads, "", "cards", "that hold the work; absent: not even 8 do"),
    CELL(needs_gb, positive, "GB", "needs_gb", "memory that it needs, on all cards together"),
    CELL(memory_gb, positive, "GB", "memory_gb", "that one card has"),
    CELL(speed, positive, "1/s", "results_per_s", "tokens of an answer, or runs with their copies"),
    CELL(speed_lo, positive, "1/s", "results_per_s_lo", "lower end of the 95 % error bar"),
    CELL(speed_hi, positive, "1/s", "results_per_s_hi", "upper end of it"),
    CELL(bound, positive, "1/s", "bound_results_per_s", "no program is faster by the published figures"),
    CELL(prefill, positive, "token/s", "prefill_tokens_per_s", "of a prompt, predicted"),
    CELL(prefill_lo, positive, "token/s", "prefill_tokens_per_s_lo", "lower end of the 95 % error bar"),
    CELL(prefill_hi, positive, "token/s", "prefill_tokens_per_s_hi", "upper end of it"),
    CELL(prefill_bound, positive, "token/s", "bound_prefill_tokens_per_s", "no program is faster"),
    CELL(crossing_s, positive, "s", "crossing_s", "what a token at least takes from card to card"),
    CELL(copies_share, real, "", "copies_share", "of the time of a run"),
    CELL(power_w, positive, "W", "power_limit_w", "of all cards: published, not measured"),
    CELL(energy_j, positive, "J", "energy_j", "of one result at that power"),
    CELL(own_cost, positive, "", "own_cost", "of a million tokens, or of 1000 runs, in the currency of --prices"),
    CELL(rent_cost, positive, "", "rent_cost", "the same when the card is rented"),
    {"break_even_hours", "h", true, value_real, offsetof(struct duel_advice, break_even_hours), why_break_even,
     "of use, from which buying costs less than renting"},
    CELL(day_hours, positive, "h", "hours_per_day", "for the runs of a day"),
    CELL(best, flag, "", "best", "true: nothing else is both cheaper (without prices: of less energy) and faster"),
    CELL(basis, text, "", "basis", "what the speed rests on"),
    CELL(prefill_basis, text, "", "prefill_basis", "what prefill_tokens_per_s rests on"),
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet advice_sheet = {"advice", cells};

void advices_free(struct duel_advices *advices)
{
    free(advices->row);
    *advices = (struct duel_advices){.count = 0};
}
