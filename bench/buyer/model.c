#include "bench/buyer/model.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "bench/buyer/calibrate.h"
#include "bench/buyer/pull.h"

/* From the configuration files that their makers publish. */
const struct duel_model duel_models[] = {
    {"0.5B", "Qwen 2.5", 0.494e9, 24, 14, 2, 64, 896},         {"1B", "Llama 3.2", 1.236e9, 16, 32, 8, 64, 2048},
    {"3B", "Llama 3.2", 3.213e9, 28, 24, 8, 128, 3072},        {"7B", "Llama 2", 6.738e9, 32, 32, 32, 128, 4096},
    {"8B", "Llama 3", 8.030e9, 32, 32, 8, 128, 4096},          {"13B", "Llama 2", 13.016e9, 40, 40, 40, 128, 5120},
    {"14B", "Qwen 2.5", 14.770e9, 48, 40, 8, 128, 5120},       {"32B", "Qwen 2.5", 32.764e9, 64, 40, 8, 128, 5120},
    {"70B", "Llama 3", 70.554e9, 80, 64, 8, 128, 8192},        {"72B", "Qwen 2.5", 72.706e9, 80, 64, 8, 128, 8192},
    {"405B", "Llama 3.1", 405.853e9, 126, 128, 8, 128, 16384}, {NULL, NULL, 0, 0, 0, 0, 0, 0},
};

/* Published files over parameters: of the 70B in Q8 (69.8 GiB), Q6 (53.9), Q5 (46.5), Q3 (31.9) and Q2 (24.6), of the
 * 8B in Q4 (4.58): smaller models keep a little more in high precision. */
static const struct {
    const char *name;
    double bits;
} quants[QUANTS] = {
    [QUANT_FP32] = {"FP32", 32},   [QUANT_FP16] = {"FP16", 16},   [QUANT_Q8] = {"Q8_0", 8.5},
    [QUANT_Q6] = {"Q6_K", 6.57},   [QUANT_Q5] = {"Q5_K_M", 5.67}, [QUANT_Q4] = {"Q4_K_M", 4.90},
    [QUANT_Q3] = {"Q3_K_M", 3.89}, [QUANT_Q2] = {"Q2_K", 2.99},
};

/* What a driver keeps for itself and a program for its buffers: an assumption, and said to be one. */
#define OVERHEAD_BYTES 0.8e9
#define OVERHEAD_SHARE 0.02
#define CACHE_BYTES 2.0 /* FP16 */
#define MOST_CARDS 8

double quant_bits(int quant)
{
    return quants[quant].bits;
}

const char *quant_name(int quant)
{
    return quants[quant].name;
}

