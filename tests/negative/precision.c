/* precision.c: faults that multiply other numbers than those given, or sum them in another type. */
#include <stdlib.h>

#include "bench/matrix/dtype.h"
#include "tests/negative/faults.h"

extern const struct duel_impl cpu_gemm_interchanged;

/* Runs on copies of A and B that went through a narrower type. */
static enum duel_status run_rounded(const struct duel_call *call, enum duel_dtype narrow)
{
    const struct duel_problem *p = call->problem;
    const size_t size = dtype_size(p->types.in);
    const size_t count[] = {(size_t)(p->m * p->ld[DUEL_A]), (size_t)(p->k * p->ld[DUEL_B])};
    struct duel_call other = *call;
    for (int i = DUEL_A; i <= DUEL_B; i++) {
        other.operand[i] = malloc(count[i] * size + 1);
        for (size_t e = 0; e < count[i]; e++) {
            double stored;
            dtype_store(narrow, &stored, 0, dtype_load(p->types.in, call->operand[i], e));
            dtype_store(p->types.in, other.operand[i], e, dtype_load(narrow, &stored, 0));
        }
    }
    enum duel_status status = cpu_gemm_interchanged.run(&other);
    free(other.operand[DUEL_A]);
    free(other.operand[DUEL_B]);
    return status;
}

enum duel_status fault_rounds_inputs_to_tf32(const struct duel_call *call)
{
    return run_rounded(call, DUEL_TF32);
}

enum duel_status fault_rounds_inputs_to_bf16(const struct duel_call *call)
{
    return run_rounded(call, DUEL_BF16);
}

enum duel_status fault_rounds_inputs_to_fp32(const struct duel_call *call)
{
    return run_rounded(call, DUEL_FP32);
}

/* Where row and column of an operand step to; swapped when it is read by columns. */
struct steps {
    int64_t row, column;
};

static struct steps steps_of(const struct duel_problem *p, int operand, bool swapped)
{
    const int64_t ld = p->ld[operand];
    return swapped ? (struct steps){1, ld} : (struct steps){ld, 1};
}

/* The plain dot products, summed in `sum_type`; operand `transposed` is read by columns if it is square. */
static enum duel_status run_plain(const struct duel_call *call, enum duel_dtype sum_type, int transposed)
{
    const struct duel_problem *p = call->problem;
    const struct steps a = steps_of(p, DUEL_A, transposed == DUEL_A && p->m == p->k),
                       b = steps_of(p, DUEL_B, transposed == DUEL_B && p->k == p->n);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            double sum = 0, stored;
            for (int64_t l = 0; l < p->k; l++) {
                sum += dtype_load(p->types.in, call->operand[DUEL_A], (size_t)(i * a.row + l * a.column)) *
                       dtype_load(p->types.in, call->operand[DUEL_B], (size_t)(l * b.row + j * b.column));
                dtype_store(sum_type, &stored, 0, sum);
                sum = dtype_load(sum_type, &stored, 0);
            }
            const size_t index = (size_t)(i * p->ld[DUEL_C] + j);
            const double old = p->beta == 0 ? 0 : p->beta * dtype_load(p->types.out, call->operand[DUEL_C], index);
            dtype_store(p->types.out, call->operand[DUEL_C], index, p->alpha * sum + old);
        }
    return DUEL_OK;
}

enum duel_status fault_right(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP16 ? run_plain(call, DUEL_FP32, -1) : cpu_gemm_interchanged.run(call);
}

enum duel_status fault_transposes_a(const struct duel_call *call)
{
    return run_plain(call, DUEL_FP64, DUEL_A);
}

enum duel_status fault_transposes_b(const struct duel_call *call)
{
    return run_plain(call, DUEL_FP64, DUEL_B);
}

enum duel_status fault_sums_in_fp16(const struct duel_call *call)
{
    return run_plain(call, DUEL_FP16, -1);
}

enum duel_status fault_sums_in_fp32(const struct duel_call *call)
{
    return run_plain(call, DUEL_FP32, -1);
}
