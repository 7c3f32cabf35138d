/* faults.c: most faults are the right loops (cpu/gemm/interchanged) on a problem that was misread, or with damage done
 * afterwards: so that nothing but the fault differs from a right implementation. */
#include "tests/negative/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"

extern const struct duel_impl cpu_gemm_interchanged;

/* ---- the problem misread ---------------------------------------------------------------------------------- */

static enum duel_status run_as(const struct duel_call *call, struct duel_problem problem)
{
    struct duel_call other = *call;
    other.problem = &problem;
    return cpu_gemm_interchanged.run(&other);
}

#define MISREAD(name, change)                                  \
    static enum duel_status name(const struct duel_call *call) \
    {                                                          \
        struct duel_problem p = *call->problem;                \
        change;                                                \
        return run_as(call, p);                                \
    }

MISREAD(drops_last_product, p.k -= p.k > 0)
MISREAD(drops_k_tail, p.k -= p.k % 16)
MISREAD(skips_last_row, p.m -= 1)
MISREAD(skips_last_column, p.n -= 1)
MISREAD(takes_lda_from_k, p.ld[DUEL_A] = p.k)
MISREAD(takes_ldb_from_n, p.ld[DUEL_B] = p.n)
MISREAD(takes_ldc_from_n, p.ld[DUEL_C] = p.n)
MISREAD(ignores_beta, p.beta = 0)
MISREAD(takes_beta_as_one, p.beta = p.beta == 0 ? 0 : 1)
MISREAD(applies_beta_twice, p.beta *= p.beta)
MISREAD(ignores_alpha, p.alpha = 1)
MISREAD(cuts_alpha_to_int, p.alpha = (int)p.alpha)
MISREAD(loses_sign_of_alpha, p.alpha = fabs(p.alpha))

/* ---- damage done afterwards, FP32 ------------------------------------------------------------------------- */

static float *element(const struct duel_call *call, int64_t row, int64_t column)
{
    return (float *)call->operand[DUEL_C] + row * call->problem->ld[DUEL_C] + column;
}

#define DAMAGE(name, harm)                                        \
    static enum duel_status name(const struct duel_call *call)    \
    {                                                             \
        const int64_t m = call->problem->m, n = call->problem->n; \
        (void)m, (void)n;                                         \
        run_as(call, *call->problem);                             \
        harm;                                                     \
        return DUEL_OK;                                           \
    }

DAMAGE(leaves_a_nan, *element(call, m / 2, n / 2) = NAN)
DAMAGE(leaves_an_infinity, *element(call, m - 1, 0) = INFINITY)
DAMAGE(writes_one_past_a_row, if (n < call->problem->ld[DUEL_C]) * element(call, m / 2, n) = 0)
DAMAGE(skips_a_tile, for (int64_t i = m / 2; i < m; i++) memset(element(call, i, n / 2), 0xFF, (size_t)(n - n / 2) * 4))
DAMAGE(changes_an_input, *(float *)call->operand[DUEL_A] += 1)

static void spoil_one(const struct duel_call *call, int64_t row, int64_t column)
{
    while (*element(call, row, column) == 0 && column + 1 < call->problem->n)
        column++;
    *element(call, row, column) *= 1.1f;
}
DAMAGE(is_ten_percent_off_once, spoil_one(call, m / 3, n / 3))

static void swap_rows(const struct duel_call *call, int64_t one, int64_t other)
{
    for (int64_t j = 0; j < call->problem->n; j++) {
        const float keep = *element(call, one, j);
        *element(call, one, j) = *element(call, other, j);
        *element(call, other, j) = keep;
    }
}
DAMAGE(swaps_two_rows, swap_rows(call, 0, m - 1))

static void transpose(const struct duel_call *call)
{
    const int64_t size = call->problem->m == call->problem->n ? call->problem->n : 0;
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < i; j++) {
            const float keep = *element(call, i, j);
            *element(call, i, j) = *element(call, j, i);
            *element(call, j, i) = keep;
        }
}
DAMAGE(transposes_output, transpose(call))

/* ---- calls that do not do the work ------------------------------------------------------------------------- */

static enum duel_status does_nothing(const struct duel_call *call)
{
    (void)call;
    return DUEL_OK;
}

static enum duel_status works_every_second_time(const struct duel_call *call)
{
    static int calls;
    return calls++ % 2 ? run_as(call, *call->problem) : DUEL_OK;
}

/* The old C times 0 is NaN where the old C is NaN. */
static enum duel_status reads_c_despite_beta_zero(const struct duel_call *call)
{
    struct duel_problem p = *call->problem;
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++)
            *element(call, i, j) *= (float)p.beta;
    p.beta = 1;
    return run_as(call, p);
}