enum duel_status model_find(const char *name, const struct duel_model **model, struct duel_why *why)
{
    const char *names[32];
    char near[160], all[160] = "", next[240];
    size_t used = 0;
    int count = 0;
    for (*model = duel_models; (*model)->name && strcasecmp((*model)->name, name) != 0; (*model)++)
        names[count++] = (*model)->name;
    if ((*model)->name)
        return DUEL_OK;
    names[count] = NULL;
    for (int i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    nearest_names(name, names, 2, near, sizeof near);
    snprintf(next, sizeof next, "%s%s%sgive one of %s", *near ? "did you mean " : "", near, *near ? "? or " : "", all);
    return duel_fail(why, DUEL_EINVAL, "memory and speed follow from the shape of a model", next,
                     "--model %.40s is not known", name);
}

static double cache_token_bytes(const struct duel_model *model)
{
    return 2.0 * model->layers * model->kv_heads * model->head_size * CACHE_BYTES;
}

void model_need(const struct duel_model_work *work, struct duel_model_need *need)
{
    need->weights_bytes = work->model->parameters * quant_bits(work->quant) / 8;
    need->cache_bytes = cache_token_bytes(work->model) * work->context * work->batch;
    need->overhead_bytes = OVERHEAD_BYTES + OVERHEAD_SHARE * need->weights_bytes;
    need->total_bytes = need->weights_bytes + need->cache_bytes + need->overhead_bytes;
}

double model_total(const struct duel_model_need *need, int cards)
{
    return need->total_bytes + (cards - 1) * OVERHEAD_BYTES;
}

int model_cards(const struct duel_model_need *need, const struct duel_card *card)
{
    for (int cards = 1; cards <= MOST_CARDS; cards++) {
        if (model_total(need, cards) <= cards * card->memory_gb * 1e9)
            return cards;
    }
    return 0;
}

double model_crossing_s(const struct duel_model_work *work, const struct duel_card *card, int cards)
{
    const double bytes = work->model->hidden * CACHE_BYTES * work->batch;
    /* The vendor's number of NVLink is that of both directions. */
    const double rate = card->nvlink_gb_s > 0 ? card->nvlink_gb_s / 2 : card->host_link_gb_s / 2;
    return (cards - 1) * bytes / (rate * 1e9);
}

/* ---- speed ------------------------------------------------------------------------------------------------------ */

/* Programs for language models may sum in FP16, which GeForce cards do at twice the rate: a bound is not below that. */
static double tensor_rate(const struct duel_card *card)
{
    return (isnan(card->fp16_acc16_tflops) ? card->fp16_tflops : fmax(card->fp16_tflops, card->fp16_acc16_tflops)) *
           1e12;
}

static double attention_flops(const struct duel_model *model, double tokens)
{
    return 4.0 * model->layers * model->heads * model->head_size * tokens; /* scores and weighted sum, for one token */
}

/* Bytes that one step of decoding reads, with a context that is full. */
static double step_bytes(const struct duel_model_work *work)
{
    struct duel_model_need need;
    model_need(work, &need);
    return need.weights_bytes + need.cache_bytes;
}

static void bound(const struct duel_model_work *work, const struct duel_card *card, struct duel_model_speed *speed)
{
    const double flops = 2 * work->model->parameters;
    const double memory_s = step_bytes(work) / (card->bandwidth_gb_s * 1e9);
    const double arithmetic_s = (flops + attention_flops(work->model, work->context)) * work->batch / tensor_rate(card);
    const double step_s = arithmetic_s > memory_s ? arithmetic_s : memory_s; /* an unknown rate is no bound */
    speed->limit = arithmetic_s > memory_s ? "arithmetic" : "memory";
    speed->decode_bound = work->batch / step_s;
    speed->prefill_bound = tensor_rate(card) / (flops + attention_flops(work->model, work->context / 2));
}

static void predict_prefill(const struct duel_evidence *evidence, const struct duel_card *card, const char *without,
                            struct duel_model_speed *speed)
{
    struct duel_calibration calibration;
    const bool like = card->capability > 0; /* only such cards were measured */
    calibrate(evidence, like ? "llm/prefill" : "llm/prefill on other cards", "fp16", NAN, without, &calibration);
    speed->prefill = speed->prefill_bound * calibration.share;
    speed->prefill_lo = speed->prefill_bound * calibration.lo;
    speed->prefill_hi = speed->prefill_bound * calibration.hi;
    snprintf(speed->prefill_words, sizeof speed->prefill_words, "%s", calibration.words);
}

void model_speed(const struct duel_model_work *work, const struct duel_card *card, const struct duel_cards *cards,
                 const struct duel_evidence *evidence, const char *without, struct duel_model_speed *speed)
{
    *speed = (struct duel_model_speed){.decode = NAN, .decode_lo = NAN, .decode_hi = NAN};
    bound(work, card, speed);
    predict_prefill(evidence, card, without, speed);
    struct duel_pull pull;
    const bool known = pull_calibrate(evidence, cards, without, &pull);
    const double rate = known ? pull_rate(&pull, card) : NAN;
    const double step_s = step_bytes(work) / rate;
    if (!known || isnan(rate)) {
        snprintf(speed->decode_words, sizeof speed->decode_words, "uncalibrated: nothing like it was measured");
    } else if (work->quant != QUANT_FP16) {
        snprintf(speed->decode_words, sizeof speed->decode_words,
                 "uncalibrated: only FP16 weights were measured, and unpacking %s costs time", quant_name(work->quant));
    } else if (work->batch != 1) {
        snprintf(speed->decode_words, sizeof speed->decode_words, "uncalibrated: only one text at a time was measured");
    } else {
        speed->decode = fmin(1 / step_s, speed->decode_bound);
        speed->decode_lo = speed->decode * exp(-pull.half);
        speed->decode_hi = fmin(speed->decode * exp(pull.half), speed->decode_bound);
        snprintf(speed->decode_words, sizeof speed->decode_words, "%d published measurements of one program",
                 pull.count);
    }
}
