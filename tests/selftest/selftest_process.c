/* selftest_process.c: other processes, and error rates from sessions whose results are written down beforehand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "bench/selftest/process.h"
#include "bench/selftest/selftest.h"
#include "tests/unit/run_dir.h"

static struct process_outcome shell(char *script, enum process_watch watch)
{
    char *const arguments[] = {"sh", "-c", script, NULL};
    struct process_outcome outcome;
    struct duel_why why;
    assert_int_equal(process_run("/bin/sh", arguments, watch, &outcome, &why), DUEL_OK);
    assert_true(outcome.seconds > 0);
    return outcome;
}

static void tells_how_it_ended(void **state)
{
    (void)state;
    assert_int_equal(shell("exit 3", PROCESS_TIME).exit_status, 3);
    assert_int_equal(shell("kill -9 $$", PROCESS_TIME).exit_status, 128 + 9);
    const struct process_outcome idle = shell("sleep 0.05", PROCESS_TIME);
    assert_true(idle.seconds >= 0.05 && idle.processor_s < 0.05);
    assert_true(shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done", PROCESS_TIME).processor_s > 0.005);
}

static void keeps_what_it_prints(void **state)
{
    (void)state;
    struct process_outcome outcome = shell("echo loud >&2; i=0; while [ $i -lt 2000 ]; do echo 0123456789; i=$((i+1)); "
                                           "done; read line || echo end",
                                           PROCESS_TEXT);
    assert_non_null(outcome.text);
    assert_int_equal(strlen(outcome.text), 2000 * 11 + 4);
    assert_string_equal(outcome.text + 2000 * 11, "end\n");
    free(outcome.text);
}

/* What this process holds must not count for its child. */
static void measures_the_memory_of_the_child_alone(void **state)
{
    (void)state;
    const size_t large = (size_t)64 << 20;
    char *own = malloc(large);
    assert_non_null(own);
    memset(own, 1, large);
    struct process_outcome outcome = shell("sleep 0.1", PROCESS_MEMORY);
    assert_true(own[large - 1] == 1);
    free(own);
    assert_true(outcome.peak_bytes > 0 && outcome.peak_bytes < large / 2);
}

static void a_program_that_is_not_here_is_an_error(void **state)
{
    (void)state;
    static char *const arguments[] = {"nothing", NULL};
    struct process_outcome outcome;
    struct duel_why why;
    assert_int_equal(process_run("/nowhere/nothing", arguments, PROCESS_TIME, &outcome, &why), DUEL_EIO);
    assert_non_null(strstr(why.seen, "/nowhere/nothing"));
}

/* ---- error rates ------------------------------------------------------------------------------------------ */

/* The program of a session is a script; `body` prints its JSON. */
static struct selftest_finding rates(const char *body)
{
    struct selftest_scene scene = {.program = run_dir_path("session")};
    struct selftest_finding finding;
    static const struct duel_impl *const none[] = {NULL};
    struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = none};
    const struct selftest *test = selftest_table;
    char script[600], *program = strdup(scene.program);
    snprintf(script, sizeof script, "#!/bin/sh\n%s\n", body);
    run_dir_write("session", script);
    assert_int_equal(chmod(program, 0755), 0);
    scene.program = program;
    cpu_backend.describe(0, &place.info);
    while (strcmp(test->name, "rates") != 0)
        test++;
    selftest_run(&scene, test, &place, &finding);
    cpu_backend.close(place.device);
    free(program);
    return finding;
}

#define SAY(same, slowed) \
    "echo '{\"tests\":[{\"name\":\"same_code\",\"value\":" same "},{\"name\":\"slowed_code\",\"value\":" slowed "}]}'"

static void the_truth_has_no_errors(void **state)
{
    (void)state;
    struct selftest_finding finding = rates(SAY("1.0001", "0.9524"));
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(finding.value == 0);
    assert_non_null(strstr(finding.why.seen, "0 called different (at most 1), 100 the same; 5 % slower: 100 found"));
}

/* $5 is the size of the cell, from 32 on, two cells of each: four of a hundred lie. */
static void more_than_one_false_alarm_is_false(void **state)
{
    (void)state;
    struct selftest_finding finding =
        rates("if [ $5 -lt 34 ]; then " SAY("1.05", "0.95") "; else " SAY("1.0", "0.95") "; fi");
    assert_int_equal(finding.verdict, SELFTEST_FALSE);
    assert_true(finding.value == 4);
}

static void a_denied_loss_is_false(void **state)
{
    (void)state;
    assert_int_equal(rates("if [ $5 -lt 34 ]; then " SAY("1.0", "1.0") "; else " SAY("1.0", "0.95") "; fi").verdict,
                     SELFTEST_FALSE);
}

/* The sessions of a cell differ too much to find anything: $7 is the seed. */
static void noise_is_not_a_lie(void **state)
{
    (void)state;
    struct selftest_finding finding =
        rates("if [ $(($7 % 2)) = 0 ]; then " SAY("0.9", "0.8") "; else " SAY("1.1", "1.1") "; fi");
    assert_int_equal(finding.verdict, SELFTEST_NOISY);
    assert_non_null(strstr(finding.why.seen, "0 found"));
}

static void lost_sessions_are_counted(void **state)
{
    (void)state;
    struct selftest_finding finding = rates("echo nonsense");
    assert_int_equal(finding.verdict, SELFTEST_NOISY);
    assert_non_null(strstr(finding.why.seen, "500 sessions lost"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_how_it_ended),
        cmocka_unit_test(keeps_what_it_prints),
        cmocka_unit_test(measures_the_memory_of_the_child_alone),
        cmocka_unit_test(a_program_that_is_not_here_is_an_error),
        RUN_DIR_TEST(the_truth_has_no_errors),
        RUN_DIR_TEST(more_than_one_false_alarm_is_false),
        RUN_DIR_TEST(a_denied_loss_is_false),
        RUN_DIR_TEST(noise_is_not_a_lie),
        RUN_DIR_TEST(lost_sessions_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
