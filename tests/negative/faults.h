/* faults.h: implementations that are wrong on purpose, each for one fault that real kernels have had. */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include "bench/verify/zoo.h"

struct fault {
    const char *name;                                      /* what goes wrong */
    enum duel_status (*run)(const struct duel_call *call); /* the wrong implementation */
    int64_t m, n, k;                                       /* it must be rejected on this problem, */
    double alpha, beta;
    enum duel_data data;
    enum duel_dtype in;
    enum duel_tier tier; /* by this tier, */
    const char *words;   /* and with these words in the reason, */
    int earlier;         /* after so many right answers to other inputs */
};

extern const struct fault fault_table[]; /* ended by name == NULL */

/* precision.c: other numbers than those given, or other sums. */
enum duel_status fault_rounds_inputs_to_tf32(const struct duel_call *call);
enum duel_status fault_rounds_inputs_to_bf16(const struct duel_call *call);
enum duel_status fault_rounds_inputs_to_fp32(const struct duel_call *call);
enum duel_status fault_transposes_a(const struct duel_call *call);
enum duel_status fault_transposes_b(const struct duel_call *call);
enum duel_status fault_sums_in_fp16(const struct duel_call *call);
enum duel_status fault_sums_in_fp32(const struct duel_call *call);
/* memory.c: writing elsewhere, or not at all. */
enum duel_status fault_writes_before_c(const struct duel_call *call);
enum duel_status fault_writes_behind_c(const struct duel_call *call);
enum duel_status fault_wraps_its_index(const struct duel_call *call);
enum duel_status fault_gives_the_answer_before(const struct duel_call *call);
enum duel_status fault_is_right_ten_times(const struct duel_call *call);

/* The implementation without a fault: FP32, FP64, and FP16 inputs with FP32 sums. */
enum duel_status fault_right(const struct duel_call *call);

#endif
