/* strict.h: shared by the files of `duel verify --strict`. */
#ifndef DUEL_STRICT_H
#define DUEL_STRICT_H

#include "bench/commands/commands.h"
#include "bench/inspect.h"
#include "bench/verify/when.h"

struct duel_processor_limits;

struct strict {
    const struct duel_options *options;
    const struct duel_inspector *inspector;
    const struct duel_processor_limits *limits;
    struct duel_place place;
    int schedule; /* enum duel_schedule */
    uint64_t order_seed;
    int64_t rows, cases, findings, wrong, errors;
};

/* The cases that brought new findings; after[i] is how many findings there were after case i. */
struct strict_case {
    const struct duel_zoo_case *which;
    const int64_t *after;
    int count;
};

int strict_verify(const struct duel_options *options);
enum duel_status strict_set(const struct strict *strict, enum duel_inspect_mode mode, int order, uint64_t seed,
                            struct duel_why *why);
/* strict_explain.c: prints what the inspector has found, and for races an order that gives a wrong number. */
void strict_explain(const struct strict *strict, const struct strict_case *cases);

/* verify.c: the causes that wrong answers speak for, a line each; nothing where none was examined. */
void suspects_print(const struct duel_when *when);

#endif
