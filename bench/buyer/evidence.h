/* evidence.h: what was really reached, as a share of what a vendor publishes: from measurements that others published
 * (reports/published.csv) and from run files. Predictions are calibrated on it, and it is never shown as a prediction.
 */
#ifndef DUEL_EVIDENCE_H
#define DUEL_EVIDENCE_H

#include "bench/cards/cards.h"
#include "bench/options/options.h"
#include "bench/record/result.h"

/* One measurement on one card. */
struct duel_share {
    char implementation[96]; /* "gpu/gemm/cublas_*": the star stands for the precision */
    char applies[32];        /* precisions that it says something about: "fp16 bf16" */
    char card[64];
    double share;  /* of what the card's published figures allow, at this size */
    double roof_s; /* the time that they allow; NaN: a large size, not told which */
    bool recorded; /* from a run file; else published by others */
};

/* One row that a CPU really did, for comparison with what cards would do. */
struct duel_cpu_row {
    char workload[32], implementation[96], machine[128], file[200];
    struct duel_problem problem;
    int threads;
    double kernel_s, flops;
};

struct duel_evidence {
    struct duel_share *share;
    size_t count, capacity;
    struct duel_cpu_row *cpu;
    size_t cpu_count, cpu_capacity;
    char cpu_machine[128];             /* of the last run file with a roof of its memory */
    double cpu_gbps, cpu_memory_bytes; /* its own measured bandwidth; 0: not known */
    size_t files, unplaced; /* run files read; rows on GPUs that are no card of the table, or not told apart */
};

/* Published ones, the run files of reports/recorded/, and `files`. A file of the user that cannot be read is
 * DUEL_EINVAL. Release with evidence_free(), also after a failure. */
enum duel_status evidence_read(struct duel_evidence *evidence, const struct duel_cards *cards, const char *const *files,
                               int file_count, struct duel_why *why);
void evidence_free(struct duel_evidence *evidence);

/* The table of published measurements alone, from `path` (NULL: the one that came with the program). */
enum duel_status evidence_published(struct duel_evidence *evidence, const char *path, struct duel_why *why);
/* One run file, for calibration. */
enum duel_status evidence_run_file(struct duel_evidence *evidence, const struct duel_cards *cards, const char *path,
                                   struct duel_why *why);
bool evidence_add(struct duel_evidence *evidence, const struct duel_share *share); /* false: out of memory */

/* identify.c: the card of the table that a device is: by its own name, its multiprocessors and its memory. NULL: none,
 * or several. Numbers of 0 or less are not known. */
const struct duel_card *card_identify(const struct duel_cards *cards, const char *name, int processors,
                                      double memory_bytes);

#endif
