/* pattern.c: mistakes put into a right product, one at a time: is the cause named, and is noise not given one? */
#include "bench/verify/pattern.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/stats/random.h"

enum { M = 24, N = 20, K = 12, MOST = 32 };

static double A[M * K], B[K * N], before[M * N], right[M * N], value[M * N];

static double whole_number(uint64_t *seed)
{
    return floor(random_unit(seed) * 5) - 2;
}

/* alpha is 2 and beta 3. */
static struct duel_pattern made(uint64_t seed)
{
    for (int i = 0; i < M * K; i++)
        A[i] = whole_number(&seed);
    for (int i = 0; i < K * N; i++)
        B[i] = whole_number(&seed);
    for (int e = 0; e < M * N; e++) {
        before[e] = whole_number(&seed);
        right[e] = 3 * before[e];
        for (int l = 0; l < K; l++)
            right[e] += 2 * A[e / N * K + l] * B[l * N + e % N];
    }
    memcpy(value, right, sizeof value);
    return (struct duel_pattern){M, N, K, 2, 3, A, B, before, right, value};
}

static double term(int e, int l)
{
    return 2 * A[e / N * K + l] * B[l * N + e % N];
}

static double product(int i, int j)
{
    return right[i * N + j] - 3 * before[i * N + j];
}

/* What a mistake makes of element e. */
typedef double mistake(int e);

static double right_value(int e)
{
    return right[e];
}

static double no_beta(int e)
{
    return right[e] - 3 * before[e];
}

static double beta_in_last_columns(int e)
{
    return e % N < 16 ? right[e] : right[e] - 2 * before[e];
}

static double no_alpha(int e)
{
    return (right[e] + 3 * before[e]) / 2;
}

static double no_sum_in_the_midst(int e)
{
    return e / N == 7 ? 3 * before[e] : right[e];
}

static double last_row_left_alone(int e)
{
    return e / N == M - 1 ? before[e] : right[e];
}

static double remainder_dropped(int e)
{
    return right[e] - term(e, 8) - term(e, 9) - term(e, 10) - term(e, 11);
}

static double starts_late(int e)
{
    return right[e] - term(e, 0);
}

static double every_fourth_dropped(int e)
{
    return right[e] - term(e, 3) - term(e, 7);
}

static double one_term_twice(int e)
{
    return right[e] + term(e, 5);
}

static double row_above(int e)
{
    return product(e / N > 0 ? e / N - 1 : 0, e % N) + 3 * before[e];
}

static double columns_in_pairs(int e)
{
    return product(e / N, e % N ^ 1) + 3 * before[e];
}

static double squares_turned(int e)
{
    const int i = e / N, j = e % N;
    return product(i / 4 * 4 + j % 4, j / 4 * 4 + i % 4) + 3 * before[e];
}

static double a_read_backwards(int e)
{
    double sum = 3 * before[e];
    for (int l = 0; l < K; l++)
        sum += 2 * A[e / N * K + K - 1 - l] * B[l * N + e % N];
    return sum;
}

static double b_of_next_step(int e)
{
    double sum = 3 * before[e];
    for (int l = 0; l < K; l++)
        sum += 2 * A[e / N * K + l] * B[((e % N < 8 ? l + 4 : l) % K) * N + e % N];
    return sum;
}

static double a_tile_turned(int e)
{
    double sum = 3 * before[e];
    const int i = e / N;
    for (int l = 0; l < K; l++)
        sum += 2 * A[(i / 4 * 4 + l % 4) * K + l / 4 * 4 + i % 4] * B[l * N + e % N];
    return sum;
}

static const struct {
    mistake *make;
    enum duel_cause cause;
} mistake_table[] = {
    {no_beta, CAUSE_BETA},
    {beta_in_last_columns, CAUSE_BETA},
    {no_alpha, CAUSE_ALPHA},
    {no_sum_in_the_midst, CAUSE_SUM_LOST},
    {last_row_left_alone, CAUSE_EDGE},
    {remainder_dropped, CAUSE_SUM_END},
    {starts_late, CAUSE_SUM_START},
    {every_fourth_dropped, CAUSE_SUM_TERMS},
    {one_term_twice, CAUSE_SUM_TWICE},
    {row_above, CAUSE_ROW},
    {columns_in_pairs, CAUSE_COLUMN},
    {squares_turned, CAUSE_PLACE},
    {a_tile_turned, CAUSE_READ_A},
    {a_read_backwards, CAUSE_PAIR},
    {b_of_next_step, CAUSE_READ_B},
};

