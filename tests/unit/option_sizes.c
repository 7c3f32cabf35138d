/* --n and --shape: what they mean, and the many ways to get them wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/option_give.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void sizes_are_numbers_and_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int count;
        int64_t size[12];
    } table[] = {
        {"512", 1, {512}},
        {"1", 1, {1}},
        {"64,100", 2, {64, 100}},
        {"512:4096:x2", 4, {512, 1024, 2048, 4096}},
        {"100:500:100", 5, {100, 200, 300, 400, 500}},
        {"100:499:100", 4, {100, 200, 300, 400}},
        {"3:100:x5", 3, {3, 15, 75}},
        {"7:7:x2", 1, {7}},
        {"7:7:9999", 1, {7}},
        {"64,100:300:100,1:8:x2,17", 9, {64, 100, 200, 300, 1, 2, 4, 8, 17}},
        {"0064", 1, {64}},
        {"1099511627776", 1, {1099511627776}},
        {"1:1099511627776:x1099511627776", 2, {1, 1099511627776}},
        {"1:1099511627776:1099511627775", 2, {1, 1099511627776}},
        {"1099511627775:1099511627776:x1099511627776", 1, {1099511627775}},
    };
    for (size_t t = 0; t < COUNT(table); t++) {
        struct duel_options o;
        option_accept("--n", table[t].text, &o);
        assert_int_equal(o.shape_count, table[t].count);
        for (int i = 0; i < o.shape_count; i++)
            assert_true(o.shape[i].m == table[t].size[i] && o.shape[i].n == table[t].size[i] &&
                        o.shape[i].k == table[t].size[i]);
    }
}

static void sizes_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"", "is empty"},
        {"0", "is too small"},
        {"-5", "is negative"},
        {"-", "not a whole number"},
        {"+5", "not a whole number"},
        {"12abc", "\"12abc\" is not a whole number"},
        {"1e3", "not a whole number"},
        {"0x10", "not a whole number"},
        {"1.5", "not a whole number"},
        {" 5", "not a whole number"},
        {"5 ", "not a whole number"},
        {"nan", "not a whole number"},
        {"99999999999999999999", "is too large"},
        {"18446744073709551617", "is too large"},
        {"9223372036854775808", "is too large"},
        {"1099511627777", "is too large"},
        {"64,", "\"\" is empty"},
        {",64", "\"\" is empty"},
        {"64,,100", "\"\" is empty"},
        {"64,100,x", "\"x\" is not"},
        {"64;100", "not a whole number"},
        {"512:100:x2", "\"512:100:x2\" ends below where it starts"},
        {"5:4:1", "ends below where it starts"},
        {"1:10:0", "\"0\" is not a step"},
        {"1:10:-1", "\"-1\" is not a step"},
        {"1:10:", "\"\" is not a step"},
        {"1:10:x1", "\"x1\" is not a factor"},
        {"1:10:x0", "\"x0\" is not a factor"},
        {"1:10:x", "\"x\" is not a factor"},
        {"1:10:x-2", "\"x-2\" is not a factor"},
        {"1:10:x1.5", "\"x1.5\" is not a factor"},
        {"1:10:2:3", "\"2:3\" is not a step"},
        {"1:10", "\"1:10\" is a range without a step"},
        {":10:2", "\"\" is empty"},
        {"1::2", "\"\" is empty"},
        {"::", "\"\" is empty"},
        {"0:10:1", "\"0\" is too small"},
        {"1:99999999999999999999:x2", "is too large"},
        {"1:257:1", "more sizes than the 256"},
        {"1:1099511627776:1", "more sizes than the 256"},
    };
    for (size_t t = 0; t < COUNT(table); t++)
        option_refuse("--n", table[t][0], table[t][1]);
    struct duel_options o;
    option_accept("--n", "1:256:1", &o);
    assert_int_equal(o.shape_count, 256);
    assert_int_equal(options_sizes("500", &o, NULL), DUEL_EINVAL);
    assert_int_equal(options_shapes("500x5x5", &o, NULL), DUEL_EINVAL);
    assert_int_equal(o.shape_count, 256);
}

static void shapes_have_one_to_four_extents(void **state)
{
    (void)state;
    struct duel_options o;
    option_accept("--shape", "3x4x5,1x1x0,1000000x1x7,9,2x3x4x0", &o);
    assert_int_equal(o.shape_count, 5);
    assert_int_equal(o.shape[0].given, 3);
    assert_true(o.shape[3].given == 1 && o.shape[3].m == 9 && o.shape[3].n == 1 && o.shape[3].count == 1);
    assert_true(o.shape[4].given == 4 && o.shape[4].k == 4 && o.shape[4].count == 0);
    assert_true(o.shape[0].m == 3 && o.shape[0].n == 4 && o.shape[0].k == 5);
    assert_true(o.shape[1].m == 1 && o.shape[1].n == 1 && o.shape[1].k == 0);
    assert_true(o.shape[2].m == 1000000 && o.shape[2].n == 1 && o.shape[2].k == 7);
    static const char *const table[][2] = {
        {"", "\"\" is empty"},
        {"5x5x5x5x5", "\"5x5x5x5x5\" has more than four extents"},
        {"5x5x-1", "\"-1\" is negative"},
        {"5x5x", "\"\" is empty"},
        {"xx", "\"\" is empty"},
        {"5x5x5,", "\"\" is empty"},
        {"5x5xa", "\"a\" is not a whole number"},
        {"5 x 5 x 5", "not a whole number"},
        {"5x5x99999999999999999999", "is too large"},
    };
    for (size_t t = 0; t < COUNT(table); t++)
        option_refuse("--shape", table[t][0], table[t][1]);
}

static void a_size_counts_once(void **state)
{
    (void)state;
    struct duel_options o = {0};
    struct duel_why why;
    assert_int_equal(options_sizes("8,16,8", &o, &why), DUEL_OK);
    assert_int_equal(options_shapes("8x8x8,8x8x9", &o, &why), DUEL_OK);
    assert_int_equal(options_shapes("8x8x9", &o, &why), DUEL_OK);
    assert_int_equal(o.shape_count, 4); /* what --shape 8x8x8 means is for each workload to say */
    assert_int_equal(o.repeated_sizes, 2);
    assert_true(o.shape[1].n == 16 && o.shape[3].k == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_size_counts_once),
        cmocka_unit_test(sizes_are_numbers_and_ranges),
        cmocka_unit_test(sizes_that_make_no_sense_are_refused),
        cmocka_unit_test(shapes_have_one_to_four_extents),
    };
    return cmocka_run_group_tests_name("option_sizes", tests, NULL, NULL);
}
