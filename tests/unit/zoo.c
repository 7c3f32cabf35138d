/* zoo.c: what zoo_run promises besides verdicts: every case is told, counted, skipped or stopped as asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/verify/zoo.h"

struct notes {
    int64_t told, right, skipped, stop_after;
    int64_t threads, padded, tight, exact, bounded, largest_k, empty_sums;
    bool shape_seen[64];
};

static bool note(void *context, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came)
{
    struct notes *notes = context;
    const struct duel_problem *p = &which->problem;
    assert_int_equal(which->number, notes->told);
    notes->told++;
    notes->right += came->status == DUEL_OK;
    notes->skipped += came->status == DUEL_SKIP;
    notes->threads += which->threads;
    notes->padded += p->ld[DUEL_C] > p->n;
    notes->tight += p->ld[DUEL_C] == p->n;
    notes->exact += came->status == DUEL_OK && came->verdict.tier == DUEL_TIER_EXACT;
    notes->bounded += came->status == DUEL_OK && came->verdict.tier == DUEL_TIER_BOUND;
    notes->empty_sums += p->k == 0;
    notes->largest_k = p->k > notes->largest_k ? p->k : notes->largest_k;
    for (int i = 0; zoo_shape_table[i].note; i++)
        notes->shape_seen[i] = notes->shape_seen[i] || (zoo_shape_table[i].m == p->m && zoo_shape_table[i].n == p->n &&
                                                        zoo_shape_table[i].k == p->k);
    return notes->told != notes->stop_after;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const float *a = call->operand[DUEL_A], *b = call->operand[DUEL_B];
    float *c = call->operand[DUEL_C];
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < p->k; l++)
                sum += a[i * p->ld[DUEL_A] + l] * b[l * p->ld[DUEL_B] + j];
            float *element = &c[i * p->ld[DUEL_C] + j];
            *element = (float)p->alpha * sum + (p->beta == 0 ? 0 : (float)p->beta * *element);
        }
    return DUEL_OK;
}

static enum duel_status no_long_sums(const struct duel_problem *problem, const struct duel_device_info *device,
                                     struct duel_why *why)
{
    assert_true(device->usable);
    return problem->k <= 64 ? DUEL_OK : duel_fail(why, DUEL_SKIP, "", "", "k of %d", (int)problem->k);
}

static int any_threads(int wanted)
{
    return wanted;
}

static int one_thread(int wanted)
{
    (void)wanted;
    return 1;
}

static enum duel_status fails(const struct duel_call *call)
{
    return duel_fail(call->why, DUEL_EDEVICE, "", "", "the device is on fire");
}

#define TYPES .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}}
static const struct duel_impl plain = {.name = "cpu/gemm/plain", TYPES, .run = run};
static const struct duel_impl choosy = {.name = "cpu/gemm/choosy", TYPES, .supports = no_long_sums, .run = run};
static const struct duel_impl threaded = {.name = "cpu/gemm/threaded", TYPES, .threads = any_threads, .run = run};
static const struct duel_impl stubborn = {.name = "cpu/gemm/stubborn", TYPES, .threads = one_thread, .run = run};
static const struct duel_impl failing = {.name = "cpu/gemm/failing", TYPES, .run = fails};

static const int two_counts[] = {1, 3};

static enum duel_status through(const struct duel_impl *impl, const struct duel_zoo_options *options,
                                struct notes *notes, struct duel_why *why)
{
    const struct duel_workload *gemm = workload_find("gemm", 4);
    struct duel_place place = {.backend = &cpu_backend};
    cpu_backend.describe(0, &place.info);
    assert_int_equal(cpu_backend.open(0, &place.device, why), DUEL_OK);
    const enum duel_status status = zoo_run(&place, impl, gemm, options, note, notes, why);
    cpu_backend.close(place.device);
    assert_int_equal(notes->stop_after ? notes->stop_after : zoo_count(impl, gemm, options), notes->told);
    return status;
}

static void every_shape_is_met_in_both_tiers(void **state)
{
    (void)state;
    struct notes notes = {0};
    struct duel_why why;
    const struct duel_zoo_options options = {.seed = 1};
    assert_int_equal(through(&plain, &options, &notes, &why), DUEL_OK);
    assert_int_equal(notes.right, notes.told);
    assert_int_equal(notes.exact, notes.bounded);
    assert_int_equal(notes.padded, notes.tight);
    assert_int_equal(notes.largest_k, 1000);
    assert_true(notes.empty_sums > 0);
    for (int i = 0; zoo_shape_table[i].note; i++)
        assert_true(notes.shape_seen[i]);
}

/* Only where they are asked for: on an emulated GPU they take long. */
static void long_sums_are_met_when_asked_for(void **state)
{
    (void)state;
    struct notes notes = {0};
    struct duel_why why;
    const struct duel_zoo_options options = {.seed = 1, .large = true};
    assert_int_equal(through(&choosy, &options, &notes, &why), DUEL_OK);
    assert_int_equal(notes.largest_k, 16384);
}

