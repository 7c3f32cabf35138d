/* run_dir.h: a fresh directory for each test of run files, and runs opened or refused in it. */
#ifndef TESTS_RUN_DIR_H
#define TESTS_RUN_DIR_H

#include "bench/record/runfile.h"

/* Set-up and tear-down of a cmocka test. */
int run_dir_make(void **state);
int run_dir_drop(void **state);
const char *run_dir(void);
/* A path in it; good until the next call. */
const char *run_dir_path(const char *name);
void run_dir_write(const char *name, const char *text);
/* The whole of a file in it, to be freed. */
char *run_dir_text(const char *name);
bool run_dir_has(const char *name);

/* These fail the test when the opposite happens. The message of a refusal has all three parts and says `words`. */
struct duel_runfile *run_dir_opened(const char *json, const char *csv);
void run_dir_refused(const char *where, const char *json, const char *csv, enum duel_status status, const char *words);

#define RUN_DIR_TEST(name) cmocka_unit_test_setup_teardown(name, run_dir_make, run_dir_drop)

#endif
