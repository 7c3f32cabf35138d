/* yard.h: the memory that copies go between, and one timed batch of copies. Private to copies.c. */
#ifndef DUEL_YARD_H
#define DUEL_YARD_H

#include "bench/record/transfer.h"
#include "bench/registry/registry.h"

/* Host memory of one kind: what goes, and where it comes back. */
struct yard_pair {
    enum duel_host_memory memory;
    unsigned char *from, *to;
    double allocate_s;
    enum duel_status status; /* why it is not there */
    struct duel_why why;
};

struct yard {
    const struct duel_backend *backend;
    void *device;
    int64_t bytes;
    struct yard_pair pair[2]; /* by enum duel_host_memory */
    void *in, *out;           /* device memory: written by uploads; read by downloads, holds what `from` holds */
    enum duel_status status;  /* of the device memory */
    struct duel_why why;
};

/* Never fails as a whole: what could not be had is told by yard_supports(). */
void yard_open(struct yard *yard, struct duel_place *place, int64_t bytes, uint64_t seed);
void yard_close(struct yard *yard);
/* DUEL_OK, DUEL_SKIP when this way does not exist here, or what went wrong with its memory. */
enum duel_status yard_supports(const struct yard *yard, const struct yard_pair *pair, enum duel_way way,
                               struct duel_why *why);
/* Copies once into memory that was overwritten before, and compares every byte. DUEL_EVERIFY names the first wrong one;
 * `when` is a word for that message. */
enum duel_status yard_prove(struct yard *yard, const struct yard_pair *pair, enum duel_way way, const char *when,
                            struct duel_why *why);
/* Seconds of one copy, from `batch` of them between two marks, and the same by the host clock. */
enum duel_status yard_time(struct yard *yard, const struct yard_pair *pair, enum duel_way way, int64_t batch,
                           double *seconds, double *host_s, struct duel_why *why);

#endif
