/* cards.h: what vendors publish about their cards (reports/gpu-specs.csv), what a multiprocessor of each compute
 * capability can hold, and what both say about a kernel whose work has been counted. Nothing here is measured. */
#ifndef DUEL_CARDS_H
#define DUEL_CARDS_H

#include "bench/duel.h"

/* One row of the table. What its sources do not say is NaN, 0 or empty. */
struct duel_card {
    char name[64], vendor[16], architecture[24];
    char capability_text[16]; /* "8.9"; AMD's own words for theirs */
    int capability;           /* 89; 0 for a card that runs no CUDA */
    double year, processors, cores, boost_mhz;
    double memory_gb, bandwidth_gb_s, l2_mb;
    char memory_type[40];
    double fp64_tflops, fp32_tflops;
    double tf32_tflops, fp16_tflops, fp16_acc16_tflops, fp8_tflops; /* of Tensor Cores, without sparsity */
    double power_w, pcie_gen, pcie_lanes, host_link_gb_s, nvlink_gb_s;
    double shared_kib; /* per multiprocessor */
    char evidence[8];  /* A, A* or B: reports/README.md */
    char source[240];
    char notes[400];
};

/* A column of the table, and the member that holds it. */
struct duel_card_column {
    const char *name; /* "memory_gb"; NULL ends the table */
    size_t offset, bytes;
    bool number;
};
extern const struct duel_card_column duel_card_columns[];
double card_number(const struct duel_card *card, const struct duel_card_column *column); /* NaN: not known */
const char *card_text(const struct duel_card *card, const struct duel_card_column *column);

struct duel_cards {
    struct duel_card *card;
    size_t count;
};

/* Reads a table of cards; columns are found by their names, in any order. NULL: the table that came with the program.
 * A cell that is no number where one belongs, a missing column or a second card of one name is DUEL_EINVAL. */
enum duel_status cards_read(const char *path, struct duel_cards *cards, struct duel_why *why);
void cards_free(struct duel_cards *cards);
/* Does `word` stand in the text as whole words, in any case? "A10" does not in "A100". */
bool cards_word(const char *text, const char *word, size_t length);
/* By name, in any case; or by whole words or a part of the name that only one card has. On failure *why holds the
 * nearest names. */
enum duel_status cards_find(const struct duel_cards *cards, const char *name, const struct duel_card **card,
                            struct duel_why *why);

/* ---- occupancy.c ------------------------------------------------------------------------------------------ */

/* What one multiprocessor holds, from "Technical Specifications per Compute Capability" of the CUDA programming guide.
 * All of them: 32 threads a warp, 65 536 registers, 4 parts that each run their own warps, registers given to a warp
 * by 256, at most 255 registers a thread and 1024 threads a block. */
struct duel_processor_limits {
    int capability; /* 89 */
    int threads, blocks;
    int shared_kib, shared_per_block_kib; /* the second with cudaFuncSetAttribute */
    int shared_unit, shared_reserved;     /* bytes: rounding of a block's share, and what CUDA takes of it for itself */
};

/* NULL for a capability that is not in the table. */
const struct duel_processor_limits *occupancy_limits(int capability);
/* 90 from "sm_90", "90" or "9.0"; 0 when it is none of the table. */
int occupancy_capability(const char *text);
/* "sm_75, sm_80 ..." of all that are in the table. */
void occupancy_names(char *out, size_t size);

struct duel_launch {
    int64_t threads;      /* of a block */
    int registers;        /* of a thread */
    int64_t shared_bytes; /* of a block, declared and dynamic together */
};

struct duel_occupancy {
    int blocks, warps, most_warps; /* that are on one multiprocessor together; 0 blocks: it cannot be launched */
    double share;                  /* warps / most_warps */
    const char *limit;             /* "registers", "shared memory", "threads", "blocks" */
};
struct duel_occupancy occupancy_of(const struct duel_processor_limits *limits, const struct duel_launch *launch);

/* ---- predict.c: a roofline from counts ------------------------------------------------------------------------- */

/* The work of a kernel. What is not known is NaN, and nothing is predicted from it. */
struct duel_work {
    double flops[DUEL_DTYPES]; /* of ordinary arithmetic, by type */
    double tensor_flops;       /* of Tensor Cores with sums in FP32 */
    enum duel_dtype tensor_in; /* and inputs of this type */
    double global_bytes;       /* sectors of global requests x 32 */
    double compulsory_bytes;   /* each input read once, each output written once */
    double passes;             /* of the load units: wavefronts, each up to 128 bytes */
};

enum duel_part { PART_ARITHMETIC, PART_TENSOR, PART_LOADS, PART_MEMORY_LEAST, PART_MEMORY_MOST, PARTS };

struct duel_prediction {
    double part_s[PARTS]; /* NaN: not known */
    double least_s;       /* the slowest part if caches catch every reuse */
    double most_s;        /* the slowest part if they catch none */
    enum duel_part limit, limit_most;
};

extern const char *const duel_part_name[PARTS]; /* "arithmetic", ... */
/* DUEL_SKIP when the card or the counts do not say enough. */
enum duel_status card_predict(const struct duel_card *card, const struct duel_work *work,
                              struct duel_prediction *prediction, struct duel_why *why);
/* FLOP of this mix of types that the card's units can do while one byte arrives from its memory; NaN: not known. */
double card_balance(const struct duel_card *card, const struct duel_work *work);

#endif
