/* mock_break_even.c: `duel run`'s search for the size from which on a device pays, on scripted clocks: the base takes
 * 8 ns per product, the device 80 ps and 1 ms per copied operand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/commands/run_state.h"
#include "tests/mock/mock.h"
#include "tests/unit/run_dir.h"

static enum duel_status run_scaled(const struct duel_call *call, double product_s)
{
    const struct duel_problem *p = call->problem;
    struct mock *mock = call->queue;
    mock->kernel_s = product_s * (double)p->m * (double)p->n * (double)p->k;
    return mock_run(call);
}

static enum duel_status run_base(const struct duel_call *call)
{
    return run_scaled(call, 8e-9);
}

/* Now 40 %, now 160 % of that. */
static enum duel_status run_noisy(const struct duel_call *call)
{
    const struct mock *mock = call->queue;
    return run_scaled(call, 8e-9 * (0.4 + 0.3 * (mock->runs % 5)));
}

static enum duel_status run_fast(const struct duel_call *call)
{
    return run_scaled(call, 8e-11);
}

static enum duel_status run_slow(const struct duel_call *call)
{
    return run_scaled(call, 16e-9);
}

#define FP32                                \
    {                                       \
        {                                   \
            DUEL_FP32, DUEL_FP32, DUEL_FP32 \
        }                                   \
    }
static const struct duel_impl base = {.name = "cpu/gemm/base", .types = FP32, .run = run_base};
static const struct duel_impl noisy = {.name = "cpu/gemm/noisy", .types = FP32, .run = run_noisy};
static const struct duel_impl fast = {.name = "gpu/gemm/fast", .types = FP32, .run = run_fast};
static const struct duel_impl slow = {.name = "gpu/gemm/slow", .types = FP32, .run = run_slow};
/* Vectors take ten thousand times as long for each element as matrices for each product. */
static enum duel_status run_vector(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const bool is_base = ((struct mock *)call->queue)->upload_s == 0;
    const float *x = call->operand[0];
    float *y = call->operand[1];
    ((struct mock *)call->queue)->clock_s += (is_base ? 8e-5 : 8e-7) * (double)p->m;
    for (int64_t i = 0; i < p->m; i++)
        y[i * p->ld[1]] += (float)p->alpha * x[i * p->ld[0]];
    return DUEL_OK;
}
static const struct duel_impl base_vector = {.name = "cpu/axpy/base", .types = FP32, .run = run_vector};
static const struct duel_impl fast_vector = {.name = "gpu/axpy/fast", .types = FP32, .run = run_vector};
static const struct duel_impl *const both_table[] = {&base, &base_vector, NULL}, *const gpu_both_table[] = {
                                                                                     &fast, &fast_vector, NULL};
static const struct duel_impl *const base_table[] = {&base, NULL}, *const noisy_table[] = {&noisy, NULL},
                                     *const gpu_table[] = {&fast, &slow, NULL};

