#include "bench/buyer/pull.h"

#include <math.h>
#include <string.h>

#include "bench/stats/student.h"

#define NAME "llm/decode"
#define PARAMETERS 2 /* that are fitted: share and per_clock */

static double clocks(const struct duel_card *card)
{
    return card->capability > 0 ? card->processors * card->boost_mhz * 1e6 : NAN;
}

static double ceiling(const struct duel_pull *pull, const struct duel_card *card)
{
    const double memory = pull->share * card->bandwidth_gb_s * 1e9, requests = pull->per_clock * clocks(card);
    return isnan(memory) || isnan(requests) ? NAN : fmin(memory, requests);
}

double pull_rate(const struct duel_pull *pull, const struct duel_card *card)
{
    return pull->fit * ceiling(pull, card);
}

/* The next measurement of this kind, with its card; NULL at the end. */
static const struct duel_card *next(const struct duel_evidence *evidence, const struct duel_cards *cards,
                                    const char *without, size_t *at, double *rate)
{
    for (; *at < evidence->count; (*at)++) {
        const struct duel_share *share = &evidence->share[*at];
        const struct duel_card *card = NULL;
        if (strcmp(share->implementation, NAME) != 0 || (without && strcmp(share->card, without) == 0) ||
            cards_find(cards, share->card, &card, NULL) != DUEL_OK || isnan(clocks(card)))
            continue;
        *rate = share->share * card->bandwidth_gb_s * 1e9;
        (*at)++;
        return card;
    }
    return NULL;
}

bool pull_calibrate(const struct duel_evidence *evidence, const struct duel_cards *cards, const char *without,
                    struct duel_pull *pull)
{
    const struct duel_card *card;
    double rate, sum = 0, squares = 0;
    *pull = (struct duel_pull){.count = 0};
    for (size_t at = 0; (card = next(evidence, cards, without, &at, &rate));) {
        pull->share = fmax(pull->share, rate / (card->bandwidth_gb_s * 1e9));
        pull->per_clock = fmax(pull->per_clock, rate / clocks(card));
        pull->count++;
    }
    if (pull->count <= PARAMETERS)
        return false;
    for (size_t at = 0; (card = next(evidence, cards, without, &at, &rate));) {
        const double y = log(rate / ceiling(pull, card));
        sum += y;
        squares += y * y;
    }
    const double count = pull->count, free = count - PARAMETERS;
    pull->fit = exp(sum / count);
    const double spread = sqrt(fmax(squares - sum * sum / count, 0) / free);
    pull->half = student_quantile(free) * fmax(spread, 0.02) * sqrt(1 + 1 / count);
    return true;
}
