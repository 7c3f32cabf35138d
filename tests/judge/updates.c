#include "tests/judge/updates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/stats/random.h"
#include "tests/unit/rows.h"

char *updates_path(const char *dir, const char *name)
{
    char *path = malloc(strlen(dir) + strlen(name) + 2);
    assert_non_null(path);
    sprintf(path, "%s/%s", dir, name);
    return path;
}

static double scatter_of(const struct update *update, uint64_t *random)
{
    const double mode = update->bimodal && random_unit(random) < 0.5 ? 1.06 : 1;
    return mode * exp((update->bimodal ? 0.003 : 0.01) * random_normal(random));
}

/* Kernels on a GPU, in five sessions; case 41 is the degenerate shape. */
void updates_write(const char *path, const char *id, const struct update *update, uint64_t seed)
{
    FILE *file = made_begin(path, id, &update->machine);
    assert_non_null(file);
    for (int session = 1; session <= UPDATES_SESSIONS; session++)
        for (int c = 0; c < UPDATES_CASES; c++) {
            const double degenerate = c == 41 && update->degenerate > 0 ? update->degenerate : 1;
            const double bad = session == update->bad_session ? 3 : 1;
            const double copies = update->copies > 0 ? update->copies : 1;
            const struct made_row row = {.implementation = "gpu/gemm/made",
                                         .m = c == 41 ? 1 : 64 + c,
                                         .n = 64 + c,
                                         .k = 64 + c,
                                         .kernel_s = 1e-4 * (1 + c) * update->factor * degenerate * bad *
                                                     scatter_of(update, &seed),
                                         .copy_s = c % 10 == 0 ? 1e-3 * copies * scatter_of(update, &seed) : 0,
                                         .hash = (update->other_hash ? 1000u : 2000u) + (unsigned)c,
                                         .error = update->error > 0 ? update->error : 1e-7};
            made_result(file, &update->machine, session, &row);
        }
    made_end(file);
}

void updates_compare(struct judge_comparison *comparison, const char *before, const char *after)
{
    struct duel_why why;
    memset(comparison, 0, sizeof *comparison);
    comparison->limits = judge_usual_limits;
    if (side_read(&comparison->a, "A", before, &why) != DUEL_OK ||
        side_read(&comparison->b, "B", after, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    assert_true(comparison_make(comparison));
}

struct updates_kernels updates_kernels(const struct judge_comparison *comparison)
{
    struct updates_kernels kernels = {{0}, 0};
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->cell[i].metric == JUDGE_KERNEL) {
            kernels.of[comparison->cell[i].finding.verdict]++;
            kernels.by_clocks += comparison->cell[i].by_clocks;
        }
    return kernels;
}

void updates_simulate(struct judge_comparison *comparison, const struct update *before, const struct update *after,
                      uint64_t seed)
{
    char *dir = scratch_dir("drivers"), *a = updates_path(dir, "a.jsonl"), *b = updates_path(dir, "b.jsonl");
    updates_write(a, "a", before, 2 * seed);
    updates_write(b, "b", after, 2 * seed + 1);
    updates_compare(comparison, a, b);
    free(a);
    free(b);
    scratch_drop(dir);
}

struct update updates_none(void)
{
    return (struct update){.factor = 1, .machine = made_usual};
}
