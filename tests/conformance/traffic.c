/* traffic.c: what the models of traffic say, against numbers worked out by hand, and what holds for every model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/registry/registry.h"
#include "bench/workload/workload.h"

#define KIB 1024.0
#define MIB 1048576.0

static struct duel_registry registry;

static const struct duel_impl *find(const char *name)
{
    for (int i = 0; i < registry.count; i++)
        for (const struct duel_impl *const *impl = registry.place[i].impls; impl && *impl; impl++)
            if (strcmp((*impl)->name, name) == 0)
                return *impl;
    return NULL;
}

static struct duel_problem problem_of(int64_t m, int64_t n, int64_t k, struct duel_types types, double beta)
{
    return (struct duel_problem){
        .m = m, .n = n, .k = k, .count = 1, .ld = {k, n, n}, .alpha = 1, .beta = beta, .types = types};
}

/* At m = n = k = 1024 in FP32 each operand has 4194304 bytes; in FP16 A and B have half of it. */
static const struct {
    const char *name;
    double cache;
    int64_t bytes;
} square[] = {
    {"cpu/gemm/serial", 8 * MIB, 3 * 4194304LL},
    {"cpu/gemm/serial", 1 * MIB, 1026 * 4194304LL},               /* B for each of 1024 rows */
    {"cpu/gemm/serial", 32 * KIB, (2 + 1024 * 16) * 4194304LL},   /* and 64 bytes for each of 4 */
    {"cpu/gemm/interchanged", 8 * MIB, 3 * 4194304LL},            /* all stays */
    {"cpu/gemm/interchanged", 1 * MIB, 1026 * 4194304LL},         /* B for each row */
    {"cpu/gemm/blocked", 8 * MIB, 3 * 4194304LL},                 /* all stays */
    {"cpu/gemm/blocked", 1 * MIB, (1 + 16 + 1) * 4194304LL},      /* B for each 64 rows */
    {"cpu/gemm/blocked", 32 * KIB, (4 + 1024 + 31) * 4194304LL},  /* A for 256 columns; C out and in for 16 pieces */
    {"cpu/gemm/openmp", 1 * MIB, (1 + 16 + 1) * 4194304LL},       /* as blocked */
    {"gpu/gemm/naive", 0, (1024 + 32 + 1) * 4194304LL},           /* A for each column, B for each warp */
    {"gpu/gemm/coalesced", 0, (32 + 1024 + 1) * 4194304LL},       /* the other way round */
    {"gpu/gemm/tiled", 0, (32 + 32 + 1) * 4194304LL},             /* 2 m n k / 32, and C */
    {"gpu/gemm/tiled", 1 * MIB, (1 + 32 + 1) * 4194304LL},        /* the rows of A of a row of tiles stay */
    {"gpu/gemm/tiled", 8 * MIB, 3 * 4194304LL},                   /* all stays */
    {"gpu/gemm/block1d", 0, (16 + 16 + 1) * 4194304LL},           /* 64 x 64 */
    {"gpu/gemm/block2d", 0, (8 + 8 + 1) * 4194304LL},             /* 128 x 128 */
    {"gpu/gemm/vectorised", 0, (8 + 8 + 1) * 4194304LL},          /* the same tiles */
    {"gpu/gemm/warptiled", 0, (8 + 8 + 1) * 4194304LL},           /* the same tiles */
    {"gpu/gemm/pipelined", 0, (8 + 8 + 1) * 4194304LL},           /* the same tiles */
    {"gpu/gemm/mma_tf32", 0, (8 + 8 + 1) * 4194304LL},            /* the same tiles */
    {"gpu/gemm/mma_fp16", 0, (8 + 8) * 2097152LL + 4194304},      /* half the bytes of A and B */
    {"gpu/gemm/mma_bf16", 0, (8 + 8) * 2097152LL + 4194304},      /* half the bytes of A and B */
    {"gpu/gemm/tensor_fp16", 0, (16 + 16) * 2097152LL + 4194304}, /* 64 x 64, half the bytes */
};

