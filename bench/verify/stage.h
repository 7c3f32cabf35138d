/* stage.h: the operands of one problem, in host memory and on one device. The stage owns all of it; the runner and the
 * conformance zoo move data only through it, so CPU and GPU pass through the same code. */
#ifndef DUEL_STAGE_H
#define DUEL_STAGE_H

#include "bench/workload/workload.h"

struct duel_stage {
    const struct duel_backend *backend;
    void *device;
    const struct duel_workload *workload;
    struct duel_problem problem;
    struct duel_matrix host[DUEL_MAX_OPERANDS];   /* where the device is the CPU this is the device memory as well */
    struct duel_matrix before[DUEL_MAX_OPERANDS]; /* OUT operands before the call; data only when beta != 0 */
    size_t bytes[DUEL_MAX_OPERANDS];
    void *on_device[DUEL_MAX_OPERANDS];
    bool overflowed; /* the user's numbers are too large for this type */
    enum duel_host_memory host_kind;
    double allocate_s;     /* host and device memory together, once */
    double convert_s;      /* rounding to a narrower type; NaN when nothing is rounded */
    double first_upload_s; /* the first copy of the inputs to the device, waited for; NaN before it and on the CPU */
    double call_s;         /* the last stage_call(): run, wait and copy back, without what prepares and checks it */
};

/* Bytes of each operand, and of host and device memory that stage_open allocates for them, with overflow checks. On the
 * CPU device is 0. */
struct duel_need {
    size_t operand[DUEL_MAX_OPERANDS];
    uint64_t host, device;
};
enum duel_status stage_need(const struct duel_backend *backend, const struct duel_workload *workload,
                            const struct duel_problem *problem, struct duel_need *need, struct duel_why *why);

/* `host` is the kind of host memory that the device copies from and to; without host_alloc() it is plain memory. */
enum duel_status stage_open(struct duel_stage *stage, const struct duel_backend *backend, void *device,
                            enum duel_host_memory host, const struct duel_workload *workload,
                            const struct duel_problem *problem, struct duel_why *why);
void stage_close(struct duel_stage *stage); /* safe on a zeroed stage */

/* Gives every operand its values (input[i], if given, holds the user's own matrix for operand i) and uploads. */
enum duel_status stage_fill(struct duel_stage *stage, enum duel_data data, uint64_t seed,
                            const struct duel_matrix *const *input, struct duel_why *why);
/* Before a call: OUT operands become what they were (beta != 0) or NaN (beta == 0), on the device. */
enum duel_status stage_reset(struct duel_stage *stage, struct duel_why *why);
/* Copies in the queue, not waited for; nothing on the CPU. */
enum duel_status stage_upload(struct duel_stage *stage, struct duel_why *why);
enum duel_status stage_download(struct duel_stage *stage, struct duel_why *why);

/* Points a call at the operands of the stage. */
void stage_bind(const struct duel_stage *stage, struct duel_call *call);

/* ring.c: further copies of the operands on the device, so that a loop over all of them finds none in the caches. */
struct duel_ring {
    const struct duel_stage *stage;
    char *block; /* count - 1 slots; the stage itself is the first of the ring */
    size_t slot_bytes, offset[DUEL_MAX_OPERANDS];
    int64_t count, next;
};
/* As many copies as take at least `span` bytes of a cache together, filled with what the stage holds now. */
enum duel_status ring_open(struct duel_ring *ring, const struct duel_stage *stage, size_t span, struct duel_why *why);
void ring_close(struct duel_ring *ring); /* safe on a zeroed ring */
/* Points the call at the next copy; does nothing on a zeroed ring. */
void ring_turn(struct duel_ring *ring, struct duel_call *call);
/* Bytes that ring_open allocates for operands of these sizes; on the CPU all of them are host memory. */
void ring_need(const struct duel_backend *backend, const struct duel_workload *workload, const size_t *bytes,
               size_t span, uint64_t *host, uint64_t *device);
/* One verified-style call: reset, run, wait, download. DUEL_EVERIFY when it wrote outside an OUT operand. */
enum duel_status stage_call(struct duel_stage *stage, const struct duel_impl *impl, struct duel_call *call);

/* guard.c: this many bytes on either side of an OUT operand on the device belong to nobody. */
#define STAGE_GUARD 4096
/* STAGE_GUARD, or 0 where there are no zones. */
size_t guard_bytes(const struct duel_backend *backend, const struct duel_workload *workload, int operand);
enum duel_status guard_fill(const struct duel_stage *stage, int operand, struct duel_why *why);
/* DUEL_EVERIFY when somebody wrote there, and then makes the zones good again. */
enum duel_status guard_check(const struct duel_stage *stage, struct duel_why *why);

#endif
