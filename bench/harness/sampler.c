#include "bench/harness/sampler.h"

#include <math.h>
#include <string.h>

void sampler_init(struct duel_sampler *sampler, const struct duel_sampler_rules *rules)
{
    memset(sampler, 0, sizeof *sampler);
    sampler->rules = *rules;
    sampler->batch = 1;
}

void sampler_free(struct duel_sampler *sampler)
{
    samples_free(&sampler->warmup);
}

/* Settled: the medians of the last two windows differ by less than 2 %. Medians, because one preempted run says nothing
 * about the clock of the processor. */
static bool settled(const struct duel_samples *runs)
{
    if (runs->count < 2 * SAMPLER_WINDOW)
        return false;
    const double *last = runs->value + runs->count - SAMPLER_WINDOW;
    double now = stats_median(last, SAMPLER_WINDOW), before = stats_median(last - SAMPLER_WINDOW, SAMPLER_WINDOW);
    return fabs(now - before) <= 0.02 * before;
}

/* From the fastest warm-up run, so that a batch is never too short; at most a million launches in one interval. */
static int64_t batch_for(const struct duel_samples *runs)
{
    double fastest = INFINITY;
    for (size_t i = 0; i < runs->count; i++)
        if (runs->value[i] < fastest)
            fastest = runs->value[i];
    if (!(fastest < SAMPLER_SHORTEST_S))
        return 1;
    double batch = fastest > 0 ? ceil(SAMPLER_SHORTEST_S / fastest - 1e-9) : 1e6;
    return batch < 1e6 ? (int64_t)batch : 1000000;
}

void sampler_warmup(struct duel_sampler *sampler, double run_s, double spent_s)
{
    const struct duel_sampler_rules *rules = &sampler->rules;
    sampler->warmup_spent_s += spent_s;
    bool out_of_memory = !samples_add(&sampler->warmup, run_s);
    double spent = sampler->warmup_spent_s;
    /* A run longer than the whole warm-up has warmed up the machine by itself. */
    sampler->warm = out_of_memory || run_s >= rules->warmup_s || spent >= rules->warmup_max_s ||
                    spent >= rules->timeout_s || (spent >= rules->warmup_s && settled(&sampler->warmup));
    if (sampler->warm)
        sampler->batch = batch_for(&sampler->warmup);
}

void sampler_stop(struct duel_sampler *sampler, const char *reason)
{
    if (!sampler->done)
        sampler->stop_reason = reason;
    sampler->done = true;
}

/* Sorting all samples after each one would cost more than short samples themselves: look after every 5 % more. */
static bool due(size_t count)
{
    size_t stride = count / 20;
    return stride < 2 || count % stride == 0;
}

static bool stays_narrow(struct duel_sampler *sampler, const struct duel_samples *samples)
{
    const struct duel_sampler_rules *rules = &sampler->rules;
    const int64_t count = (int64_t)samples->count, first_look = rules->min_samples * 2 / 3;
    double lo, hi;
    if (count < first_look || !due(samples->count))
        return false;
    const bool narrow = stats_median_ci(samples->value, samples->count, &lo, &hi) &&
                        (hi - lo) / 2 <= rules->target_ci * stats_median(samples->value, samples->count);
    if (!narrow)
        sampler->narrow_since = 0;
    else if (sampler->narrow_since == 0)
        sampler->narrow_since = count;
    return narrow && 2 * count >= 3 * sampler->narrow_since;
}

void sampler_sample(struct duel_sampler *sampler, const struct duel_samples *samples, size_t disturbed, double spent_s)
{
    const struct duel_sampler_rules *rules = &sampler->rules;
    int64_t clean = (int64_t)samples->count - (int64_t)disturbed;
    sampler->spent_s += spent_s;
    bool enough = clean >= rules->min_samples && sampler->spent_s >= rules->min_time_s;
    bool narrow = stays_narrow(sampler, samples);
    if (clean >= rules->max_samples)
        sampler_stop(sampler, "samples");
    else if (sampler->spent_s + sampler->warmup_spent_s >= rules->timeout_s)
        sampler_stop(sampler, "timeout");
    else if (enough && narrow)
        sampler_stop(sampler, "ci");
}
