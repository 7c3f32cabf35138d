/* result.h: one row: everything that is known about one implementation on one problem. The field table in field.c is
 * the single list of names, units and types behind JSON, CSV and the column dictionary of reports/README.md. */
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

/* A ratio with its 95 % interval; NaN = unknown. */
struct duel_ratio {
    double value, lo, hi;
};

/* What a speed-up with its interval says: only an interval that leaves 1 out decides. */
enum duel_side { SIDE_UNDECIDED, SIDE_SLOWER, SIDE_FASTER };
enum duel_side ratio_side(const struct duel_ratio *ratio);

struct duel_result {
    char workload[32], implementation[96], device[32], device_name[128];
    enum duel_row_status status;
    enum duel_status cause; /* what kind of failure; DUEL_OK otherwise; decides the exit code */
    char reason[700];       /* why skipped or failed; one line */
    struct duel_problem problem;
    int threads;       /* as read back; 0 on a GPU */
    char library[160]; /* empty when none */
    char tile[24];     /* the tile shape that ran, where it is not the implementation's own; else empty */
    uint64_t seed;
    bool emulated;

    struct duel_verdict verdict; /* the worse of before and after timing */
    double flops, bytes;

    struct duel_samples kernel_s, kernel_host_s, h2d_s, d2h_s, end_to_end_s; /* all samples, in order; empty = absent */
    struct duel_summary kernel, kernel_host, h2d, d2h, end_to_end;           /* count == 0 = absent */
    int64_t batch;                                                           /* kernels inside one timed interval */
    double convert_s, allocate_s; /* once per case; NaN = the phase does not exist here */
    double read_s, write_s;       /* --input / --output: from and to disk; NaN otherwise */
    double open_s;                /* library handle and workspace, once; NaN = the implementation has neither */
    double first_call_s;          /* run, wait and copy back, the first time; NaN = unknown */
    double first_upload_s;        /* inputs to the device, the first time; NaN on the CPU */
    bool first_use;               /* of this implementation in its process: only then is cold_s known */
    double context_create_s, module_load_s,
        threads_start_s; /* once per process; NaN = does not exist here, or unknown */
    double cold_s;       /* a first single use in a fresh process, from all of these parts; NaN = unknown */
    int64_t warmup_runs; /* 0 = unknown */
    double warmup_s;
    char interval_note[200]; /* why timed intervals are shorter than they should be; empty: they are not */
    char stop_reason[24];    /* "ci", "timeout", "samples", "budget", "interrupted"; empty when not measured */

    char order[8];                             /* "random", "abba", "listed" */
    char cache[12], data[12], host_memory[12]; /* as measured: "hot", "uniform", "pinned"; empty = does not apply */
    int session;                               /* from 1; 0 when there is only one */

    /* Quality of the kernel samples. Disturbed ones were interrupted by other work; they are kept in kernel_s and
     * marked in `disturbed`, and the summary is of the clean ones when there are enough of those. */
    struct duel_samples disturbed; /* indices into kernel_s */
    bool clean;                    /* the summary is of undisturbed samples alone */
    int64_t clean_wanted;          /* that many clean samples are enough; 0: most of all must be */
    int64_t outliers_mild, outliers_severe;
    double drift, autocorrelation; /* relative change from first to last sample; lag 1; NaN = unknown */
    double foreign_cpu_share;      /* of all CPU time while this size was measured; NaN = unknown */

    /* --host-memory overlapped: copies and kernels in chunks, by the host clock. */
    struct duel_samples overlapped_s;
    struct duel_summary overlapped;
    double overlap_ratio; /* end to end one after the other, over overlapped */

    double gflops;         /* from the kernel median; NaN when not OK */
    char base[96];         /* the row that speed-ups are against: "cpu/gemm/openblas fp32 2 threads"; empty = none */
    double speedup_serial; /* kernel against the serial row; NaN = unknown */
    struct duel_ratio speedup_kernel, speedup_end_to_end,
        speedup_amortised;              /* with 95 % intervals from paired blocks */
    struct duel_ratio speedup_cold;     /* of cold_s; an interval only over sessions */
    int64_t reuse;                      /* uses of the operands per copy, of speedup_amortised */
    struct duel_ratio break_even_reuse; /* uses from which copying pays; NaN = result_reuse_why() */
};

/* Everything unknown: NaN, -1, empty. The status is ROW_SKIPPED without a reason: a row is OK only when someone says
 * so. */
void result_init(struct duel_result *result);
void result_free(struct duel_result *result); /* samples only */
/* Was this sample interrupted by other work? */
bool result_disturbed(const struct duel_result *result, size_t sample);
/* Of the clean samples where they are as many as were wanted, or most of all; else of all, and then *clean is false.
 * `disturbed` holds positions in `all`. */
struct duel_summary summary_of_clean(const struct duel_samples *all, const struct duel_samples *disturbed,
                                     int64_t wanted, bool *clean);
/* Fills summaries and gflops from the samples. gflops stays unknown on a row that may not show a time. */
void result_summarise(struct duel_result *result);

/* May this row show a time, a rate or a speed-up? Every output asks this one function, so that a wrong answer or an
 * emulated device cannot slip a number through one of them. */
bool result_timed(const struct duel_result *result);
/* True when the row ran on the CPU, where host memory is device memory. */
bool result_on_cpu(const struct duel_result *result);
/* Largest number of uses of the same operands that is thought about. */
#define RESULT_MOST_REUSE 1000000000
/* Why break_even_reuse has no value: a whole sentence that begins with "never", "undecided" or the like; NULL when it
 * has one, or when this is no row that copies. */
const char *result_reuse_why(const struct duel_result *result);
const char *result_cold_why(const struct duel_result *result); /* why cold_s is unknown; NULL when it is known */
/* "cpu/gemm/openblas fp32 2 threads" (no threads on a GPU): how a row is named as a baseline. Returns `label`. */
const char *result_label(const struct duel_result *result, char *label, size_t size);

#endif
