#include "tests/doctor/doctor_look.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/directory.h"
#include "tests/unit/run_dir.h"

struct doctor_scene scene_unknown(void)
{
    return (struct doctor_scene){
        .root = run_dir(),
        .seen = {.seconds = 0.3,
                 .load = {.foreign_share = NAN, .steal_share = NAN, .cpus = 4, .why = "hidden"},
                 .swapped_pages = NAN,
                 .throttled = NAN,
                 .throttled_now = NAN,
                 .timer_step_s = NAN,
                 .timer_read_s = NAN},
    };
}

void scene_put(const char *path, const char *text)
{
    char *whole = strdup(run_dir_path(path));
    assert_non_null(whole);
    *strrchr(whole, '/') = '\0';
    assert_int_equal(directory_make(whole, NULL), DUEL_OK);
    free(whole);
    run_dir_write(path, text);
}

struct doctor_finding look(const struct doctor_scene *scene, const char *check, enum doctor_mark mark,
                           const char *words)
{
    const struct doctor_check *row = doctor_check_table;
    struct doctor_finding finding = {.check = NULL};
    while (row->name && strcmp(row->name, check) != 0)
        row++;
    assert_non_null(row->name);
    row->look(scene, &finding);
    if (finding.mark != mark || !strstr(finding.why.seen, words))
        fail_msg("%s: %s, \"%s\"; wanted %s, \"%s\"", check, doctor_mark_name(finding.mark), finding.why.seen,
                 doctor_mark_name(mark), words);
    assert_true((finding.why.matters[0] && finding.why.next[0]) == (mark != DOCTOR_GOOD));
    return finding;
}
