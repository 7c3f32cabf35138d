#include "tests/mock/fight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/field.h"

void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-9 * (1 + fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

static const struct duel_impl base_impl = {
    .name = "cpu/gemm/base", .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}}, .run = mock_run};
static const struct duel_impl *const base_table[] = {&base_impl, NULL}, *const row_table[] = {&mock_right, NULL};

void fight_prepare(struct fight *fight, const struct mock *base, const struct mock *row)
{
    memset(fight, 0, sizeof *fight);
    fight->mock[BASE] = *base;
    fight->mock[ROW] = *row;
    fight->without_copies = mock_backend;
    fight->without_copies.upload = NULL;
    fight->without_copies.download = NULL;
    mock_place(&fight->place[BASE], &fight->mock[BASE], base_table);
    mock_place(&fight->place[ROW], &fight->mock[ROW], row_table);
    snprintf(fight->place[BASE].id, sizeof fight->place[BASE].id, "cpu");
    fight->place[BASE].backend = &fight->without_copies;
    for (int i = 0; i < CASES; i++) {
        const struct duel_impl *impl = fight->place[i].impls[0];
        fight->cases[i] =
            (struct duel_case){&fight->place[i],
                               impl,
                               impl->name,
                               {.m = 8, .n = 8, .k = 8, .ld = {8, 8, 8}, .alpha = 1, .types = impl->types[0]},
                               0,
                               ""};
    }
    fight->group = (struct duel_group){.workload = workload_find("gemm", 4),
                                       .problem = {.m = 8, .n = 8, .k = 8},
                                       .cases = fight->cases,
                                       .count = CASES};
    fight->runner.options = (struct duel_runner_options){.rules = {.target_ci = 0.01,
                                                                   .min_samples = 10,
                                                                   .max_samples = 1000,
                                                                   .timeout_s = 1000,
                                                                   .warmup_s = 0.1,
                                                                   .warmup_max_s = 1},
                                                         .seed = 42,
                                                         .reuse = 10,
                                                         .read_s = NAN,
                                                         .deadline = INFINITY};
}

void fight_run(struct fight *fight)
{
    struct duel_why why;
    assert_int_equal(runner_group(&fight->runner, &fight->group, fight->result, &why), DUEL_OK);
}

void fight_finish(struct fight *fight)
{
    for (int i = 0; i < CASES; i++)
        result_free(&fight->result[i]);
}

const char *fight_why(const struct duel_result *row, const char *name)
{
    const struct duel_field *field = duel_field_table;
    while (strcmp(field->name, name) != 0)
        field++;
    const char *why = field_why(field, row);
    return why ? why : "";
}
