/* lesson.c: three sentences made from the counts of two rungs. Each says only what its numbers say. */
#include <math.h>
#include <string.h>

#include "bench/trace/trace.h"

#define SENTENCE 400
/* A change by less than this is none. */
#define SAME 1.1
/* Traffic comes first in the list and is what a lesson is about, unless something else changes this much more. */
#define MUCH 3

struct change {
    const char *what;
    bool bytes;
    double before, after;
};

/* How many times a count grew or fell; 1 when it is not known. */
static double factor(const struct change *change)
{
    if (!(change->before > 0) || !(change->after > 0))
        return 1;
    return change->before > change->after ? change->before / change->after : change->after / change->before;
}

static void what_changed(const struct duel_trace *now, const struct duel_trace *below, char out[SENTENCE])
{
    const struct duel_trace_totals *a = &below->total, *b = &now->total;
    const struct change changes[] = {
        {"global memory moves", true, a->global_bytes, b->global_bytes},
        {"sectors per global request are", false, a->sectors / a->requests, b->sectors / b->requests},
        {"global requests are", false, a->requests, b->requests},
        {"rounds over the banks of shared memory are", false, a->rounds, b->rounds},
        {"requests to shared memory are", false, a->shared_requests, b->shared_requests},
        {"FLOP of ordinary arithmetic are", false, a->all_flops - a->tensor_flops, b->all_flops - b->tensor_flops},
    };
    const struct change *most = &changes[0];
    char before[40], after[40];
    /* Of the same sectors, more in each request are only fewer requests: wider loads, not a better order. */
    const size_t first = factor(most) < SAME ? 2 : 1;
    for (size_t i = first; i < sizeof changes / sizeof *changes; i++)
        if (factor(&changes[i]) > factor(most) * (factor(most) < SAME ? SAME : MUCH))
            most = &changes[i];
    if (factor(most) < SAME) {
        snprintf(out, SENTENCE, "What changed: against %s no count moves by more than a tenth.", below->impl->name);
        return;
    }
    const char *(*text)(double, char *, size_t) = most->bytes ? trace_bytes : trace_number;
    snprintf(out, SENTENCE, "What changed: against %s %s %s instead of %s, %.1f times %s%s.", below->impl->name,
             most->what, text(most->after, after, sizeof after), text(most->before, before, sizeof before),
             factor(most), most->after < most->before ? "less" : "more",
             b->tensor_flops > 0 && !(a->tensor_flops > 0) ? ", and Tensor Cores multiply"
             : b->rounds > 0 && !(a->rounds > 0)           ? ", and the rest comes from shared memory"
                                                           : "");
}

/* Nothing to calculate: a transposition, a copy. */
static bool only_moves(const struct duel_trace *trace)
{
    return isnan(trace->total.all_flops) && !(trace->defined_flops > 0);
}

static void why_it_matters(const struct duel_trace *now, const struct duel_trace *below, const struct duel_card *card,
                           char out[SENTENCE])
{
    char flops[40], bytes[40], least[40], before[120] = "";
    const double intensity = now->total.all_flops / now->total.global_bytes;
    const struct duel_work work = trace_work(now);
    const double balance = card_balance(card, &work);
    trace_bytes(now->total.global_bytes, bytes, sizeof bytes);
    if (isnan(intensity)) {
        if (only_moves(now))
            snprintf(out, SENTENCE,
                     "Why it matters: there is no arithmetic to wait for, only data: %s are asked of memory, and %s "
                     "must move at least.",
                     bytes, trace_bytes(now->compulsory_bytes, least, sizeof least));
        else
            snprintf(out, SENTENCE, "Why it matters: its arithmetic was not measured, so nothing can be said of it.");
        return;
    }
    if (below && below->total.all_flops > 0)
        snprintf(before, sizeof before, " (%.2f in %s)", below->total.all_flops / below->total.global_bytes,
                 below->impl->name);
    const int used = snprintf(out, SENTENCE, "Why it matters: %s FLOP for %s asked of memory are %.2f FLOP per byte%s",
                              trace_number(now->total.all_flops, flops, sizeof flops), bytes, intensity, before);
    if (isnan(balance))
        snprintf(out + used, SENTENCE - (size_t)used, "; how many the %s can do is not known.", card->name);
    else
        snprintf(out + used, SENTENCE - (size_t)used, "; the %s can do %.*f while one byte arrives, %s", card->name,
                 balance < 10, balance,
                 intensity >= balance ? "so memory is no longer the limit." : "and caches must make up for the rest.");
}

/* Without arithmetic the least that memory needs is the measure. */
static void what_limits(const struct duel_trace *now, const struct duel_card *card, char out[SENTENCE])
{
    const struct duel_work work = trace_work(now);
    struct duel_prediction p;
    struct duel_why why;
    if (card_predict(card, &work, &p, &why) != DUEL_OK) {
        snprintf(out, SENTENCE, "What limits it now: not known; %s.", why.seen);
        return;
    }
    const double arithmetic = fmax(p.part_s[PART_ARITHMETIC], p.part_s[PART_TENSOR]);
    char passes[40];
    if (p.limit == PART_LOADS)
        snprintf(out, SENTENCE,
                 "What limits it now: the load units; their %s rounds take %.1f times as long as %s on the %s, so %s.",
                 trace_number(now->total.passes, passes, sizeof passes),
                 p.part_s[PART_LOADS] / (arithmetic > 0 ? arithmetic : p.part_s[PART_MEMORY_LEAST]),
                 arithmetic > 0 ? "the arithmetic" : "memory at best", card->name,
                 arithmetic > 0 ? "each value that is loaded must be used more often"
                                : "each request must ask for more neighbouring bytes");
    else if (p.limit == PART_MEMORY_LEAST && !(arithmetic > 0))
        snprintf(out, SENTENCE,
                 "What limits it now: memory itself, on the %s; moving each value once takes longer than the load "
                 "units do.",
                 card->name);
    else if (p.limit == PART_MEMORY_LEAST)
        snprintf(out, SENTENCE,
                 "What limits it now: memory itself; even reading each input once takes %.1f times as long as the "
                 "arithmetic on the %s.",
                 p.part_s[PART_MEMORY_LEAST] / arithmetic, card->name);
    else
        snprintf(out, SENTENCE,
                 "What limits it now: %s on the %s, at %.1f times the time of the load units, as far as these counts "
                 "tell: they know no waiting.",
                 p.limit == PART_TENSOR ? "the Tensor Cores" : "the arithmetic", card->name,
                 arithmetic / p.part_s[PART_LOADS]);
    if (p.limit_most == PART_MEMORY_MOST && p.most_s > SAME * p.least_s) {
        const size_t used = strlen(out);
        snprintf(out + used, SENTENCE - used,
                 p.limit == PART_MEMORY_LEAST ? " Without caches it takes %.1f times as long."
                                              : " Without caches it would be memory, by %.1f times.",
                 p.most_s / p.least_s);
    }
}

void trace_lesson(const struct duel_trace *trace, const struct duel_trace *below, const struct duel_card *card,
                  char sentence[TRACE_SENTENCES][SENTENCE])
{
    if (below)
        what_changed(trace, below, sentence[0]);
    else
        snprintf(sentence[0], SENTENCE, "What changed: nothing; it builds on no other kernel that was traced.");
    why_it_matters(trace, below, card, sentence[1]);
    what_limits(trace, card, sentence[2]);
}
