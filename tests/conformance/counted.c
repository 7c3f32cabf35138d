/* counted.c: every kernel of the GPU's ladders moves what its opening comment says. Lines
 *     " * Counted  global sectors = m * n * k / 512 + m * n / 8, shared requests = ..."
 * hold formulas in the extents m, n, k and c (count) for sizes that are multiples of the tiles, and rows that begin at
 * multiples of 32 bytes; a line that begins with spaces goes on. Traced mode counts the instructions with which warps
 * ask global and shared memory (requests), the sectors of 32 bytes that they touch, and the rounds over the banks of
 * shared memory that they take: as many as requests when there are no conflicts. awk calculates the formulas.
 *
 * Along the ladder of GEMM neither sectors nor requests to shared memory may grow, and one of them must fall. */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/inspect.h"
#include "bench/options/options.h"
#include "bench/registry/registry.h"
#include "bench/verify/stage.h"
#include "bench/workload/workload.h"

/* Sizes that are multiples of all tiles; a workload takes the extents that it has. */
static const struct duel_problem usual = {.m = 256, .n = 128, .k = 32, .count = 2, .alpha = 1};
static const struct {
    const char *workload;
    struct duel_problem problem;
} own_size[] = {
    {"axpy", {.m = 131072, .alpha = 1}},
    {"dot", {.k = 131072, .alpha = 1}},
    {"gemv", {.m = 256, .k = 512, .alpha = 1}},
    {"transpose", {.m = 256, .n = 512, .alpha = 1}},
    {"cholesky", {.n = 192, .alpha = 1}},
    {"mlp", {.m = 128, .n = 64, .k = 96, .count = 64, .alpha = 1}},
    {"conv2d", {.m = 32, .n = 64, .k = 3, .count = 8, .alpha = 1}},
};
enum { LEAST = 8 }; /* elements of the narrowest type in 32 bytes and more */

/* What a comment may promise. */
enum { REQUESTS, SECTORS, SHARED_REQUESTS, SHARED_ROUNDS, COUNTS };
static const char *const words[COUNTS] = {
    "global requests =", "global sectors =", "shared requests =", "shared rounds ="};

struct counts {
    double count[COUNTS]; /* NaN where the comment says nothing */
};

static struct tracer {
    const struct duel_plugin *plugin;
    const struct duel_inspector *inspector;
} traced;

static struct duel_problem problem_of(const struct duel_impl *impl)
{
    const struct duel_workload *workload = workload_of(impl->name);
    struct duel_problem problem = usual;
    assert_non_null(workload);
    for (size_t i = 0; i < sizeof own_size / sizeof *own_size; i++)
        if (strcmp(own_size[i].workload, workload->name) == 0)
            problem = own_size[i].problem;
    problem.types = impl->types[0];
    workload_normalise(workload, &problem);
    workload_tight(workload, &problem);
    for (int i = 0; i < workload->operands && strchr(workload->extents, 'n'); i++)
        problem.ld[i] = (problem.ld[i] + LEAST - 1) / LEAST * LEAST;
    return problem;
}

/* The value of a formula in the extents. */
static double value_of(const char *formula, const struct duel_problem *p)
{
    char command[1024], text[64] = "";
    snprintf(command, sizeof command, "awk 'BEGIN { m = %lld; n = %lld; k = %lld; c = %lld; printf \"%%.17g\", %s }'",
             (long long)p->m, (long long)p->n, (long long)p->k, (long long)p->count, formula);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return NAN;
    const bool read = fgets(text, sizeof text, pipe) != NULL;
    return pclose(pipe) == 0 && read ? strtod(text, NULL) : NAN;
}

/* Takes what some lines promise: each formula ends at the next comma or at the end of its line. Returns how many. */
static int take_promises(const char *lines, const struct duel_problem *problem, struct counts *promise)
{
    char formula[256];
    int taken = 0;
    for (int i = 0; i < COUNTS; i++) {
        const char *start = strstr(lines, words[i]);
        if (!start)
            continue;
        start += strlen(words[i]);
        snprintf(formula, sizeof formula, "%.*s", (int)strcspn(start, ",\n"), start);
        promise->count[i] = value_of(formula, problem);
        assert_true(!isnan(promise->count[i]));
        taken++;
    }
    return taken;
}