static enum duel_status counts_first_product_twice(const struct duel_call *call)
{
    struct duel_problem p = *call->problem;
    run_as(call, p);
    p.k = p.k > 0;
    p.beta = 1;
    return run_as(call, p);
}

/* ---- other inputs than those given ------------------------------------------------------------------------- */

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

static enum duel_status rounds_inputs_to_tf32(const struct duel_call *call)
{
    return run_rounded(call, DUEL_TF32);
}

static enum duel_status rounds_inputs_to_bf16(const struct duel_call *call)
{
    return run_rounded(call, DUEL_BF16);
}

static enum duel_status rounds_inputs_to_fp32(const struct duel_call *call)
{
    return run_rounded(call, DUEL_FP32);
}

/* The plain dot products, summed in `sum_type`; A is read by columns when `transposed`. */
static enum duel_status run_plain(const struct duel_call *call, enum duel_dtype sum_type, bool transposed)
{
    const struct duel_problem *p = call->problem;
    const int64_t row_step = transposed && p->m == p->k ? 1 : p->ld[DUEL_A],
                  step = transposed && p->m == p->k ? p->ld[DUEL_A] : 1;
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            double sum = 0, stored;
            for (int64_t l = 0; l < p->k; l++) {
                sum += dtype_load(p->types.in, call->operand[DUEL_A], (size_t)(i * row_step + l * step)) *
                       dtype_load(p->types.in, call->operand[DUEL_B], (size_t)(l * p->ld[DUEL_B] + j));
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
    return call->problem->types.in == DUEL_FP16 ? run_plain(call, DUEL_FP32, false) : run_as(call, *call->problem);
}

static enum duel_status transposes_a(const struct duel_call *call)
{
    return run_plain(call, DUEL_FP64, true);
}

static enum duel_status sums_in_fp16(const struct duel_call *call)
{
    return run_plain(call, DUEL_FP16, false);
}

static enum duel_status sums_in_fp32(const struct duel_call *call)
{
    return run_plain(call, DUEL_FP32, false);
}

/* ---- what must happen to each ------------------------------------------------------------------------------- */

#define INT DUEL_INTEGERS
#define UNI DUEL_UNIFORM
#define FP16 DUEL_FP16
#define FP32 DUEL_FP32
#define FP64 DUEL_FP64
#define NONE DUEL_TIER_NONE
#define EXACT DUEL_TIER_EXACT
#define BOUND DUEL_TIER_BOUND
#define FREIVALDS DUEL_TIER_FREIVALDS

/* Problems of 640 x 640 x 800 and more belong to Freivalds. */
const struct fault fault_table[] = {
    /* sums with a product too few or too many */
    {"drops one product of 4096", drops_last_product, 16, 16, 4096, 1, 0, UNI, FP32, BOUND, "times the bound"},
    {"drops one product of 16384", drops_last_product, 4, 4, 16384, 1, 0, UNI, FP32, BOUND, "times the bound"},
    {"drops one product, whole numbers", drops_last_product, 31, 33, 35, 1, 0, INT, FP32, EXACT, "on whole numbers"},
    {"drops one product, large", drops_last_product, 640, 640, 800, 1, 0, INT, FP32, FREIVALDS, "leave no rounding"},
    {"drops what is left of k after tiles", drops_k_tail, 16, 16, 17, 1, 0, INT, FP32, EXACT, "on whole numbers"},
    {"counts a product twice", counts_first_product_twice, 16, 16, 2048, 1, 0, UNI, FP32, BOUND, "times the bound"},
    /* elements that nobody wrote, or that hold no number */
    {"does nothing", does_nothing, 33, 32, 31, 1, 0, INT, FP32, EXACT, "all of the output is still NaN"},
    {"does nothing to the old C", does_nothing, 33, 32, 31, 1, 1, INT, FP32, EXACT, "the output is the old C"},
    {"works every second time", works_every_second_time, 8, 8, 8, 1, 0, UNI, FP32, BOUND, "still NaN"},
    {"skips the last row", skips_last_row, 64, 64, 8, 1, 0, INT, FP32, EXACT, "row 63 of 64 x 64 never written"},
    {"skips the last column", skips_last_column, 64, 65, 8, 1, 0, INT, FP32, EXACT,
     "column 64 of 64 x 65 never written"},
    {"skips a tile", skips_a_tile, 64, 64, 8, 1, 0, UNI, FP32, BOUND, "rows 32 to 63, columns 32 to 63 of"},
    {"leaves a NaN", leaves_a_nan, 33, 33, 9, 1, 0, UNI, FP32, BOUND, "NaN at (16, 16)"},
    {"leaves a NaN, large", leaves_a_nan, 640, 640, 800, 1, 0, UNI, FP32, FREIVALDS, "NaN at (320, 320)"},
    {"leaves an infinity", leaves_an_infinity, 33, 33, 9, 1, 0, INT, FP32, EXACT, "infinity at (32, 0)"},
    {"leaves an infinity, large", leaves_an_infinity, 640, 640, 800, 1, 0, INT, FP32, FREIVALDS,
     "infinity at (639, 0)"},
    /* leading dimensions */
    {"takes lda from k", takes_lda_from_k, 31, 33, 35, 1, 0, INT, FP32, EXACT, "is it read as data"},
    {"takes ldb from n", takes_ldb_from_n, 31, 33, 35, 1, 0, UNI, FP32, BOUND, "is it read as data"},
    {"takes ldc from n", takes_ldc_from_n, 31, 33, 35, 1, 0, INT, FP32, EXACT, "wrote outside C"},
    {"writes one past a row", writes_one_past_a_row, 20, 30, 4, 1, 0, UNI, FP32, BOUND, "padding at (10, 30)"},
    {"changes an input", changes_an_input, 20, 30, 4, 1, 0, UNI, FP32, NONE, "changed its inputs"},
    /* alpha and beta */
    {"ignores beta", ignores_beta, 31, 33, 35, 1, -0.5, UNI, FP32, BOUND, "beta C is missing"},
    {"takes beta as one", takes_beta_as_one, 31, 33, 35, 1, -0.5, INT, FP32, EXACT, "added without beta"},
    {"applies beta twice", applies_beta_twice, 31, 33, 35, 1, -0.5, INT, FP32, EXACT, "on whole numbers"},
    {"reads C although beta is 0", reads_c_despite_beta_zero, 31, 33, 35, 1, 0, INT, FP32, EXACT, "although beta is 0"},
    {"cuts alpha to int", cuts_alpha_to_int, 31, 33, 35, -0.5, -0.5, UNI, FP32, BOUND, "alpha A B is missing"},
    {"ignores alpha", ignores_alpha, 31, 33, 35, -0.5, 0, INT, FP32, EXACT, "alpha was ignored"},
    {"loses the sign of alpha", loses_sign_of_alpha, 640, 640, 800, -0.5, 0, UNI, FP32, FREIVALDS, "beyond the bound"},
    /* the right numbers in the wrong place */
    {"transposes the output", transposes_output, 33, 33, 20, 1, 0, UNI, FP32, BOUND, "is transposed"},
    {"reads A by columns", transposes_a, 33, 20, 33, 1, 0, INT, FP32, EXACT, "on whole numbers"},
    {"swaps two rows", swaps_two_rows, 33, 20, 7, 1, 0, UNI, FP32, BOUND, "times the bound"},
    /* one wrong number among a million */
    {"is 10 % off once in a million", is_ten_percent_off_once, 1000, 1000, 16, 1, 0, UNI, FP32, BOUND, "1 of 1000000"},
    {"is 10 % off once, whole numbers", is_ten_percent_off_once, 1000, 1000, 16, 1, 0, INT, FP32, EXACT,
     "1 of 1000000"},
    {"is 10 % off once, large", is_ten_percent_off_once, 1000, 1000, 400, 1, 0, INT, FP32, FREIVALDS,
     "leave no rounding"},
    {"is 10 % off once, large and rounded", is_ten_percent_off_once, 1000, 1000, 400, 1, 0, UNI, FP32, FREIVALDS,
     "beyond the bound"},
    /* another precision than the label says */
    {"rounds its inputs to TF32", rounds_inputs_to_tf32, 32, 32, 64, 1, 0, UNI, FP32, BOUND, "TF32 or FP16"},
    {"rounds its inputs to TF32, long sums", rounds_inputs_to_tf32, 16, 16, 16384, 1, 0, UNI, FP32, BOUND,
     "TF32 or FP16"},
    {"rounds its inputs to TF32, large", rounds_inputs_to_tf32, 640, 640, 800, 1, 0, UNI, FP32, FREIVALDS,
     "TF32 or FP16"},
    {"rounds its inputs to BF16", rounds_inputs_to_bf16, 32, 32, 64, 1, 0, UNI, FP32, BOUND, "BF16"},
    {"rounds FP64 inputs to FP32", rounds_inputs_to_fp32, 32, 32, 64, 1, 0, UNI, FP64, BOUND, "FP32 arithmetic"},
    {"sums FP64 in FP32", sums_in_fp32, 32, 32, 64, 1, 0, UNI, FP64, BOUND, "FP32 arithmetic"},
    {"sums FP16 inputs in FP16", sums_in_fp16, 32, 32, 256, 1, 0, UNI, FP16, BOUND, "of 1024 elements"},
    {.name = NULL},
};
