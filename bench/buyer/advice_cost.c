/* advice_cost.c: what results cost. Everything here is arithmetic on what the user said: prices, hours, years,
 * electricity. */
#include <math.h>
#include <string.h>

#include "bench/buyer/advice.h"

#define DAYS_PER_YEAR 365.0

static double energy_hour(double power_w, const struct duel_options *options)
{
    return options->electricity > 0 ? power_w / 1000 * options->electricity : 0;
}

double advice_own_hour(double price, double power_w, const struct duel_options *options)
{
    return price / (options->years * DAYS_PER_YEAR * options->hours) + energy_hour(power_w, options);
}

double advice_break_even(double price, double rent_per_hour, double power_w, const struct duel_options *options)
{
    const double saved = rent_per_hour - energy_hour(power_w, options);
    if (isnan(price) || isnan(saved))
        return NAN;
    return saved > 0 ? price / saved : INFINITY;
}

/* The speed that costs are calculated with: the expected one, else the best that is possible. */
static double speed_of(const struct duel_advice *row)
{
    return row->speed > 0 ? row->speed : row->bound;
}

/* What a result takes: cost when there are prices, else energy. NaN: not known. */
static double burden(const struct duel_advice *row, bool priced)
{
    return priced ? fmin(row->own_cost, row->rent_cost) : row->energy_j; /* fmin() passes over NaN */
}

/* Bounds are compared with bounds alone, and only where nothing better is known: a card that nobody measured does not
 * beat one whose speed is known. */
static bool competes(const struct duel_advices *advices, const struct duel_advice *row, bool priced)
{
    bool expected = false;
    for (size_t i = 0; i < advices->count; i++)
        expected |= advices->row[i].card && advices->row[i].speed > 0;
    return row->cards > 0 && burden(row, priced) > 0 && speed_of(row) > 0 && (row->speed > 0 || !expected);
}

static void mark_best(struct duel_advices *advices, bool priced)
{
    for (size_t i = 0; i < advices->count; i++) {
        struct duel_advice *row = &advices->row[i];
        row->best = competes(advices, row, priced);
        for (size_t j = 0; j < advices->count && row->best; j++) {
            const struct duel_advice *other = &advices->row[j];
            if (j == i || !competes(advices, other, priced))
                continue;
            const bool no_worse = burden(other, priced) <= burden(row, priced) && speed_of(other) >= speed_of(row);
            const bool better = burden(other, priced) < burden(row, priced) || speed_of(other) > speed_of(row);
            row->best = !(no_worse && better);
        }
    }
}

/* What fits and costs least comes first, and the CPU last, where it always is. */
static void cheapest_first(struct duel_advices *advices, bool priced)
{
    for (size_t i = 1; i + 1 < advices->count; i++) {
        const struct duel_advice row = advices->row[i];
        size_t at = i;
        for (; at > 0; at--) {
            const struct duel_advice *other = &advices->row[at - 1];
            const double own = burden(&row, priced), theirs = burden(other, priced);
            const bool fits = row.cards > 0 && other->cards == 0;
            const bool cheaper =
                (row.cards > 0) == (other->cards > 0) && (own < theirs || (!isnan(own) && isnan(theirs)));
            if (!fits && !cheaper)
                break;
            advices->row[at] = *other;
        }
        advices->row[at] = row;
    }
}

void advice_cost(struct duel_advices *advices, const struct duel_choice *choice, const struct duel_options *options)
{
    const bool priced = choice->prices.count > 0;
    for (size_t i = 0; i < advices->count; i++) {
        struct duel_advice *row = &advices->row[i];
        const struct duel_price *price = choice_price(choice, row->card);
        const double speed = speed_of(row), hours = advices->results / speed / 3600;
        const double count = row->cards > 0 ? (double)row->cards : (double)NAN;
        row->power_w = row->card ? row->card->power_w * count : NAN;
        row->energy_j = row->power_w / speed;
        row->own_cost = row->rent_cost = row->break_even_hours = row->day_hours = NAN;
        if (options->runs_per_day > 0 && speed > 0)
            row->day_hours = options->runs_per_day / speed / 3600;
        if (!price || !(speed > 0))
            continue;
        const double power_w = row->card ? row->power_w : 0; /* what a CPU draws is not in the table */
        row->own_cost = advice_own_hour(price->price * count, power_w, options) * hours;
        row->rent_cost = price->rent_per_hour * count * hours;
        row->break_even_hours =
            advice_break_even(price->price, price->rent_per_hour, row->card ? row->card->power_w : 0, options);
    }
    mark_best(advices, priced);
    if (!options->sort)
        cheapest_first(advices, priced);
}
