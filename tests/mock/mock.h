/* mock.h: a device whose clock is a script. It computes real answers, but every second it reports was written by the
 * test, so phases, medians, batches, skips and failures are exact. */
#ifndef DUEL_MOCK_H
#define DUEL_MOCK_H

#include "bench/harness/runner.h"

struct mock {
    double clock_s;                /* both clocks stand still unless something below moves them */
    double upload_s, download_s;   /* per copied operand */
    double kernel_s;               /* per run */
    double kernel_growth;          /* each run takes this much longer than the one before: drift */
    double host_extra_s;           /* host clock only: what each sync costs on top */
    double device_scale;           /* elapsed() is multiplied by this: 1, 0 or -1 */
    double mark_s[DUEL_MAX_MARKS]; /* device time of each mark */
    double lag_s;                  /* host time that the device clock does not know */
    int runs;                      /* calls of run() so far */
    int fail_at, wrong_from,
        interrupt_at; /* the run with this number (from 1) fails; is wrong from there; raises SIGINT */
    int allocations;  /* alive; 0 after everything was released */
};

/* The mock behaves like a GPU: separate memory, copies, a queue that is the struct mock itself. */
extern const struct duel_backend mock_backend;
/* FP32 GEMM implementations on the mock: right, unsupported problem, writes nothing. */
extern const struct duel_impl mock_right, mock_unsupported, mock_idle;

enum duel_status mock_run(const struct duel_call *call); /* what mock_right runs, for implementations of other names */

/* A usable place on this mock with the given table. */
void mock_place(struct duel_place *place, struct mock *mock, const struct duel_impl *const *impls);
/* A group of one case per implementation of the place at m = n = k = size; release cases with free(). */
void mock_group(struct duel_group *group, struct duel_place *place, int64_t size, double beta);

#endif
