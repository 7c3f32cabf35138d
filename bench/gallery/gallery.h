/* gallery.h: broken kernels that teach (tests/gallery/): runs them on the emulated GPU, says whether each is found for
 * its own reason, and explains it. */
#ifndef DUEL_GALLERY_H
#define DUEL_GALLERY_H

#include <jansson.h>

#include "bench/inspect_gallery.h"
#include "bench/registry/registry.h"

struct gallery {
    const struct duel_inspector *inspector;
    const struct duel_gallery_pair *pairs; /* wrong == NULL ends them */
    struct duel_place place;
    void *library;
};

/* DUEL_SKIP with the reason when this build has no gallery. */
enum duel_status gallery_open(struct gallery *gallery, struct duel_why *why);
void gallery_close(struct gallery *gallery); /* safe on a zeroed one */

/* What one version did in one order. */
struct gallery_look {
    enum duel_inspect_order order;
    uint64_t seed;
    struct duel_exhibit_visit visit; /* its result and its error; no memory any more */
    int64_t findings;
    struct duel_finding finding; /* the first */
    struct duel_hook_counts hooks;
    int64_t cost; /* sectors or rounds; -1: not of interest */
};

/* The orders that a choice of --schedule stands for: up to three. */
enum { GALLERY_ORDERS = 3 };
int gallery_orders(int schedule, enum duel_inspect_order order[GALLERY_ORDERS]);
const char *gallery_order_name(enum duel_inspect_order order);

enum duel_status gallery_look(const struct gallery *gallery, const struct duel_exhibit *exhibit,
                              enum duel_inspect_order order, uint64_t seed, struct gallery_look *look,
                              struct duel_why *why);
/* Only the values, in one order: DUEL_OK also when they are wrong. */
enum duel_status gallery_values(const struct gallery *gallery, const struct duel_exhibit *exhibit,
                                enum duel_inspect_order order, uint64_t seed, struct duel_exhibit_visit *visit,
                                struct duel_why *why);

/* The broken version was caught, by what its descriptor says and by nothing else. */
bool gallery_found(const struct duel_exhibit *exhibit, const struct gallery_look *look);
/* The right version was seen, and is right. */
bool gallery_clean(const struct duel_exhibit *exhibit, const struct gallery_look *look);
/* "race in a block", "2 times the sectors" */
const char *gallery_evidence(const struct duel_gallery_pair *pair, char *out, size_t size);

/* Both versions in all orders. */
struct gallery_verdict {
    const struct duel_gallery_pair *pair;
    int orders;
    struct gallery_look wrong[GALLERY_ORDERS], right[GALLERY_ORDERS];
    bool found, clean; /* in all of them */
};
enum duel_status gallery_judge(const struct gallery *gallery, const struct duel_gallery_pair *pair, int schedule,
                               uint64_t seed, struct gallery_verdict *verdict, struct duel_why *why);

/* lesson.c: for a student, on stdout. */
enum duel_status gallery_print_source(const struct duel_exhibit *exhibit, struct duel_why *why);
void gallery_print_lesson(const struct gallery *gallery, const struct gallery_verdict *verdict);

/* json.c: a new reference; NULL without memory. */
json_t *gallery_json(const struct gallery_verdict *verdict);

#endif
