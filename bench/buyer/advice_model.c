/* advice_model.c: candidates for a language model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buyer/advice.h"
#include "bench/report/console.h"

static void describe(struct duel_advices *advices, const struct duel_model_work *work,
                     const struct duel_model_need *need)
{
    snprintf(advices->work, sizeof advices->work,
             "%s (shape of %s), %s: weights %.2f GB, KV cache of %.0f tokens x %.0f %s %.2f GB, overhead %.2f GB: "
             "%.2f GB",
             work->model->name, work->model->shape, quant_name(work->quant), need->weights_bytes / 1e9, work->context,
             work->batch, work->batch == 1 ? "text" : "texts", need->cache_bytes / 1e9, need->overhead_bytes / 1e9,
             need->total_bytes / 1e9);
}

/* Split by layers, cards work one after the other on a token: their memory adds up, their speed does not. */
static void split(struct duel_advice *row, const struct duel_model_work *work)
{
    const double crossing_s = model_crossing_s(work, row->card, row->cards), steps = work->batch;
    row->crossing_s = crossing_s;
    row->bound = steps / (steps / row->bound + (isnan(crossing_s) ? 0 : crossing_s));
    row->speed = row->speed_lo = row->speed_hi = NAN;
    row->prefill = row->prefill_lo = row->prefill_hi = NAN;
    snprintf(row->kind, sizeof row->kind, "bound");
    snprintf(row->name, sizeof row->name, "%d x %.60s", row->cards, row->card->name);
    snprintf(row->basis, sizeof row->basis,
             "%d cards as capacity alone: layers one after the other, not faster than one card%s", row->cards,
             isnan(crossing_s) ? "; what crossing between them costs is not known" : "");
}

static void candidate(struct duel_advice *row, const struct duel_model_work *work, const struct duel_model_need *need,
                      const struct duel_card *card, const struct duel_cards *cards,
                      const struct duel_evidence *evidence)
{
    struct duel_model_speed speed;
    *row = (struct duel_advice){.card = card, .crossing_s = NAN, .copies_share = NAN};
    row->cards = model_cards(need, card);
    row->needs_gb = model_total(need, row->cards > 1 ? row->cards : 1) / 1e9;
    row->memory_gb = card->memory_gb;
    snprintf(row->name, sizeof row->name, "%s", card->name);
    row->speed = row->speed_lo = row->speed_hi = row->bound = NAN;
    row->prefill = row->prefill_lo = row->prefill_hi = row->prefill_bound = NAN;
    if (row->cards == 0) {
        snprintf(row->kind, sizeof row->kind, "unknown");
        snprintf(row->basis, sizeof row->basis, "does not fit, not even on 8 of them");
        return;
    }
    model_speed(work, card, cards, evidence, NULL, &speed);
    row->speed = speed.decode;
    row->speed_lo = speed.decode_lo;
    row->speed_hi = speed.decode_hi;
    row->bound = speed.decode_bound;
    row->prefill = speed.prefill;
    row->prefill_lo = speed.prefill_lo;
    row->prefill_hi = speed.prefill_hi;
    row->prefill_bound = speed.prefill_bound;
    snprintf(row->kind, sizeof row->kind, "%s", row->speed > 0 ? "predicted" : "bound");
    snprintf(row->basis, sizeof row->basis, "%s", speed.decode_words);
    snprintf(row->prefill_basis, sizeof row->prefill_basis, "%s", speed.prefill_words);
    if (row->cards > 1)
        split(row, work);
}

