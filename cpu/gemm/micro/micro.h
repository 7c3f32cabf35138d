/* micro.h: what the upper rungs of cpu/gemm/ stand on. kernel.c is compiled once for each instruction set and element
 * type; each time it makes one of these tables, and micro.c chooses among them when the program runs.
 *
 * Pointers to elements are void: the table knows how many bytes an element has. Sizes are in elements.
 */
#ifndef DUEL_MICRO_H
#define DUEL_MICRO_H

#include "bench/duel.h"

/* One tile of C, small enough to stay in registers while the whole sum over k runs: C = alpha A B + beta C.
 *
 * A strip of A is mr rows high and holds its columns one after the other: element (i, l) at [l * mr + i]. A strip of B
 * is nr columns wide and holds its rows one after the other: element (l, j) at [l * nr + j]. So the micro-kernel reads
 * both from front to back. */
struct gemm_tile {
    int rows, cols; /* of this tile: at most mr and nr, fewer at the lower and right edges of C */
    int64_t k;      /* 0 is allowed: C is only scaled */
    const void *A;  /* a strip, or with a_row > 0 rows that stand where they are, a_row elements apart */
    int64_t a_row;
    const void
        *B; /* a strip when b_row == nr, else rows in place; whole vectors of each are read, even of a narrow tile */
    int64_t b_row;
    void *C;
    int64_t ldc;
    double alpha, beta; /* beta == 0: C is not read */
};

struct gemm_micro {
    int mr, nr;       /* rows and columns of a whole tile */
    int lanes;        /* elements of a vector */
    size_t size;      /* bytes of an element */
    const char *text; /* for the record: instruction set and shape of the tile */

    void (*tile)(const struct gemm_tile *tile);
    /* Copies rows x k of A, or k x cols of B, into strips. The last strip of B is filled up with zeros; of A, rows that
     * do not exist are left as they are, because no tile reads them. */
    void (*pack_a)(int64_t rows, int64_t k, const void *A, int64_t lda, void *strips);
    void (*pack_b)(int64_t k, int64_t cols, const void *B, int64_t ldb, void *strips);
    /* Copies a column of k elements that stand ldb apart. */
    void (*pack_column)(int64_t k, const void *B, int64_t ldb, void *column);
    /* y = alpha A x + beta y for a column x without gaps: `rows` dot products. Elements of y stand ldy apart. */
    void (*dots)(int64_t rows, int64_t k, const void *A, int64_t lda, const void *x, void *y, int64_t ldy, double alpha,
                 double beta);
    /* C = beta C + the sum of `parts` matrices without gaps, each rows x cols, whose starts are `stride` elements
     * apart. */
    void (*sum)(int64_t rows, int64_t cols, int parts, const void *part, int64_t stride, void *C, int64_t ldc,
                double beta);
};

/* The table for this type on this processor, or with the variable DUEL_ISA in the environment for a lesser instruction
 * set. NULL with *why filled when DUEL_ISA names one that is not here. */
const struct gemm_micro *gemm_micro(enum duel_dtype in, struct duel_why *why);

/* ---- what open() prepares for the packed rungs ------------------------------------------------------------- */

/* Columns that are left over: at most this many are done as dot products, because a tile would be mostly padding. */
enum { GEMM_NARROW = 4 };

struct gemm_plan {
    const struct gemm_micro *micro;
    int64_t mc, kc, nc; /* a block of A is mc x kc, a panel of B kc x nc */
    bool a_in_place;    /* A is small or used little: its rows are read where they stand */
    bool b_in_place;    /* the same for whole strips of B */
    int64_t strip_rows; /* of a strip of C when A is in place: fewer than m when there are few strips */
    int threads;
    int parts; /* C is small and the sum long: so many parts of the sum at once, each with a C of its own; else 1 */
    void *memory;
    char *A, *B, *C; /* buffers, see plan.c: for each thread one block of A and one strip of B, or two panels of B */
    size_t a_bytes, b_bytes, c_bytes; /* of one such buffer */
};

/* Fills call->state for call->threads threads; gemm_close() undoes it. */
enum duel_status gemm_open(struct duel_call *call);
void gemm_close(void *plan);
/* The `supports` and `library` of rungs that stand on a micro-kernel: is there one, and which? */
enum duel_status gemm_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                               struct duel_why *why);
const char *gemm_library(void);

/* Element number `index` behind `x`. */
static inline void *gemm_at(const struct gemm_micro *micro, const void *x, int64_t index)
{
    return (char *)x + index * (int64_t)micro->size;
}

static inline int64_t gemm_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