/* False when the file has no such line. One that promises nothing is a mistake. */
static bool read_promise(const struct duel_impl *impl, struct counts *promise)
{
    const struct duel_problem problem = problem_of(impl);
    char path[256], line[256], lines[2048] = "";
    bool inside = false;
    snprintf(path, sizeof path, "%s.cu", impl->name);
    for (int i = 0; i < COUNTS; i++)
        promise->count[i] = NAN;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        inside = strncmp(line, " * Counted ", 11) == 0 || (inside && strncmp(line, " *    ", 6) == 0);
        if (inside && strlen(lines) + strlen(line) < sizeof lines)
            strcat(lines, line);
    }
    if (file)
        fclose(file);
    assert_true(!*lines || take_promises(lines, &problem, promise) > 0);
    return *lines;
}

static struct counts count_now(void)
{
    struct counts counts = {{0}};
    struct duel_trace_kernel kernel;
    struct duel_trace_line line;
    for (int64_t i = 0; traced.inspector->trace_kernel(i, &kernel); i++) {
        assert_false(kernel.lost);
        for (int64_t j = 0; traced.inspector->trace_line(i, j, &line); j++) {
            counts.count[line.shared ? SHARED_REQUESTS : REQUESTS] += (double)line.requests;
            counts.count[line.shared ? SHARED_ROUNDS : SECTORS] += (double)line.units;
        }
    }
    return counts;
}

static struct counts run_traced(const struct duel_impl *impl)
{
    const struct duel_inspect_setting setting = {.mode = DUEL_INSPECT_TRACED};
    const struct duel_workload *workload = workload_of(impl->name);
    const struct duel_problem problem = problem_of(impl);
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_stage stage;
    struct duel_call call = {.why = &why};
    void *device = NULL;
    assert_int_equal(traced.inspector->set(&setting, &why), DUEL_OK);
    assert_int_equal(traced.plugin->backend->open(0, &device, &why), DUEL_OK);
    assert_int_equal(stage_open(&stage, traced.plugin->backend, device, DUEL_PAGEABLE, workload, &problem, &why),
                     DUEL_OK);
    assert_int_equal(stage_fill(&stage, DUEL_INTEGERS, 1, NULL, &why), DUEL_OK);
    stage_bind(&stage, &call);
    const size_t workspace = impl->workspace ? impl->workspace(&problem) : 0;
    if (workspace > 0)
        assert_int_equal(traced.plugin->backend->alloc(device, workspace, &call.workspace, &why), DUEL_OK);
    traced.inspector->clear();
    if (stage_call(&stage, impl, &call) != DUEL_OK)
        fail_msg("%s: %s", impl->name, why.seen);
    const struct counts counts = count_now();
    if (call.workspace)
        traced.plugin->backend->release(device, call.workspace);
    stage_close(&stage);
    traced.plugin->backend->close(device);
    return counts;
}

static const struct duel_impl *impl_of(const char *name)
{
    for (const struct duel_impl *const *impl = traced.plugin->impls; name && *impl; impl++)
        if (strcmp((*impl)->name, name) == 0)
            return *impl;
    return NULL;
}

static bool near(double promise, double counted)
{
    return fabs(promise - counted) <= 1e-9 * counted;
}

static void test_formulas(void **state)
{
    int checked = 0;
    (void)state;
    for (const struct duel_impl *const *impl = traced.plugin->impls; *impl; impl++) {
        struct counts promise;
        if (!read_promise(*impl, &promise))
            continue;
        const struct counts counted = run_traced(*impl);
        for (int i = 0; i < COUNTS; i++) {
            if (!isnan(promise.count[i]))
                print_message("# %-24s %-17s %8.0f\n", (*impl)->name, words[i], counted.count[i]);
            if (!isnan(promise.count[i]) && !near(promise.count[i], counted.count[i]))
                fail_msg("%s: %s %.0f, its comment says %.0f", (*impl)->name, words[i], counted.count[i],
                         promise.count[i]);
        }
        checked++;
    }
    assert_true(checked >= 10);
}

