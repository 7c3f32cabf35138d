/* words.c: command lines that are given on, without some of their words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/commands/words.h"

static const char *const left_out[] = {"--out", "--quiet", "--input", NULL};

/* Splits at blanks, leaves out, and joins again. */
static void check(const char *line, int arguments, const char *wanted)
{
    struct words given = {NULL, 0, false}, kept = {NULL, 0, false};
    char copy[200], joined[200] = "", *rest = copy;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word; (word = strsep(&rest, " "));)
        words_add(&given, word);
    words_add_without(&kept, &given, left_out, arguments);
    for (size_t i = 0; i < kept.count; i++)
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i > 0 ? " " : "", kept.word[i]);
    assert_false(kept.failed);
    assert_string_equal(joined, wanted);
    words_free(&given);
    words_free(&kept);
}

static void options_go_with_their_values(void **state)
{
    (void)state;
    check("gemm --out d --n 64", 0, "gemm --n 64");
    check("gemm --out=d --n=64 --quiet", 0, "gemm --n=64");
    check("--quiet gemm", 0, "gemm"); /* a flag has no value */
    check("gemm --beta -0.5 --out -", 0, "gemm --beta -0.5");
    check("gemm --out", 0, "gemm");
}

static void matrices_are_one_or_two(void **state)
{
    (void)state;
    check("--input A.npy B.npy gemm", 0, "gemm");
    check("--input A.npy gemm", 0, "gemm");
    check("--input=A.npy B.npy gemm", 0, "gemm");
    check("--output C.npy gemm", 1, "--output C.npy");
}

static void leading_arguments_are_left_out(void **state)
{
    (void)state;
    check("save --n 64 before gemm cpu/*", 2, "--n 64 gemm cpu/*");
    check("--n 64 a b c", 100, "--n 64");
    check("save before -- --out", 2, "-- --out"); /* behind -- nothing is an option */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_go_with_their_values),
        cmocka_unit_test(matrices_are_one_or_two),
        cmocka_unit_test(leading_arguments_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
