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
MISREAD(cuts_beta_to_int, p.beta = (int)p.beta)
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
DAMAGE(leaves_minus_infinity, *element(call, 0, n - 1) = -INFINITY)
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
    {"drops one product of 4096", drops_last_product, 16, 16, 4096, 1, 0, UNI, FP32, BOUND, "times the bound", 0},
    {"drops one product of 16384", drops_last_product, 4, 4, 16384, 1, 0, UNI, FP32, BOUND, "times the bound", 0},
    {"drops one product, whole numbers", drops_last_product, 31, 33, 35, 1, 0, INT, FP32, EXACT, "on whole numbers", 0},
    {"drops one product, large", drops_last_product, 640, 640, 800, 1, 0, INT, FP32, FREIVALDS, "leave no rounding", 0},
    {"drops what is left of k after tiles", drops_k_tail, 16, 16, 17, 1, 0, INT, FP32, EXACT, "on whole numbers", 0},
    {"counts a product twice", counts_first_product_twice, 16, 16, 2048, 1, 0, UNI, FP32, BOUND, "times the bound", 0},
    /* elements that nobody wrote, or that hold no number */
    {"does nothing", does_nothing, 33, 32, 31, 1, 0, INT, FP32, EXACT, "all of the output is still NaN", 0},
    {"does nothing to the old C", does_nothing, 33, 32, 31, 1, 1, INT, FP32, EXACT, "the output is the old C", 0},
    {"works every second time", works_every_second_time, 8, 8, 8, 1, 0, UNI, FP32, BOUND, "still NaN", 0},
    {"skips the last row", skips_last_row, 64, 64, 8, 1, 0, INT, FP32, EXACT, "row 63 of 64 x 64 never written", 0},
    {"skips the last column", skips_last_column, 64, 65, 8, 1, 0, INT, FP32, EXACT,
     "column 64 of 64 x 65 never written", 0},
    {"skips a tile", skips_a_tile, 64, 64, 8, 1, 0, UNI, FP32, BOUND, "rows 32 to 63, columns 32 to 63 of", 0},
    {"leaves a NaN", leaves_a_nan, 33, 33, 9, 1, 0, UNI, FP32, BOUND, "NaN at (16, 16)", 0},
    {"leaves a NaN, large", leaves_a_nan, 640, 640, 800, 1, 0, UNI, FP32, FREIVALDS, "NaN at (320, 320)", 0},
    {"leaves an infinity", leaves_an_infinity, 33, 33, 9, 1, 0, INT, FP32, EXACT, "infinity at (32, 0)", 0},
    {"leaves minus infinity", leaves_minus_infinity, 33, 33, 9, 1, 0, UNI, FP32, BOUND, "-infinity at (0, 32)", 0},
    {"leaves an infinity, large", leaves_an_infinity, 640, 640, 800, 1, 0, INT, FP32, FREIVALDS, "infinity at (639, 0)",
     0},
    /* leading dimensions */
    {"takes lda from k", takes_lda_from_k, 31, 33, 35, 1, 0, INT, FP32, EXACT, "is it read as data", 0},
    {"takes ldb from n", takes_ldb_from_n, 31, 33, 35, 1, 0, UNI, FP32, BOUND, "is it read as data", 0},
    {"takes ldc from n", takes_ldc_from_n, 31, 33, 35, 1, 0, INT, FP32, EXACT, "wrote outside C", 0},
    {"writes one past a row", writes_one_past_a_row, 20, 30, 4, 1, 0, UNI, FP32, BOUND, "padding at (10, 30)", 0},
    {"writes before C", fault_writes_before_c, 20, 30, 4, 1, 0, UNI, FP32, NONE,
     "wrote outside C: 4 of the 4096 bytes before it changed, the nearest 1 bytes", 0},
    {"writes behind C", fault_writes_behind_c, 20, 30, 4, 1, 0, UNI, FP32, NONE, "bytes behind it changed", 0},
    {"wraps its index", fault_wraps_its_index, 70, 64, 4, 1, 0, INT, FP32, EXACT, "the padding at (0, 64)", 0},
    {"changes an input", changes_an_input, 20, 30, 4, 1, 0, UNI, FP32, NONE, "changed its inputs", 0},
    /* alpha and beta */
    {"ignores beta", ignores_beta, 31, 33, 35, 1, -0.5, UNI, FP32, BOUND, "beta C is missing", 0},
    {"takes beta as one", takes_beta_as_one, 31, 33, 35, 1, -0.5, INT, FP32, EXACT, "added without beta", 0},
    {"applies beta twice", applies_beta_twice, 31, 33, 35, 1, -0.5, INT, FP32, EXACT, "on whole numbers", 0},
    {"reads C although beta is 0", reads_c_despite_beta_zero, 31, 33, 35, 1, 0, INT, FP32, EXACT, "although beta is 0",
     0},
    {"cuts alpha to int", cuts_alpha_to_int, 31, 33, 35, -0.5, -0.5, UNI, FP32, BOUND, "alpha A B is missing", 0},
    {"cuts beta to int", cuts_beta_to_int, 31, 33, 35, 1, -0.5, INT, FP32, EXACT, "beta C is missing", 0},
    {"ignores alpha", ignores_alpha, 31, 33, 35, -0.5, 0, INT, FP32, EXACT, "alpha was ignored", 0},
    {"loses the sign of alpha", loses_sign_of_alpha, 640, 640, 800, -0.5, 0, UNI, FP32, FREIVALDS, "beyond the bound",
     0},
    /* the right numbers in the wrong place */
    {"transposes the output", transposes_output, 33, 33, 20, 1, 0, UNI, FP32, BOUND, "is transposed", 0},
    {"reads A by columns", fault_transposes_a, 33, 20, 33, 1, 0, INT, FP32, EXACT, "on whole numbers", 0},
    {"reads B by columns", fault_transposes_b, 20, 33, 33, 1, 0, UNI, FP32, BOUND, "times the bound", 0},
    {"swaps two rows", swaps_two_rows, 33, 20, 7, 1, 0, UNI, FP32, BOUND, "times the bound", 0},
    /* right at first */
    {"gives the answer before", fault_gives_the_answer_before, 31, 33, 35, 1, 0, UNI, FP32, BOUND, "times the bound",
     1},
    {"is right ten times", fault_is_right_ten_times, 31, 33, 35, 1, 0, INT, FP32, EXACT, "1 of 1023 elements", 10},
    /* one wrong number among a million */
    {"is 10 % off once in a million", is_ten_percent_off_once, 1000, 1000, 16, 1, 0, UNI, FP32, BOUND, "1 of 1000000",
     0},
    {"is 10 % off once, whole numbers", is_ten_percent_off_once, 1000, 1000, 16, 1, 0, INT, FP32, EXACT, "1 of 1000000",
     0},
    {"is 10 % off once, large", is_ten_percent_off_once, 1000, 1000, 400, 1, 0, INT, FP32, FREIVALDS,
     "leave no rounding", 0},
    {"is 10 % off once, large and rounded", is_ten_percent_off_once, 1000, 1000, 400, 1, 0, UNI, FP32, FREIVALDS,
     "beyond the bound", 0},
    /* another precision than the label says */
    {"rounds its inputs to TF32", fault_rounds_inputs_to_tf32, 32, 32, 64, 1, 0, UNI, FP32, BOUND, "TF32 or FP16", 0},
    {"rounds its inputs to TF32, long sums", fault_rounds_inputs_to_tf32, 16, 16, 16384, 1, 0, UNI, FP32, BOUND,
     "TF32 or FP16", 0},
    {"rounds its inputs to TF32, large", fault_rounds_inputs_to_tf32, 640, 640, 800, 1, 0, UNI, FP32, FREIVALDS,
     "TF32 or FP16", 0},
    {"rounds its inputs to BF16", fault_rounds_inputs_to_bf16, 32, 32, 64, 1, 0, UNI, FP32, BOUND, "BF16", 0},
    {"rounds FP64 inputs to FP32", fault_rounds_inputs_to_fp32, 32, 32, 64, 1, 0, UNI, FP64, BOUND, "FP32 arithmetic",
     0},
    {"sums FP64 in FP32", fault_sums_in_fp32, 32, 32, 64, 1, 0, UNI, FP64, BOUND, "FP32 arithmetic", 0},
    {"sums FP16 inputs in FP16", fault_sums_in_fp16, 32, 32, 256, 1, 0, UNI, FP16, BOUND, "of 1024 elements", 0},
    {.name = NULL},
};
