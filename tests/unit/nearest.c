/* "Did you mean ...?" */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "bench/options/options.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const names[] = {"devices",
                                    "list",
                                    "run",
                                    "verify",
                                    "explain",
                                    "gemm",
                                    "cpu/gemm/serial",
                                    "cpu/gemm/blocked",
                                    "gpu/gemm/naive",
                                    "gpu/gemm/tiled",
                                    "gpu/gemm/cublas",
                                    "gpu/gemm/tiled",
                                    "--seed",
                                    "--n",
                                    NULL};

static void expect(const char *word, const char *wanted)
{
    char out[200] = "unset";
    nearest_names(word, names, 3, out, sizeof out);
    if (strcmp(out, wanted) != 0)
        fail_msg("%s gave \"%s\", expected \"%s\"", word, out, wanted);
}

static void typing_errors_find_their_word(void **state)
{
    (void)state;
    expect("verfiy", "verify");  /* swapped */
    expect("verify", "verify");  /* right */
    expect("verif", "verify");   /* one missing */
    expect("verrify", "verify"); /* one too many */
    expect("vorify", "verify");  /* one wrong */
    expect("VERIFY", "verify");  /* shouted */
    expect("rnu", "run");
    expect("lst", "list");
    expect("--sede", "--seed");
    expect("-n", "--n");
    expect("device", "devices");
}

static void the_last_part_of_a_path_is_enough(void **state)
{
    (void)state;
    expect("tild", "gpu/gemm/tiled"); /* once, though the list has it twice */
    expect("gpu/gemm/tilde", "gpu/gemm/tiled");
    expect("blokced", "cpu/gemm/blocked");
    expect("cubl", "gpu/gemm/cublas");
    expect("gpu/gem/naive", "gpu/gemm/naive");
}

static void a_part_of_names_finds_them_in_order(void **state)
{
    (void)state;
    expect("cpu/gemm", "cpu/gemm/serial or cpu/gemm/blocked");
}

static void other_words_find_nothing(void **state)
{
    (void)state;
    static const char *const words[] = {"", "x", "-", "--", "ab", "zebra", "frobnicate", "qqqqqqqqqqqqqq", "///", "12"};
    for (size_t i = 0; i < COUNT(words); i++)
        expect(words[i], "");
    char endless[5000];
    memset(endless, 'a', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    expect(endless, "");
}

static void far_words_do_not_stand_beside_near_ones(void **state)
{
    (void)state;
    static const char *const rhymes[] = {"decision", "precision", NULL};
    char out[200];
    nearest_names("precison", rhymes, 3, out, sizeof out); /* three mistakes from "decision" */
    assert_string_equal(out, "precision");
    nearest_names("decisio", rhymes, 3, out, sizeof out);
    assert_string_equal(out, "decision");
    expect("gpu/gemm/zzzzz", ""); /* a long common path is no likeness */
}

static void a_small_buffer_holds_fewer_names(void **state)
{
    (void)state;
    static const char *const alike[] = {"aaab", "aaac", "aaad", NULL};
    static const struct {
        size_t size;
        const char *wanted;
    } table[] = {{19, "aaab, aaac or aaad"},
                 {18, "aaab or aaac"},
                 {13, "aaab or aaac"},
                 {12, "aaab"},
                 {5, "aaab"},
                 {4, ""},
                 {1, ""}};
    for (size_t t = 0; t < COUNT(table); t++) {
        char out[32];
        memset(out, '#', sizeof out);
        nearest_names("aaaa", alike, 3, out, table[t].size);
        assert_string_equal(out, table[t].wanted);
        assert_int_equal(out[table[t].size], '#');
    }
    nearest_names("aaaa", alike, 3, NULL, 0);
    char out[32];
    nearest_names("aaaa", alike, 0, out, sizeof out);
    assert_string_equal(out, "");
    nearest_names("aaaa", alike, 1, out, sizeof out);
    assert_string_equal(out, "aaab");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typing_errors_find_their_word),           cmocka_unit_test(the_last_part_of_a_path_is_enough),
        cmocka_unit_test(a_part_of_names_finds_them_in_order),     cmocka_unit_test(other_words_find_nothing),
        cmocka_unit_test(far_words_do_not_stand_beside_near_ones), cmocka_unit_test(a_small_buffer_holds_fewer_names),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