/* The CPU reads its weights from memory like a card: its bandwidth is measured by `duel roofline`. */
static void cpu_candidate(struct duel_advice *row, const struct duel_model_work *work,
                          const struct duel_model_need *need, const struct duel_evidence *evidence)
{
    *row = (struct duel_advice){.card = NULL, .cards = 1, .crossing_s = NAN, .copies_share = NAN};
    row->needs_gb = need->total_bytes / 1e9;
    row->memory_gb = evidence->cpu_memory_bytes > 0 ? evidence->cpu_memory_bytes / 1e9 : NAN;
    row->speed = row->speed_lo = row->speed_hi = row->bound = NAN;
    row->prefill = row->prefill_lo = row->prefill_hi = row->prefill_bound = NAN;
    if (!(evidence->cpu_gbps > 0)) {
        snprintf(row->name, sizeof row->name, "CPU only");
        snprintf(row->kind, sizeof row->kind, "unknown");
        snprintf(row->basis, sizeof row->basis,
                 "its bandwidth is not known: `duel roofline` measures it; then name reports/roofline here");
        return;
    }
    snprintf(row->name, sizeof row->name, "CPU only: %.60s", evidence->cpu_machine);
    snprintf(row->kind, sizeof row->kind, "bound");
    if (row->memory_gb > 0 && row->needs_gb > row->memory_gb) {
        row->cards = 0;
        snprintf(row->basis, sizeof row->basis, "does not fit into its %.3g GB of memory", row->memory_gb);
        return;
    }
    row->bound = work->batch * evidence->cpu_gbps * 1e9 / (need->weights_bytes + need->cache_bytes);
    snprintf(row->basis, sizeof row->basis, "its measured bandwidth of %.3g GB/s, if nothing else holds it up",
             evidence->cpu_gbps);
}

/* Expected speeds count more than bounds, however high. */
static bool is_faster(const struct duel_advice *row, const struct duel_advice *than)
{
    if ((row->speed > 0) != (than->speed > 0))
        return row->speed > 0;
    return row->speed > 0 ? row->speed > than->speed : row->bound > than->bound;
}

static const struct duel_advice *pick(const struct duel_advices *advices, bool cheapest)
{
    const struct duel_advice *best = NULL;
    for (size_t i = 0; i < advices->count; i++) {
        const struct duel_advice *row = &advices->row[i];
        const double cost = fmin(row->own_cost, row->rent_cost);
        if (row->cards == 0 || !(row->speed > 0 || row->bound > 0) || (cheapest && !(cost > 0)))
            continue;
        if (!best || (cheapest ? cost < fmin(best->own_cost, best->rent_cost) : is_faster(row, best)))
            best = row;
    }
    return best;
}

static void conclude(struct duel_advices *advices, const struct duel_choice *choice)
{
    const struct duel_advice *fastest = pick(advices, false), *cheapest = pick(advices, true);
    const struct duel_advice *cpu = &advices->row[advices->count - 1];
    size_t one = 0, cards = advices->count - 1;
    for (size_t i = 0; i < cards; i++)
        one += advices->row[i].cards == 1;
    snprintf(advices->verdict[0], sizeof advices->verdict[0], "It fits on one card of %zu of the %zu.", one, cards);
    if (fastest)
        snprintf(advices->verdict[1], sizeof advices->verdict[1], "Fastest: %s, %s tokens/s (%s).", fastest->name,
                 number_words(fastest->speed > 0 ? fastest->speed : fastest->bound).text, fastest->kind);
    if (cheapest)
        snprintf(advices->verdict[2], sizeof advices->verdict[2], "Cheapest: %s, %s %s for a million tokens (%s).",
                 cheapest->name, number_words(fmin(cheapest->own_cost, cheapest->rent_cost)).text,
                 choice->prices.currency, cheapest->kind);
    if (cpu->bound > 0)
        snprintf(advices->verdict[3], sizeof advices->verdict[3],
                 "Without a card: at best %s tokens/s. Where that is enough, you do not need a GPU.",
                 number_words(cpu->bound).text);
}

enum duel_status advise_model(struct duel_advices *advices, const struct duel_model_work *work,
                              const struct duel_choice *choice, const struct duel_evidence *evidence,
                              const struct duel_options *options, struct duel_why *why)
{
    struct duel_model_need need;
    *advices = (struct duel_advices){.results = ADVICE_TOKENS, .result = "token"};
    advices->row = calloc(choice->count + 1, sizeof *advices->row);
    if (!advices->row)
        return duel_fail(why, DUEL_ENOMEM, "there is no advice", "free some memory", "out of memory for candidates");
    model_need(work, &need);
    describe(advices, work, &need);
    for (size_t i = 0; i < choice->count; i++)
        candidate(&advices->row[advices->count++], work, &need, choice->shown[i], &choice->cards, evidence);
    cpu_candidate(&advices->row[advices->count++], work, &need, evidence);
    advice_cost(advices, choice, options);
    conclude(advices, choice);
    return DUEL_OK;
}
