/* doctor_watch.c: what was watched for a moment, what libraries and the environment say, and the whole report. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/doctor/doctor_look.h"
#include "tests/unit/run_dir.h"

static void judges_the_load_of_others(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_unknown();
    look(&scene, "other_load", DOCTOR_UNKNOWN, "hidden");
    scene.seen.load.foreign_share = 0.01; /* of 4 CPUs */
    assert_true(fabs(look(&scene, "other_load", DOCTOR_GOOD, "0.04 of 4").value - 0.04) < 1e-9);
    scene.seen.load.foreign_share = 0.05;
    look(&scene, "other_load", DOCTOR_WARN, "0.20 of 4");
    scene.seen.load.foreign_share = 0.125;
    look(&scene, "other_load", DOCTOR_BAD, "0.50 of 4");
    scene.seen.load.cpus = 128; /* one busy core is one too many, on however large a machine */
    scene.seen.load.foreign_share = 1.0 / 128;
    look(&scene, "other_load", DOCTOR_BAD, "1.00 of 128");
}

static void judges_steal(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_unknown();
    look(&scene, "steal", DOCTOR_UNKNOWN, "hidden");
    scene.seen.load.steal_share = 0;
    look(&scene, "steal", DOCTOR_GOOD, "0.0 %");
    scene.seen.load.steal_share = 0.02;
    look(&scene, "steal", DOCTOR_WARN, "2.0 %");
    scene.seen.load.steal_share = 0.05;
    look(&scene, "steal", DOCTOR_BAD, "5.0 %");
}

static void judges_heat_and_swap_of_the_moment(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_unknown();
    look(&scene, "throttling", DOCTOR_UNKNOWN, "does not count");
    scene.seen.throttled = scene.seen.throttled_now = 0;
    look(&scene, "throttling", DOCTOR_GOOD, "never");
    scene.seen.throttled = 12;
    look(&scene, "throttling", DOCTOR_WARN, "12 times since");
    scene.seen.throttled_now = 3;
    look(&scene, "throttling", DOCTOR_BAD, "3 times in 0.3 s");
    scene_put("proc/meminfo", "SwapTotal: 2097152 kB\nSwapFree: 2097152 kB\n");
    scene.seen.swapped_pages = 0;
    look(&scene, "swap", DOCTOR_GOOD, "not used");
    scene.seen.swapped_pages = 17;
    look(&scene, "swap", DOCTOR_BAD, "17 pages");
}

static void judges_the_clock(void **state)
{
    (void)state;
    struct doctor_scene scene = scene_unknown();
    look(&scene, "timer_step", DOCTOR_BAD, "did not move");
    scene.seen.timer_step_s = scene.seen.timer_read_s = 25e-9;
    look(&scene, "timer_step", DOCTOR_GOOD, "25 ns");
    look(&scene, "timer_cost", DOCTOR_GOOD, "25 ns");
    scene.seen.timer_step_s = scene.seen.timer_read_s = 400e-9;
    look(&scene, "timer_step", DOCTOR_WARN, "400 ns");
    look(&scene, "timer_cost", DOCTOR_WARN, "400 ns");
    scene.seen.timer_step_s = scene.seen.timer_read_s = 1e-6;
    look(&scene, "timer_step", DOCTOR_BAD, "1000 ns");
    look(&scene, "timer_cost", DOCTOR_BAD, "1000 ns");
}

/* ---- software --------------------------------------------------------------------------------------------- */

static const char *library_text;

static const char *library(void)
{
    return library_text;
}

static enum duel_status run_nothing(const struct duel_call *call)
{
    (void)call;
    return DUEL_OK;
}

static void judges_the_blas(void **state)
{
    (void)state;
    static const struct duel_impl blas = {.name = "cpu/gemm/openblas", .library = library, .run = run_nothing};
    static const struct duel_impl *const impls[] = {&blas, NULL};
    struct duel_registry registry = {.place = {{.id = "cpu", .impls = impls}}, .count = 1};
    struct doctor_scene scene = scene_unknown();
    unsetenv("OPENBLAS_CORETYPE");
    look(&scene, "blas_threads", DOCTOR_WARN, "no BLAS");
    look(&scene, "blas_kernels", DOCTOR_UNKNOWN, "no BLAS");
    scene.registry = &registry;
    library_text = "OpenBLAS 0.3.21, Zen kernels, OpenMP";
    look(&scene, "blas_threads", DOCTOR_GOOD, "OpenMP");
    look(&scene, "blas_kernels", DOCTOR_GOOD, "Zen kernels");
    library_text = "OpenBLAS 0.3.21, Zen kernels, pthread build: a second thread pool, install another";
    look(&scene, "blas_threads", DOCTOR_WARN, "pthread");
    library_text = "OpenBLAS 0.3.21, Prescott kernels, OpenMP";
    scene_put("proc/cpuinfo", "flags : fpu sse2\n");
    look(&scene, "blas_kernels", DOCTOR_GOOD, "Prescott");
    scene_put("proc/cpuinfo", "flags : fpu sse2 avx2\n");
    look(&scene, "blas_kernels", DOCTOR_BAD, "Prescott kernels for a processor with AVX2");
    setenv("OPENBLAS_CORETYPE", "Haswell", 1);
    look(&scene, "blas_kernels", DOCTOR_WARN, "OPENBLAS_CORETYPE=Haswell");
    unsetenv("OPENBLAS_CORETYPE");
}

