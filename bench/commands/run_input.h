/* run_input.h: `duel run gemm --input A.npy B.npy --output C.npy`, `duel run cholesky --input A.npy`, `duel run conv2d
 * --input photo.png --output edges.png`: the user's own matrices or picture in and out. */
#ifndef DUEL_RUN_INPUT_H
#define DUEL_RUN_INPUT_H

#include "bench/harness/plan.h"
#include "bench/matrix/matrix.h"
#include "bench/matrix/picture.h"

struct duel_input {
    bool given;
    const char *output_path; /* NULL: the answer is not written */
    const struct duel_workload *workload;
    struct duel_matrix file[2];  /* file i is operand i; data is NULL until input_read(), or without a file */
    struct duel_picture picture; /* without pixels: there is none; else the operands are made from it */
    enum duel_image_filter filter;
    double read_s, write_s;             /* NaN until known */
    bool written;                       /* an answer has been written, or writing failed */
    char writer[160];                   /* whose answer it was, in words, */
    const struct duel_case *written_by; /* and as a case of the plan */
    enum duel_status write_status;
    struct duel_why write_why;
};

/* Looks at the headers only: checks that the shapes fit, and sets the one size and, unless given, the precision.
 */
enum duel_status input_plan(struct duel_input *input, struct duel_options *options, struct duel_why *why);
/* Reads both files, timed. */
enum duel_status input_read(struct duel_input *input, const struct duel_options *options, struct duel_why *why);
/* Writes the first right answer to --output, timed; later ones are ignored. */
void input_answer(struct duel_input *input, const struct duel_case *item, const struct duel_matrix *output);
void input_free(struct duel_input *input);

#endif
