/* run_dir.c: the directory that tests of run files work in. */
#include "tests/unit/run_dir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/rows.h"

static char *dir;

int run_dir_make(void **state)
{
    (void)state;
    return (dir = scratch_dir("run")) ? 0 : -1;
}

int run_dir_drop(void **state)
{
    (void)state;
    scratch_drop(dir);
    return 0;
}

const char *run_dir(void)
{
    return dir;
}

const char *run_dir_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

void run_dir_write(const char *name, const char *text)
{
    FILE *file = fopen(run_dir_path(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

char *run_dir_text(const char *name)
{
    char *text = file_text(run_dir_path(name));
    assert_non_null(text);
    return text;
}

bool run_dir_has(const char *name)
{
    return access(run_dir_path(name), F_OK) == 0;
}

struct duel_runfile *run_dir_opened(const char *json, const char *csv)
{
    struct duel_runfile *file = NULL;
    struct duel_why why = {{0}, {0}, {0}};
    if (runfile_open(&file, dir, json, csv, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    return file;
}

void run_dir_refused(const char *where, const char *json, const char *csv, enum duel_status status, const char *words)
{
    struct duel_runfile *file = NULL;
    struct duel_why why = {{0}, {0}, {0}};
    assert_int_equal(runfile_open(&file, where, json, csv, &why), status);
    assert_null(file);
    if (!strstr(why.seen, words))
        fail_msg("\"%s\" does not say \"%s\"", why.seen, words);
    assert_true(*why.matters && *why.next);
}
