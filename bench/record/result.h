/* result.h: one row: everything that is known about one implementation on one problem. The field table in result.c is
 * the single list of names, units and types behind JSON, CSV and the README's column dictionary. */
#ifndef DUEL_RESULT_H
#define DUEL_RESULT_H

#include "bench/duel.h"
#include "bench/record/verdict.h"
#include "bench/stats/stats.h"

enum duel_row_status {
    ROW_OK,       /* verified and measured */
    ROW_VERIFIED, /* verified, no time by design (emulated GPU, duel verify) */
    ROW_SKIPPED,  /* did not run: reason */
    ROW_FAILED    /* wrong answer or error: reason, and no rate anywhere */
};
const char *row_status_name(enum duel_row_status status); /* "ok", "verified", "skipped", "FAILED" */

struct duel_result {
    char workload[32], implementation[96], device[32], device_name[128];
    enum duel_row_status status;
    enum duel_status cause; /* what kind of failure; DUEL_OK otherwise; decides the exit code */
    char reason[700];       /* why skipped or failed; one line */
    struct duel_problem problem;
    int threads;       /* as read back; 0 on a GPU */
    char library[160]; /* empty when none */
    uint64_t seed;
    bool emulated;

    struct duel_verdict verdict; /* the worse of before and after timing */
    double flops, bytes;

    struct duel_samples kernel_s, kernel_host_s, h2d_s, d2h_s, end_to_end_s; /* all samples, in order; empty = absent */
    struct duel_summary kernel, kernel_host, h2d, d2h, end_to_end;           /* count == 0 = absent */
    int64_t batch;                                                           /* kernels inside one timed interval */
    double convert_s, allocate_s; /* once per case; NaN = the phase does not exist here */
    double read_s, write_s;       /* --input / --output: from and to disk; NaN otherwise */
    double first_call_s;          /* NaN = unknown */
    int64_t warmup_runs;
    double warmup_s;
    char stop_reason[24]; /* "ci", "timeout", "samples", "budget", "interrupted"; empty when not measured */

    double gflops; /* from the kernel median; NaN when not OK */
    char base[96]; /* the row that speed-ups are against: "cpu/gemm/openblas fp32 2T"; empty = none */
    double speedup_kernel, speedup_end_to_end, speedup_serial; /* NaN = unknown */
};

void result_init(struct duel_result *result);      /* all unknown: NaN, -1, empty */
void result_free(struct duel_result *result);      /* samples only */
void result_summarise(struct duel_result *result); /* fills summaries and gflops from the samples */

#endif