static void names_variables(void **state)
{
    (void)state;
    static const char *const names[] = {
        "CUDA_LAUNCH_BLOCKING", "OMP_DYNAMIC",          "OMP_THREAD_LIMIT", "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",     "OMP_WAIT_POLICY",  "GOMP_SPINCOUNT",
        "NVIDIA_TF32_OVERRIDE", "CUDA_VISIBLE_DEVICES", "LD_PRELOAD"};
    struct doctor_scene scene = scene_unknown();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    look(&scene, "environment", DOCTOR_GOOD, "no variable");
    setenv("OMP_NUM_THREADS", "3", 1);
    look(&scene, "environment", DOCTOR_WARN, "OMP_NUM_THREADS=3");
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    assert_true(look(&scene, "environment", DOCTOR_BAD, "CUDA_LAUNCH_BLOCKING=1, OMP_NUM_THREADS=3").value == 2);
    unsetenv("CUDA_LAUNCH_BLOCKING");
    unsetenv("OMP_NUM_THREADS");
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

static void examines_the_host_and_says_why_there_is_no_gpu(void **state)
{
    (void)state;
    static const struct duel_impl *const none[] = {NULL};
    struct duel_registry registry = {
        .place = {{.id = "cpu", .impls = none}, {.id = "cuda", .impls = none}, {.id = "emulated"}}, .count = 3};
    registry.place[1].info = (struct duel_device_info){.status = "driver too old",
                                                       .why = {"CUDA 13.0 is needed", "it is skipped", "update it"}};
    registry.place[2].impls = none;
    struct doctor_scene scene = scene_unknown();
    struct doctor_report report;
    struct duel_why why;
    scene.registry = &registry;
    assert_int_equal(doctor_examine(&scene, &report, &why), DUEL_OK);
    size_t host = 0, gpu = 0, all = 0;
    for (size_t i = 0; i < report.count; i++) {
        const struct doctor_finding *finding = &report.finding[i];
        host += strcmp(finding->where, "host") == 0;
        gpu += strcmp(finding->where, "cuda") == 0;
        assert_true(finding->why.seen[0]);
        if (finding->mark != DOCTOR_GOOD)
            assert_true(finding->why.matters[0] && finding->why.next[0]);
    }
    assert_int_equal(gpu, 1);
    assert_int_equal(host + gpu, report.count);
    for (int mark = 0; mark < DOCTOR_MARKS; mark++)
        all += report.tally[mark];
    assert_int_equal(all, report.count);
    const struct doctor_finding *last = &report.finding[report.count - 1];
    assert_string_equal(last->check->name, "gpu_status");
    assert_int_equal(last->mark, DOCTOR_WARN);
    assert_string_equal(last->why.seen, "driver too old: CUDA 13.0 is needed");
    doctor_free(&report);
}

/* The live figures of this machine: whatever they are, they are possible. */
static void watches_this_machine(void **state)
{
    (void)state;
    struct doctor_observed seen;
    doctor_observe("", 0.1, &seen);
    assert_true(seen.seconds >= 0.1 && seen.seconds < 5);
    assert_true(seen.timer_step_s > 0 && seen.timer_read_s > 0 && seen.timer_read_s < 1e-3);
    assert_true(seen.load.cpus >= 1);
    assert_true(isnan(seen.load.foreign_share) || (seen.load.foreign_share >= 0 && seen.load.foreign_share <= 1.05));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(judges_the_load_of_others),
        RUN_DIR_TEST(judges_steal),
        RUN_DIR_TEST(judges_heat_and_swap_of_the_moment),
        RUN_DIR_TEST(judges_the_clock),
        RUN_DIR_TEST(judges_the_blas),
        RUN_DIR_TEST(names_variables),
        RUN_DIR_TEST(examines_the_host_and_says_why_there_is_no_gpu),
        RUN_DIR_TEST(watches_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
