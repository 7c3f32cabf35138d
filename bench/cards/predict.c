/* predict.c: the least time that counted work takes on a card of the table, if every part of it ran at the rate that
 * its vendor publishes (Williams, Waterman and Patterson 2009). Libraries reach 50 to 90 % of that, and caches decide
 * where between the two bounds of memory traffic a kernel lies. */
#include <math.h>

#include "bench/cards/cards.h"

/* Bytes that the load units of one multiprocessor deliver per clock, from L1 or shared memory, at best. */
#define PASSES_PER_CLOCK 1.0

const char *const duel_part_name[PARTS] = {
    [PART_ARITHMETIC] = "arithmetic",
    [PART_TENSOR] = "Tensor Cores",
    [PART_LOADS] = "load units",
    [PART_MEMORY_LEAST] = "memory, if caches catch every reuse",
    [PART_MEMORY_MOST] = "memory, if caches catch none",
};

static double arithmetic(const struct duel_card *card, const struct duel_work *work)
{
    double seconds = 0;
    const double peak[DUEL_DTYPES] = {
        [DUEL_FP64] = card->fp64_tflops, [DUEL_FP32] = card->fp32_tflops, [DUEL_FP16] = card->fp32_tflops};
    for (int type = DUEL_FP64; type < DUEL_DTYPES; type++)
        if (!(work->flops[type] <= 0)) /* NaN counts: unknown work takes unknown time */
            seconds += work->flops[type] / (peak[type] * 1e12);
    return seconds;
}

static double tensor(const struct duel_card *card, const struct duel_work *work)
{
    const double peak[DUEL_DTYPES] = {[DUEL_FP16] = card->fp16_tflops,
                                      [DUEL_BF16] = card->fp16_tflops,
                                      [DUEL_TF32] = card->tf32_tflops,
                                      [DUEL_FP8] = card->fp8_tflops};
    if (work->tensor_flops == 0)
        return 0;
    return peak[work->tensor_in] > 0 ? work->tensor_flops / (peak[work->tensor_in] * 1e12) : NAN;
}

static double slowest(const double *part, const enum duel_part *which, int count, enum duel_part *limit)
{
    double seconds = NAN;
    for (int i = 0; i < count; i++)
        if (!(part[which[i]] <= seconds) && !isnan(part[which[i]])) {
            seconds = part[which[i]];
            *limit = which[i];
        }
    return seconds;
}

double card_balance(const struct duel_card *card, const struct duel_work *work)
{
    const double ordinary = arithmetic(card, work), tensors = tensor(card, work);
    double flops = work->tensor_flops;
    for (int type = DUEL_FP64; type < DUEL_DTYPES; type++)
        flops += work->flops[type];
    const double seconds = isnan(ordinary + tensors) ? NAN : fmax(ordinary, tensors); /* both work at once */
    return flops / seconds / (card->bandwidth_gb_s * 1e9);
}

enum duel_status card_predict(const struct duel_card *card, const struct duel_work *work,
                              struct duel_prediction *prediction, struct duel_why *why)
{
    static const enum duel_part least[] = {PART_ARITHMETIC, PART_TENSOR, PART_LOADS, PART_MEMORY_LEAST};
    static const enum duel_part most[] = {PART_ARITHMETIC, PART_TENSOR, PART_LOADS, PART_MEMORY_MOST};
    *prediction = (struct duel_prediction){.least_s = NAN, .most_s = NAN};
    double *part = prediction->part_s;
    part[PART_ARITHMETIC] = arithmetic(card, work);
    part[PART_TENSOR] = tensor(card, work);
    part[PART_LOADS] = work->passes / (PASSES_PER_CLOCK * card->processors * card->boost_mhz * 1e6);
    part[PART_MEMORY_LEAST] = work->compulsory_bytes / (card->bandwidth_gb_s * 1e9);
    part[PART_MEMORY_MOST] = work->global_bytes / (card->bandwidth_gb_s * 1e9);
    if (card->capability == 0)
        return duel_fail(why, DUEL_SKIP, "the counts are those of CUDA's warps of 32 threads", "name a card of NVIDIA",
                         "%s runs no CUDA", card->name);
    for (int i = 0; i < PARTS; i++)
        if (isnan(part[i]))
            return duel_fail(why, DUEL_SKIP, "the slowest part decides, and one of them would be a guess",
                             "name another card, or see which count is missing", "the time of %s on %s is not known",
                             duel_part_name[i], card->name);
    prediction->least_s = slowest(part, least, 4, &prediction->limit);
    prediction->most_s = slowest(part, most, 4, &prediction->limit_most);
    return DUEL_OK;
}
