/* runfile_dir.c: one run per directory, the run before kept once, and places that cannot work refused at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/record/directory.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

static void second_run_is_refused(void **state)
{
    (void)state;
    struct duel_runfile *file = run_dir_opened(NULL, NULL);
    struct duel_result row = row_skipped("gpu/gemm/naive", 64, "no GPU");
    assert_int_equal(runfile_result(file, &row, NULL), DUEL_OK);
    run_dir_refused(run_dir(), NULL, NULL, DUEL_EIO, "is writing to");
    char *text = run_dir_text("run.jsonl");
    assert_non_null(strstr(text, "gpu/gemm/naive")); /* nothing was moved or emptied */
    free(text);
    runfile_close(file);
    runfile_close(run_dir_opened(NULL, NULL));
}

static void run_before_is_kept_once(void **state)
{
    (void)state;
    struct duel_runfile *file = run_dir_opened(NULL, NULL);
    runfile_close(file);
    assert_false(run_dir_has("previous")); /* there was nothing to keep */
    assert_int_equal(mkdir(run_dir_path("plots"), 0777), 0);
    run_dir_write("plots/old.png", "first");
    run_dir_write("run.jsonl", "{\"record\":\"run\", \"first\"\n");
    run_dir_write("notes.txt", "the user's own");
    runfile_close(run_dir_opened(NULL, NULL));
    char *text = run_dir_text("previous/run.jsonl");
    assert_string_equal(text, "{\"record\":\"run\", \"first\"\n");
    free(text);
    assert_true(run_dir_has("previous/plots/old.png"));
    assert_false(run_dir_has("plots"));
    run_dir_write("run.jsonl", "{\"record\":\"run\", \"second\"\n");
    runfile_close(run_dir_opened(NULL, NULL));
    text = run_dir_text("previous/run.jsonl");
    assert_string_equal(text, "{\"record\":\"run\", \"second\"\n");
    free(text);
    assert_false(run_dir_has("previous/plots")); /* of the first run: replaced as a whole */
    assert_true(run_dir_has("notes.txt"));
}

#define GOOD "{\"record\":\"run\", \"good\"\n{\"record\":\"result\",\"status\":\"ok\"}\n"
#define BAD "{\"record\":\"run\", \"bad\"\n{\"record\":\"result\",\"status\":\"FAILED\"}\n"

/* Good, bad, bad: the good one is still there. The next good one takes its place. */
static void failures_never_replace_a_good_run(void **state)
{
    (void)state;
    run_dir_write("run.jsonl", GOOD);
    runfile_close(run_dir_opened(NULL, NULL));
    for (int i = 0; i < 2; i++) {
        run_dir_write("run.jsonl", BAD);
        assert_int_equal(directory_make(run_dir_path("plots"), NULL), DUEL_OK);
        runfile_close(run_dir_opened(NULL, NULL));
        char *text = run_dir_text("previous/run.jsonl");
        assert_string_equal(text, GOOD);
        free(text);
        assert_false(run_dir_has("plots"));
    }
    run_dir_write("run.jsonl", "{\"record\":\"result\",\"status\":\"verified\"}\n");
    runfile_close(run_dir_opened(NULL, NULL));
    char *text = run_dir_text("previous/run.jsonl");
    assert_non_null(strstr(text, "verified"));
    free(text);
}

/* The second run that writes to a file is refused, under whatever name; the first one goes on. */
static void one_file_has_one_writer(void **state)
{
    (void)state;
    char *json = directory_path(run_dir(), "out.jsonl"), *csv = directory_path(run_dir(), "out.csv");
    struct duel_runfile *first = NULL, *second = NULL;
    struct duel_why why;
    assert_int_equal(runfile_open(&first, NULL, json, NULL, &why), DUEL_OK);
    assert_int_equal(runfile_open(&second, NULL, json, NULL, &why), DUEL_EIO);
    assert_non_null(strstr(why.seen, "another run is writing to --json"));
    assert_int_equal(runfile_open(&second, NULL, NULL, json, &why), DUEL_EIO);
    assert_int_equal(runfile_open(&second, NULL, NULL, csv, &why), DUEL_OK);
    runfile_close(second);
    runfile_close(first);
    assert_int_equal(runfile_open(&second, NULL, json, NULL, &why), DUEL_OK); /* the lock ends with its owner */
    runfile_close(second);
    free(json);
    free(csv);
}

static void mistake_costs_nothing(void **state)
{
    (void)state;
    run_dir_write("run.jsonl", "{\"record\":\"precious\"\n");
    char *json = directory_path(run_dir(), "missing/x.jsonl");
    run_dir_refused(run_dir(), json, NULL, DUEL_EIO, "missing/x.jsonl");
    free(json);
    char *text = run_dir_text("run.jsonl");
    assert_string_equal(text, "{\"record\":\"precious\"\n");
    free(text);
    assert_false(run_dir_has("previous"));
}

static void bad_places_are_refused(void **state)
{
    (void)state;
    char *file = directory_path(run_dir(), "file"), *below = directory_path(run_dir(), "file/below/it");
    char *deep = directory_path(run_dir(), "a/b/c"), *json = directory_path(run_dir(), "run.jsonl");
    run_dir_write("file", "x");
    run_dir_refused(file, NULL, NULL, DUEL_EIO, "cannot be created as a directory");
    run_dir_refused(below, NULL, NULL, DUEL_EIO, "cannot be created as a directory");
    run_dir_refused("", NULL, NULL, DUEL_EIO, "");
    run_dir_refused(run_dir(), below, NULL, DUEL_EIO, "--json");
    run_dir_refused(run_dir(), NULL, run_dir(), DUEL_EIO, "--csv");
    run_dir_refused(run_dir(), "-", "-", DUEL_EINVAL, "same place");
    run_dir_refused(run_dir(), json, NULL, DUEL_EINVAL, "writes anyway");
    struct duel_runfile *good = NULL;
    assert_int_equal(runfile_open(&good, deep, NULL, NULL, NULL), DUEL_OK);
    assert_string_equal(runfile_dir(good), deep);
    runfile_close(good);
    assert_int_equal(symlink("file", run_dir_path("link")), 0);
    char *link = directory_path(run_dir(), "link");
    run_dir_refused(run_dir(), file, link, DUEL_EINVAL, "same place");
    free(link);
    free(file);
    free(below);
    free(deep);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(second_run_is_refused),
        RUN_DIR_TEST(run_before_is_kept_once),
        RUN_DIR_TEST(failures_never_replace_a_good_run),
        RUN_DIR_TEST(one_file_has_one_writer),
        RUN_DIR_TEST(mistake_costs_nothing),
        RUN_DIR_TEST(bad_places_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
