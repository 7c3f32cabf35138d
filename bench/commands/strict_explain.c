/* strict_explain.c: findings of strict mode in words, and the witness of a race: an order in which the answer is wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/strict.h"
#include "bench/harness/interrupt.h"

/* Random orders that are tried for a witness, each on the case that showed the race. */
enum { TRIES = 200 };

struct witness {
    bool found;
    int order;
    uint64_t seed;
    struct duel_why why;
};

/* In the given order and seed: is the answer wrong? Hooks stay silent, so that it takes little time. */
static bool wrong_in(const struct strict *strict, const struct duel_zoo_case *which, int order, uint64_t seed,
                     struct witness *witness)
{
    struct duel_zoo_outcome outcome;
    if (strict_set(strict, DUEL_INSPECT_PLAIN, order, seed, NULL) != DUEL_OK)
        return false;
    zoo_case_run(&strict->place, which, &outcome);
    if (outcome.status != DUEL_EVERIFY)
        return false;
    *witness = (struct witness){true, order, seed, outcome.why};
    return true;
}

static struct witness search(const struct strict *strict, const struct duel_zoo_case *which)
{
    struct witness witness = {0};
    for (uint64_t seed = 1; seed <= TRIES && !interrupt_pending(); seed++)
        if (wrong_in(strict, which, DUEL_INSPECT_RANDOM, seed, &witness))
            return witness;
    for (int order = DUEL_INSPECT_FORWARD; order <= DUEL_INSPECT_REVERSE; order++)
        if (wrong_in(strict, which, order, 1, &witness))
            return witness;
    return witness;
}

static void print_witness(const struct strict *strict, const struct duel_zoo_case *which)
{
    const struct witness witness = search(strict, which);
    if (!witness.found)
        printf("     witness: none: the answer was right in %d random orders, forward and reverse. It is a bug all the "
               "same: a GPU runs\n              threads at the same time, and may read or write between any two "
               "instructions\n",
               TRIES);
    else if (witness.order == DUEL_INSPECT_RANDOM)
        printf("     witness: %s\n     replay:  duel verify %s --device emulated --strict --replay %llu\n",
               witness.why.seen, which->impl->name, (unsigned long long)witness.seed);
    else
        printf("     witness: %s\n     replay:  duel verify %s --device emulated --strict --schedule %s\n",
               witness.why.seen, which->impl->name, witness.order == DUEL_INSPECT_FORWARD ? "forward" : "reverse");
}

static const struct duel_zoo_case *case_of(const struct strict_case *cases, int64_t finding)
{
    int i = 0;
    while (i < cases->count - 1 && cases->after[i] <= finding)
        i++;
    return &cases->which[i];
}

/* A copy first: the search for a witness runs kernels, and what they do must not mix with what was found. */
void strict_explain(const struct strict *strict, const struct strict_case *cases)
{
    const int64_t count = strict->inspector->findings();
    struct duel_finding *finding = calloc((size_t)count, sizeof *finding);
    char name[160];
    for (int64_t i = 0; finding && i < count; i++)
        strict->inspector->finding(i, &finding[i]);
    for (int64_t i = 0; finding && i < count; i++) {
        const struct duel_finding *f = &finding[i];
        const struct duel_zoo_case *which = case_of(cases, i);
        printf("\n  %lld. %s in kernel %s, seen %llu times, first with %s\n", (long long)i + 1, f->kind, f->kernel,
               (unsigned long long)f->times, zoo_case_name(which, name, sizeof name));
        printf("     seen:    %s\n     why:     %s\n     next:    %s\n", f->seen, f->matters, f->next);
        if (strncmp(f->kind, "race", 4) == 0)
            print_witness(strict, which);
    }
    printf("\n");
    free(finding);
    fflush(stdout);
}
