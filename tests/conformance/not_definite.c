/* not_definite.c: a matrix without a Cholesky factor. Every implementation, on the CPU and on the emulated GPU, must
 * say the same: the first NaN of L stands on the diagonal of the column that LAPACK's info would name. */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/options/options.h"
#include "bench/registry/registry.h"
#include "bench/verify/stage.h"
#include "bench/verify/verify.h"

enum { A = 0, L = 1 };

static const struct duel_plugin *emulated; /* NULL: not in this build */

/* How column j loses its pivot: below 0; exactly 0, because it repeats the column before; or NaN. */
enum spoil { NEGATIVE, ZERO, NOT_A_NUMBER, SPOILS };

static void set(struct duel_matrix *a, int64_t i, int64_t j, double value)
{
    dtype_store(a->type, a->data, (size_t)(i * a->ld + j), value);
    dtype_store(a->type, a->data, (size_t)(j * a->ld + i), value);
}

static void spoil(struct duel_matrix *a, int64_t j, enum spoil how)
{
    if (how == NEGATIVE)
        set(a, j, j, -1);
    if (how == NOT_A_NUMBER)
        set(a, j, j, NAN);
    for (int64_t i = 0; how == ZERO && i < a->rows; i++) { /* two columns on their own: [4 4; 4 4] */
        set(a, i, j, 0);
        set(a, i, j - 1, 0);
    }
    if (how == ZERO) {
        set(a, j - 1, j - 1, 4);
        set(a, j, j - 1, 4);
        set(a, j, j, 4);
    }
}

/* Is every element of the lower triangle from (j, j) on NaN, and nothing else above and to the left of it? */
static bool says_column(const struct duel_matrix *l, int64_t j)
{
    bool same = true;
    for (int64_t row = 0; row < l->rows; row++)
        for (int64_t column = 0; column <= row; column++)
            if (row < j || column >= j)
                same = same && isnan(dtype_load(l->type, l->data, (size_t)(row * l->ld + column))) == (row >= j);
    return same;
}

static void look(const struct duel_backend *backend, const struct duel_impl *impl, const struct duel_types *types,
                 int64_t n, int64_t j, enum spoil how)
{
    const struct duel_workload *cholesky = workload_find("cholesky", strlen("cholesky"));
    struct duel_problem problem = {
        .m = 1, .n = n, .k = 1, .count = 1, .ld = {n + 3, n + 5}, .alpha = 1, .types = *types};
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_stage stage;
    struct duel_expectation expectation;
    struct duel_verdict verdict;
    struct duel_call call = {.why = &why, .threads = impl->threads ? impl->threads(1) : 1};
    char info[40];
    void *device = NULL;
    assert_int_equal(backend->open(0, &device, &why), DUEL_OK);
    assert_int_equal(stage_open(&stage, backend, device, DUEL_PAGEABLE, cholesky, &problem, &why), DUEL_OK);
    assert_int_equal(stage_fill(&stage, DUEL_UNIFORM, 1, NULL, &why), DUEL_OK);
    spoil(&stage.host[A], j, how);
    assert_int_equal(stage_upload(&stage, &why), DUEL_OK);
    stage_bind(&stage, &call);
    if (stage_call(&stage, impl, &call) != DUEL_OK)
        fail_msg("%s: %s", impl->name, why.seen);
    if (!says_column(&stage.host[L], j))
        fail_msg("%s, n = %d, column %d, spoilt in way %d: L says another column", impl->name, (int)n, (int)j, how);
    assert_int_equal(expectation_make(&expectation, cholesky, &problem, stage.host, stage.before, false, &why),
                     DUEL_OK);
    assert_int_equal(verify_output(&expectation, &problem, &stage.host[L], 1, &verdict, &why), DUEL_OK);
    snprintf(info, sizeof info, "info = %lld)", (long long)j + 1);
    assert_false(verdict.right);
    assert_true(verdict.refused);
    assert_non_null(strstr(verdict.reason, info));
    /* Another column is a wrong answer, not a refusal. */
    if (j + 1 < n) {
        dtype_store(stage.host[L].type, stage.host[L].data, (size_t)(j * stage.host[L].ld + j), 1);
        assert_int_equal(verify_output(&expectation, &problem, &stage.host[L], 1, &verdict, &why), DUEL_OK);
        assert_false(verdict.right);
        assert_false(verdict.refused);
    }
    expectation_free(&expectation);
    stage_close(&stage);
    backend->close(device);
}

/* Returns the number of implementations looked at. */
static int look_at_all(const struct duel_backend *backend, const struct duel_impl *const *impls)
{
    static const int64_t sizes[][2] = {{1, 0}, {5, 4}, {40, 0}, {40, 17}, {70, 33}, {70, 69}};
    struct duel_device_info info;
    int count = 0;
    backend->describe(0, &info);
    for (const struct duel_impl *const *impl = impls; *impl; impl++) {
        const struct duel_problem problem = {.m = 1, .n = 5, .k = 1, .ld = {5, 5}, .types = (*impl)->types[0]};
        const struct duel_workload *workload = workload_of((*impl)->name);
        if (strcmp(workload->name, "cholesky") != 0 ||
            ((*impl)->supports && (*impl)->supports(&problem, &info, NULL) != DUEL_OK))
            continue;
        count++;
        for (int type = 0; type < DUEL_MAX_TYPES && (*impl)->types[type].in != DUEL_NONE; type++)
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                for (enum spoil how = NEGATIVE; how < SPOILS; how++)
                    if (how != ZERO || sizes[i][1] > 0)
                        look(backend, *impl, &(*impl)->types[type], sizes[i][0], sizes[i][1], how);
    }
    return count;
}

static void test_cpu(void **state)
{
    (void)state;
    assert_true(look_at_all(&cpu_backend, cpu_impl_table) >= 1);
}

static void test_emulated(void **state)
{
    (void)state;
    if (!emulated)
        skip();
    assert_true(look_at_all(emulated->backend, emulated->impls) >= 2);
}

int main(void)
{
    char path[4200], word[64] = "";
    struct duel_why why = {{0}, {0}, {0}};
    void *library = NULL;
    snprintf(path, sizeof path, "%s/duel-emulated.so", paths_plugin_dir());
    emulated = plugin_load(path, &library, word, sizeof word, &why);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cpu), cmocka_unit_test(test_emulated)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (library)
        dlclose(library);
    return failed;
}