/* A rung is an improvement if it asks less of the memory that held the rung below it up. Between the first rungs that
 * is global memory; from the first tile on either, and neither may grow. warptiled changes what a request holds, not
 * how many there are: traced samples show that, in test_square_warps. */
static void test_falls(void **state)
{
    static const char *const ladder[] = {"gpu/gemm/naive",   "gpu/gemm/coalesced", "gpu/gemm/tiled",
                                         "gpu/gemm/block1d", "gpu/gemm/block2d",   "gpu/gemm/vectorised"};
    struct counts below = {{INFINITY, INFINITY, INFINITY, INFINITY}};
    (void)state;
    for (size_t i = 0; i < sizeof ladder / sizeof ladder[0]; i++) {
        const struct duel_impl *impl = impl_of(ladder[i]);
        assert_non_null(impl);
        if (i > 0)
            assert_string_equal(impl->builds_on, ladder[i - 1]);
        const struct counts counts = run_traced(impl);
        const bool fewer_sectors = counts.count[SECTORS] < below.count[SECTORS];
        const bool fewer_requests = counts.count[SHARED_REQUESTS] < below.count[SHARED_REQUESTS];
        assert_true(counts.count[SECTORS] <= below.count[SECTORS]);
        assert_true(fewer_sectors || fewer_requests);
        assert_true(i < 3 || fewer_requests);
        below = counts;
    }
}

/* Bytes that the requests of the first warp to shared tiles ask for, each counted once per request. */
static double different_bytes(const char *name, int *requests)
{
    struct duel_trace_sample sample;
    struct duel_trace_line line;
    double bytes = 0;
    *requests = 0;
    run_traced(impl_of(name));
    for (int64_t i = 0; traced.inspector->trace_sample(0, i, &sample); i++) {
        assert_true(traced.inspector->trace_line(0, sample.line, &line));
        if (!line.shared || line.access != DUEL_TRACE_LOAD || sample.warp != 0)
            continue;
        for (int lane = 0; lane < 32; lane++) {
            bool new = sample.lanes >> lane & 1;
            for (int other = 0; other < lane && new; other++)
                new = !(sample.lanes >> other & 1) || sample.offset[other] != sample.offset[lane];
            bytes += new ? (double)line.bytes : 0;
        }
        ++*requests;
    }
    return bytes;
}

/* 2 x 8 rows and 16 x 8 columns are 144 values; 4 x 8 and 8 x 8 are 96. */
static void test_square_warps(void **state)
{
    int thin_requests, square_requests;
    (void)state;
    const double thin = different_bytes("gpu/gemm/vectorised", &thin_requests);
    const double square = different_bytes("gpu/gemm/warptiled", &square_requests);
    print_message("# %d requests for %.0f bytes; %d for %.0f\n", thin_requests, thin, square_requests, square);
    assert_true(thin_requests > 0);
    assert_int_equal(thin_requests, square_requests);
    assert_true(near(square / thin, 96.0 / 144.0));
}

int main(void)
{
    char path[4200], word[64] = "";
    struct duel_why why = {{0}, {0}, {0}};
    void *library = NULL;
    snprintf(path, sizeof path, "%s/duel-emulated-hooked.so", paths_plugin_dir());
    traced.plugin = plugin_load(path, &library, word, sizeof word, &why);
    if (!traced.plugin) {
        printf("1..1\nok 1 - counted # SKIP %s: %s\n", word, why.seen);
        return 0;
    }
    union {
        void *symbol;
        duel_inspector_entry *entry;
    } found = {dlsym(library, DUEL_INSPECT_ENTRY)};
    traced.inspector = found.entry ? found.entry() : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_falls),
        cmocka_unit_test(test_square_warps),
    };
    const int failed = traced.inspector ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    dlclose(library);
    return failed;
}