/* A run of 32, 64 and 128 on the two places; the text is what was said about break-even, to be freed. */
static char *search(struct run_state *state, struct mock mock[2], const struct duel_impl *const *table,
                    const struct duel_impl *const *other)
{
    static struct duel_backend without_copies;
    static const int64_t sizes[] = {32, 64, 128};
    char *text = NULL;
    size_t size = 0;
    struct duel_plan plan;
    struct duel_why why;
    without_copies = mock_backend;
    without_copies.upload = NULL;
    without_copies.download = NULL;
    options_defaults(&state->options);
    state->options.no_plots = state->options.quiet = true;
    state->options.samples = 8;
    state->options.timeout_s = 1000;
    state->options.device = "all";
    state->registry.count = 2;
    mock_place(&state->registry.place[0], &mock[0], table);
    mock_place(&state->registry.place[1], &mock[1], other);
    snprintf(state->registry.place[0].id, sizeof state->registry.place[0].id, "cpu");
    state->registry.place[0].backend = &without_copies;
    state->registry.place[0].info.memory_free_bytes = state->registry.place[1].info.memory_free_bytes = 1 << 30;
    run_set_runner(state);
    state->runner.options.rules.warmup_s = 0;
    state->runner.options.interruptions = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        state->options.shape[state->options.shape_count++] = (struct duel_shape){sizes[i], sizes[i], sizes[i], 1, 0};
    if (plan_make(&plan, &state->registry, &state->options, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    state->file = run_dir_opened(NULL, NULL);
    state->talk = open_memstream(&text, &size);
    for (int i = 0; i < plan.count; i++)
        run_group(state, &plan.groups[i]);
    plan_free(&plan);
    state->options.quiet = false;
    run_break_even(state);
    fclose(state->talk);
    runfile_close(state->file);
    for (size_t i = 0; i < state->count; i++)
        result_free(&state->results[i]);
    free(state->results);
    return text;
}

/* End to end 3 ms of copies are earned from n^3 (8 ns - 80 ps) = 3 ms on: n = 72.4. Over 10 uses from n = 33.6. */
static void the_sizes_are_bracketed_by_measuring(void **unused)
{
    (void)unused;
    struct run_state *state = calloc(1, sizeof *state);
    struct mock mock[2] = {{0}, {.upload_s = 1e-3, .download_s = 1e-3}};
    assert_non_null(state);
    char *text = search(state, mock, base_table, gpu_table);
    assert_string_equal(
        text, "\nFrom which size on does gpu/gemm/fast fp32 pay, against cpu/gemm/base fp32 1 thread?\n"
              "  end to end: between n = 72 and n = 76.\n"
              "  with one copy for 10 uses: between n = 32 and n = 36.\n"
              "  kernel alone: not in the range measured: it pays from n = 32, the smallest.\n"
              "\nFrom which size on does gpu/gemm/slow fp32 pay, against cpu/gemm/base fp32 1 thread?\n"
              "  end to end: not in the range measured: it does not pay up to n = 128, the largest.\n"
              "  with one copy for 10 uses: not in the range measured: it does not pay up to n = 128, the largest.\n"
              "  kernel alone: not in the range measured: it does not pay up to n = 128, the largest.\n");
    free(text);
    char *records = run_dir_text("run.jsonl");
    assert_non_null(strstr(records, "\"speedup\":\"end_to_end\",\"n_below\":72,\"n_above\":76,\"n_undecided\":0,"
                                    "\"crossings\":1,\"measured\":"));
    assert_non_null(strstr(records, "\"speedup\":\"kernel\",\"n_below_why\":\"not in the range measured: it pays"));
    assert_null(strstr(records, "nan"));
    assert_null(strstr(records, "NaN"));
    free(records);
    free(state);
}

/* The samples of the base spread, and sizes near the crossing are undecided. */
static void what_is_undecided_is_told(void **unused)
{
    (void)unused;
    struct run_state *state = calloc(1, sizeof *state);
    struct mock mock[2] = {{0}, {.upload_s = 1e-3, .download_s = 1e-3}};
    assert_non_null(state);
    char *text = search(state, mock, noisy_table, gpu_table);
    const char *line = strstr(text, "end to end: between n = ");
    assert_non_null(line);
    assert_non_null(strstr(text, "undecided at "));
    free(text);
    free(state);
}

/* Each workload is searched by itself and against its own base: 3 ms of copies are earned from m = 37.9 on. */
static void workloads_are_searched_one_by_one(void **unused)
{
    (void)unused;
    struct run_state *state = calloc(1, sizeof *state);
    struct mock mock[2] = {{0}, {.upload_s = 1e-3, .download_s = 1e-3}};
    assert_non_null(state);
    char *text = search(state, mock, both_table, gpu_both_table);
    assert_non_null(strstr(text, "does gpu/axpy/fast fp32 pay, against cpu/axpy/base fp32 1 thread?\n"
                                 "  end to end: between m = 36 and m = 38.\n"));
    assert_non_null(strstr(text, "does gpu/gemm/fast fp32 pay, against cpu/gemm/base fp32 1 thread?\n"
                                 "  end to end: between n = 72 and n = 76.\n"));
    free(text);
    char *csv = run_dir_text("run.csv"), *rest = NULL;
    int rows = 0;
    for (char *line = strtok_r(csv, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), rows++)
        if (strstr(line, "/axpy/") && strstr(line, "/gemm/"))
            fail_msg("a row of one workload names the other: %s", line);
    assert_true(rows > 12);
    free(csv);
    free(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(workloads_are_searched_one_by_one),
        RUN_DIR_TEST(the_sizes_are_bracketed_by_measuring),
        RUN_DIR_TEST(what_is_undecided_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
