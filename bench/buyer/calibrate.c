#include "bench/buyer/calibrate.h"

#include <math.h>
#include <string.h>

#include "bench/stats/student.h"

/* Shares at a work time that differs by this many octaves count about two thirds. */
#define OCTAVES 1.5
/* Above this size shares change little any more: launches and the last wave of blocks are behind them. */
#define LARGE_S 1e-3
/* Work that is shorter by more than this factor than anything measured is not predicted. */
#define SHORTER 2.0
/* No spread of a few measurements says that the next one is closer than this. */
#define LEAST_SPREAD 0.02

bool share_has_precision(const struct duel_share *share, const char *precision)
{
    const size_t length = strlen(precision);
    for (const char *at = share->applies; (at = strstr(at, precision)); at++)
        if ((at == share->applies || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

void share_name(const struct duel_share *share, const char *precision, char *out, size_t size)
{
    const size_t before = strcspn(share->implementation, "*");
    snprintf(out, size, "%.*s%s", (int)before, share->implementation, share->implementation[before] ? precision : "");
}

bool share_applies(const struct duel_share *share, const char *implementation, const char *precision)
{
    char name[128];
    share_name(share, precision, name, sizeof name);
    return strcmp(name, implementation) == 0 && share_has_precision(share, precision);
}

static double octave(double roof_s)
{
    return log2(isnan(roof_s) || roof_s > LARGE_S ? LARGE_S : roof_s);
}

struct sums {
    double weight, squares, mean, square_mean, shortest;
    int count, cards;
    const char *card[64];
};

static void add(struct sums *sums, const struct duel_share *share, double roof_s)
{
    const double far = (octave(share->roof_s) - octave(roof_s)) / OCTAVES, weight = exp(-far * far / 2);
    const double y = log(share->share);
    int known = 0;
    sums->weight += weight;
    sums->squares += weight * weight;
    sums->mean += weight * y;
    sums->square_mean += weight * y * y;
    sums->shortest = fmin(sums->shortest, exp2(octave(share->roof_s)));
    sums->count++;
    while (known < sums->cards && strcmp(sums->card[known], share->card) != 0)
        known++;
    if (known == sums->cards && known < 64)
        sums->card[sums->cards++] = share->card;
}

static struct sums gather(const struct duel_evidence *evidence, const char *implementation, const char *precision,
                          double roof_s, const char *without, bool recorded)
{
    struct sums sums = {.shortest = INFINITY};
    for (size_t i = 0; i < evidence->count; i++) {
        const struct duel_share *share = &evidence->share[i];
        if (share->recorded == recorded && share_applies(share, implementation, precision) &&
            (!without || strcmp(share->card, without) != 0))
            add(&sums, share, roof_s);
    }
    return sums;
}

static void finish(const struct sums *sums, struct duel_calibration *out)
{
    const double effective = sums->weight * sums->weight / sums->squares;
    const double mean = sums->mean / sums->weight;
    const double variance = fmax(sums->square_mean / sums->weight - mean * mean, 0);
    const double free = fmax(effective - 1, 0.25);
    const double spread = fmax(sqrt(variance * effective / free), LEAST_SPREAD);
    const double half = student_quantile(free) * spread * sqrt(1 + 1 / effective);
    out->known = true;
    out->share = fmin(exp(mean), 1);
    out->lo = exp(mean - half);
    out->hi = fmin(exp(mean + half), 1);
    out->measurements = sums->count;
    out->cards = sums->cards;
    snprintf(out->words, sizeof out->words, "%d %s measurements on %d card%s", sums->count,
             out->recorded ? "recorded" : "published", sums->cards, sums->cards == 1 ? "" : "s");
}

void calibrate(const struct duel_evidence *evidence, const char *implementation, const char *precision, double roof_s,
               const char *without, struct duel_calibration *out)
{
    *out = (struct duel_calibration){.share = NAN, .lo = NAN, .hi = NAN, .recorded = true};
    struct sums sums = gather(evidence, implementation, precision, roof_s, without, true);
    if (sums.count < 2) {
        out->recorded = false;
        sums = gather(evidence, implementation, precision, roof_s, without, false);
    }
    if (sums.count < 2)
        snprintf(out->words, sizeof out->words, "uncalibrated: %s",
                 sums.count == 1 ? "one measurement alone has no spread" : "nothing like it was measured");
    else if (roof_s * SHORTER < sums.shortest)
        snprintf(out->words, sizeof out->words, "uncalibrated: all measurements are of larger problems");
    else
        finish(&sums, out);
}