static void models_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof square / sizeof *square; i++) {
        const struct duel_impl *impl = find(square[i].name);
        if (!impl)
            continue; /* its device was not built here */
        struct duel_problem problem = problem_of(1024, 1024, 1024, impl->types[0], 0);
        double got = impl->traffic(&problem, square[i].cache);
        if (got != (double)square[i].bytes)
            fail_msg("%s behind %.0f bytes: %.0f, not %lld", square[i].name, square[i].cache, got,
                     (long long)square[i].bytes);
        problem.beta = 0.5; /* then C is read as well */
        assert_true(impl->traffic(&problem, 8 * MIB) == impl->traffic(&problem, 1e18));
    }
}

static void edges_count_as_whole_tiles(void **state)
{
    (void)state;
    /* FP64: A 33 x 10, B 10 x 65, C 33 x 65 have 2640, 5200 and 17160 bytes: 2 x 3 tiles of 32 x 32. */
    struct duel_problem problem = problem_of(33, 65, 10, (struct duel_types){DUEL_FP64, DUEL_FP64, DUEL_FP64}, 0);
    assert_true(duel_tile_traffic(&problem, 0, 32, 32) == 3 * 2640 + 2 * 5200 + 17160);
    problem.beta = 1;
    assert_true(duel_tile_traffic(&problem, 0, 32, 32) == 3 * 2640 + 2 * 5200 + 2 * 17160);
    /* FP32 rows of 64 KiB behind 32 KiB: A 24 bytes once, B twice, C once and twice there and back. */
    problem = problem_of(2, 16384, 3, (struct duel_types){DUEL_FP32, DUEL_FP32, DUEL_FP32}, 0);
    assert_true(find("cpu/gemm/interchanged")->traffic(&problem, 32 * KIB) ==
                24 + 2 * 196608 + 131072 + 2 * 2 * 131072);
}

/* No model moves less than each operand once, or more with a larger cache; each says what it assumes, and a library,
 * whose blocking nobody here knows, has none. */
static void every_model_keeps_to_its_limits(void **state)
{
    (void)state;
    static const double cache[] = {0, 16 * KIB, 512 * KIB, 32 * MIB, 1e12};
    static const int64_t size[][3] = {{1, 1, 1}, {64, 64, 64}, {1000, 777, 333}, {5000, 4, 9000}, {4096, 4096, 4096}};
    int models = 0;
    for (int p = 0; p < registry.count; p++)
        for (const struct duel_impl *const *impl = registry.place[p].impls; impl && *impl; impl++) {
            assert_true(((*impl)->traffic != NULL) == ((*impl)->traffic_model != NULL));
            assert_false((*impl)->library && (*impl)->traffic);
            const struct duel_workload *workload = workload_of((*impl)->name);
            for (size_t s = 0; (*impl)->traffic && s < sizeof size / sizeof *size; s++) {
                struct duel_problem problem = problem_of(size[s][0], size[s][1], size[s][2], (*impl)->types[0], 0);
                workload_normalise(workload, &problem);
                workload_tight(workload, &problem);
                double before = 1e300;
                for (size_t c = 0; c < sizeof cache / sizeof *cache; c++) {
                    double bytes = (*impl)->traffic(&problem, cache[c]);
                    if (bytes > before || bytes < workload->bytes(&problem))
                        fail_msg("%s at %lld x %lld x %lld: %.0f", (*impl)->name, (long long)problem.m,
                                 (long long)problem.n, (long long)problem.k, bytes);
                    before = bytes;
                }
                assert_true(before == workload->bytes(&problem));
                models++;
            }
        }
    assert_true(models > 0);
}

static int load(void **state)
{
    (void)state;
    registry_load(&registry);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    registry_close(&registry);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_those_worked_out_by_hand),
        cmocka_unit_test(edges_count_as_whole_tiles),
        cmocka_unit_test(every_model_keeps_to_its_limits),
    };
    return cmocka_run_group_tests_name("traffic", tests, load, unload);
}
