/* isa.c: the rungs that stand on a micro-kernel, once for each instruction set that it is compiled for: through the
 * zoo, and on shapes that reach the loops which no small problem reaches. Sets that this processor lacks are skipped.
 *
 * Time limit: 600 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu/isa.h"
#include "tests/conformance/conformance.h"

/* The sets of this processor, the best one first; NULL ends the list. */
static int those_here(const char **here)
{
    static const char *const known[] = {"avx512", "avx2", "sse2", "neon", "generic"};
    int count = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        setenv(CPU_ISA_VARIABLE, known[i], 1);
        if (cpu_isa_chosen(NULL))
            here[count++] = known[i];
    }
    here[count] = NULL;
    unsetenv(CPU_ISA_VARIABLE);
    return count;
}

static const int threads[] = {1, 2, 4};

static bool is_gemm(const struct duel_impl *impl)
{
    return workload_of(impl->name) == workload_find("gemm", 4);
}

/* An instruction set that does not exist: who minds stands on a micro-kernel. */
static int those_with_an_isa(const struct duel_impl **impls, int most)
{
    const struct duel_problem problem = {
        .m = 1, .n = 1, .k = 1, .ld = {1, 1, 1}, .types = {DUEL_FP32, DUEL_FP32, DUEL_FP32}};
    int count = 0;
    setenv(CPU_ISA_VARIABLE, "no such set", 1);
    for (const struct duel_impl *const *impl = cpu_impl_table; *impl && count < most; impl++)
        if ((*impl)->supports && (*impl)->supports(&problem, NULL, NULL) == DUEL_SKIP)
            impls[count++] = *impl;
    unsetenv(CPU_ISA_VARIABLE);
    return count;
}

static void the_environment_lowers_the_choice(void **state)
{
    struct duel_why why = {{0}, {0}, {0}};
    (void)state;
    unsetenv(CPU_ISA_VARIABLE);
    assert_ptr_equal(cpu_isa_chosen(&why), cpu_isa_best());
    setenv(CPU_ISA_VARIABLE, "", 1);
    assert_ptr_equal(cpu_isa_chosen(&why), cpu_isa_best());
    setenv(CPU_ISA_VARIABLE, "avx9", 1);
    assert_null(cpu_isa_chosen(&why));
    assert_non_null(strstr(why.seen, "avx9"));
    assert_non_null(strstr(why.next, cpu_isa_best()->name));
    setenv(CPU_ISA_VARIABLE, cpu_isa_best()->name, 1);
    assert_ptr_equal(cpu_isa_chosen(&why), cpu_isa_best());
#ifdef __x86_64__
    setenv(CPU_ISA_VARIABLE, "sse2", 1);
    assert_int_equal(cpu_isa_chosen(&why)->vector_bytes, 16);
#endif
    unsetenv(CPU_ISA_VARIABLE);
}

static void run_shape(const struct duel_place *place, const struct duel_impl *impl, int64_t m, int64_t n, int64_t k)
{
    for (size_t t = 0; t < (impl->threads ? sizeof threads / sizeof threads[0] : 1); t++)
        for (int i = 0; i < 2; i++) {
            struct duel_zoo_case which = {.workload = workload_find("gemm", 4),
                                          .impl = impl,
                                          .problem = {.m = m,
                                                      .n = n,
                                                      .k = k,
                                                      .ld = {k + 3, n + 5, n + 1},
                                                      .alpha = -0.5,
                                                      .beta = i,
                                                      .types = impl->types[i]},
                                          .data = DUEL_UNIFORM,
                                          .seed = 7,
                                          .threads = threads[t],
                                          .large = true};
            struct duel_zoo_outcome came;
            zoo_case_run(place, &which, &came);
            if (came.status != DUEL_OK)
                fail_msg("%s, %d threads: %s", impl->name, threads[t], came.why.seen);
        }
}

/* Beyond the zoo's sizes: several blocks of A and pieces of the sum, two panels of B, a sum split over the threads, and
 * edges that are done as dot products. */
static void long_loops_are_right(void **state)
{
    static const int64_t shape[][3] = {{300, 1027, 1100}, {130, 4200, 40}, {600, 515, 530},
                                       {40, 30, 5000},    {1500, 7, 900},  {1300, 3, 9000}};
    const struct duel_impl *impls[32];
    const int count = those_with_an_isa(impls, 32);
    struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = cpu_impl_table};
    struct duel_why why;
    (void)state;
    assert_true(count >= 2);
    place.backend->describe(0, &place.info);
    assert_int_equal(place.backend->open(0, &place.device, &why), DUEL_OK);
    const char *isas[8];
    assert_true(those_here(isas) >= 1);
    for (const char *const *isa = isas; *isa; isa++) {
        setenv(CPU_ISA_VARIABLE, *isa, 1);
        for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++)
            for (int i = 0; i < count; i++)
                if (is_gemm(impls[i]))
                    run_shape(&place, impls[i], shape[s][0], shape[s][1], shape[s][2]);
    }
    unsetenv(CPU_ISA_VARIABLE);
    place.backend->close(place.device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_environment_lowers_the_choice),
                                       cmocka_unit_test(long_loops_are_right)};
    const struct duel_impl *impls[33] = {NULL};
    those_with_an_isa(impls, 32);
    const struct duel_zoo_options options = {.seed = 43, .threads = threads, .threads_count = 2};
    const struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = impls};
    const int failed = cmocka_run_group_tests_name("instruction sets", tests, NULL, NULL);
    /* The best one goes through all of the zoo in tests/conformance/cpu.c. */
    const char *isas[8];
    return failed + (those_here(isas) > 1 ? conformance_run(&place, &options, CPU_ISA_VARIABLE, isas + 1) : 0);
}