static void mistakes_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistake_table / sizeof mistake_table[0]; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            const struct duel_pattern pattern = made(seed);
            struct duel_suspects suspects = {{0}};
            enum duel_cause cause[SUSPECTS_SHOWN] = {CAUSE_UNKNOWN};
            for (int e = 0; e < M * N; e++)
                value[e] = mistake_table[i].make(e);
            assert_true(pattern_find(&pattern, &suspects));
            assert_true(suspects_rank(&suspects, cause) > 0);
            assert_string_equal(cause_name(cause[0]), cause_name(mistake_table[i].cause));
            assert_true(suspects_sure(&suspects));
        }
}

static void right_answers_and_noise_have_no_cause(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct duel_pattern pattern = made(seed);
        struct duel_suspects suspects = {{0}};
        enum duel_cause cause[SUSPECTS_SHOWN];
        uint64_t noise = seed;
        for (int e = 0; e < M * N; e++)
            value[e] = right_value(e);
        assert_true(pattern_find(&pattern, &suspects));
        for (int i = 0; i < DUEL_CAUSES; i++)
            assert_true(suspects.weight[i] == 0);
        for (int e = 0; e < M * N; e += 2)
            value[e] += 1 + floor(random_unit(&noise) * 9);
        assert_true(pattern_find(&pattern, &suspects));
        assert_int_equal(suspects_rank(&suspects, cause), 0);
        assert_true(suspects.weight[CAUSE_UNKNOWN] > 0);
    }
}

static void one_witness_against_many_is_not_sure(void **state)
{
    (void)state;
    enum duel_cause cause[SUSPECTS_SHOWN];
    struct duel_suspects suspects = {{0}}, row = {{0}}, place = {{0}};
    row.weight[CAUSE_ROW] = 1;
    place.weight[CAUSE_PLACE] = 0.5;
    suspects.weight[CAUSE_UNKNOWN] = 3;
    suspects_add(&suspects, &place);
    suspects_add(&suspects, &row);
    assert_int_equal(suspects_rank(&suspects, cause), 2);
    assert_true(cause[0] == CAUSE_ROW && cause[1] == CAUSE_PLACE && !suspects_sure(&suspects));
    for (int i = 0; i < 20; i++)
        suspects_add(&suspects, &row);
    assert_int_equal(suspects_rank(&suspects, cause), 1);
    assert_true(cause[0] == CAUSE_ROW && suspects_sure(&suspects));
}

static void places_have_words(void **state)
{
    (void)state;
    unsigned char wrong[MOST * MOST] = {0};
    char text[160];
    pattern_where(wrong, 8, 8, text, sizeof text);
    assert_string_equal(text, "nowhere");
    memset(wrong + 56, 1, 8);
    pattern_where(wrong, 8, 8, text, sizeof text);
    assert_string_equal(text, "the last row");
    wrong[8] = wrong[24] = wrong[40] = 1;
    pattern_where(wrong, 8, 8, text, sizeof text);
    assert_string_equal(text, "rows 1, 3, .. 7");
    memset(wrong, 0, sizeof wrong);
    wrong[2 * 8 + 3] = wrong[3 * 8 + 4] = 1;
    pattern_where(wrong, 8, 8, text, sizeof text);
    assert_string_equal(text, "rows 2 to 3, columns 3 to 4");
    memset(wrong, 1, sizeof wrong);
    pattern_where(wrong, 8, 8, text, sizeof text);
    assert_string_equal(text, "in all rows and columns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(right_answers_and_noise_have_no_cause),
        cmocka_unit_test(one_witness_against_many_is_not_sure),
        cmocka_unit_test(places_have_words),
    };
    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