static bool has_shape(int64_t m, int64_t n, int64_t k)
{
    for (int i = 0; zoo_shape_table[i].note; i++)
        if (zoo_shape_table[i].m == m && zoo_shape_table[i].n == n && zoo_shape_table[i].k == k)
            return true;
    return false;
}

/* What the zoo is for: where kernels go wrong. Whoever takes one of these out must say so here. */
static void the_zoo_has_what_kernels_stumble_over(void **state)
{
    (void)state;
    bool empty = false, tall = false, wide = false;
    for (int64_t tile = 16; tile <= 64; tile *= 2) {
        assert_true(has_shape(tile, tile, tile));
        assert_true(has_shape(tile + 1, tile, tile) && has_shape(tile, tile + 1, tile) &&
                    has_shape(tile, tile, tile + 1));
    }
    assert_true(has_shape(15, 15, 15) && has_shape(31, 33, 35) && has_shape(63, 63, 63)); /* one below, or both */
    assert_true(has_shape(1, 1, 1));
    for (int i = 0; zoo_shape_table[i].note; i++) {
        const struct duel_zoo_shape *shape = &zoo_shape_table[i];
        empty = empty || shape->k == 0;
        tall = tall || shape->m > 50 * shape->n;
        wide = wide || shape->n > 50 * shape->m;
    }
    assert_true(empty && tall && wide);
}

static void scalars_and_threads_multiply_the_cases(void **state)
{
    (void)state;
    struct notes few = {0}, all = {0}, twice = {0};
    struct duel_why why;
    struct duel_zoo_options options = {.seed = 1, .threads = two_counts, .threads_count = 2};
    assert_int_equal(through(&plain, &options, &few, &why), DUEL_OK); /* knows no threads */
    assert_int_equal(few.threads, few.told);
    assert_int_equal(through(&threaded, &options, &twice, &why), DUEL_OK);
    assert_int_equal(twice.told, 2 * few.told);
    assert_int_equal(twice.threads, 4 * few.told);
    options.every_scalar = true;
    assert_int_equal(through(&plain, &options, &all, &why), DUEL_OK);
    assert_true(all.told > 5 * few.told);
}

static void what_is_not_supported_is_skipped(void **state)
{
    (void)state;
    struct notes notes = {0};
    struct duel_why why = {{0}, {0}, {0}};
    const struct duel_zoo_options options = {.seed = 1};
    assert_int_equal(through(&choosy, &options, &notes, &why), DUEL_OK);
    assert_true(notes.skipped > 0);
    assert_int_equal(notes.right + notes.skipped, notes.told);
}

static void other_threads_than_asked_are_skipped(void **state)
{
    (void)state;
    struct notes notes = {0};
    struct duel_why why = {{0}, {0}, {0}};
    const struct duel_zoo_options options = {.seed = 1, .threads = two_counts, .threads_count = 2};
    assert_int_equal(through(&stubborn, &options, &notes, &why), DUEL_OK);
    assert_int_equal(notes.skipped, notes.told / 2);
}

static void an_error_is_passed_on_and_the_rest_still_runs(void **state)
{
    (void)state;
    struct notes notes = {0};
    struct duel_why why = {{0}, {0}, {0}};
    const struct duel_zoo_options options = {.seed = 1};
    assert_int_equal(through(&failing, &options, &notes, &why), DUEL_EDEVICE);
    assert_string_equal(why.seen, "the device is on fire");
    assert_int_equal(notes.right, 0);
}

static void the_callback_can_stop(void **state)
{
    (void)state;
    struct notes notes = {.stop_after = 3};
    struct duel_why why;
    const struct duel_zoo_options options = {.seed = 1};
    assert_int_equal(through(&plain, &options, &notes, &why), DUEL_OK);
}

static void a_precision_that_is_not_there_has_no_cases(void **state)
{
    (void)state;
    const struct duel_zoo_options options = {.seed = 1, .precision = DUEL_FP16};
    assert_int_equal(zoo_count(&plain, workload_find("gemm", 4), &options), 0);
}

static void cases_have_names(void **state)
{
    (void)state;
    struct duel_zoo_case which = {.impl = &threaded, .data = DUEL_INTEGERS, .threads = 2};
    which.problem = (struct duel_problem){.m = 31, .n = 33, .k = 35, .ld = {40, 36, 40}, .alpha = -0.5, .beta = 1};
    which.problem.types = threaded.types[0];
    char name[160];
    assert_string_equal(zoo_case_name(&which, name, sizeof name),
                        "fp32 31x33x35 ld 40,36,40 alpha -0.5 beta 1 2T integers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_met_in_both_tiers),
        cmocka_unit_test(long_sums_are_met_when_asked_for),
        cmocka_unit_test(the_zoo_has_what_kernels_stumble_over),
        cmocka_unit_test(scalars_and_threads_multiply_the_cases),
        cmocka_unit_test(what_is_not_supported_is_skipped),
        cmocka_unit_test(other_threads_than_asked_are_skipped),
        cmocka_unit_test(an_error_is_passed_on_and_the_rest_still_runs),
        cmocka_unit_test(the_callback_can_stop),
        cmocka_unit_test(a_precision_that_is_not_there_has_no_cases),
        cmocka_unit_test(cases_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
