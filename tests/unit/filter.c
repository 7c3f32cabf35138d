/* The language of --where and --sort, and the user's own prices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cards/filter.h"

static struct duel_cards cards;
static struct duel_why why;

static int open_table(void **state)
{
    (void)state;
    return cards_read(NULL, &cards, &why) == DUEL_OK ? 0 : -1;
}

static int close_table(void **state)
{
    (void)state;
    cards_free(&cards);
    return 0;
}

static const struct duel_card *card_of(const char *name)
{
    const struct duel_card *card = NULL;
    assert_int_equal(cards_find(&cards, name, &card, &why), DUEL_OK);
    return card;
}

/* RTX 4090: 24 GB, 450 W, 1008 GB/s, FP16 165.2, NVLink unknown. */
static void conditions_are_true_false_or_unknown(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum duel_truth truth;
    } cases[] = {
        {"memory_gb>=24", TRUTH_YES},
        {"memory_gb > 24", TRUTH_NO},
        {"memory_gb=24 and tdp_w<=200", TRUTH_NO},
        {"memory_gb=24 and tdp_w<=200 or year>2000", TRUTH_YES}, /* `and` binds more than `or` */
        {"memory_gb=24 and (tdp_w<=200 or year<2000)", TRUTH_NO},
        {"not memory_gb<24", TRUTH_YES},
        {"not not memory_gb<24", TRUTH_NO},
        {"NOT memory_gb<24 AND Memory_GB<25", TRUTH_YES},
        {"nvlink>0", TRUTH_UNKNOWN},
        {"not nvlink>0", TRUTH_UNKNOWN},
        {"nvlink>0 and memory_gb<24", TRUTH_NO}, /* no value of it would change that */
        {"nvlink>0 or memory_gb=24", TRUTH_YES},
        {"nvlink>0 and memory_gb=24", TRUTH_UNKNOWN},
        {"name = 'rtx 4090'", TRUTH_YES},
        {"name ~ 4090 and vendor != AMD", TRUTH_YES},
        {"architecture=Hopper", TRUTH_NO},
        {"fp16/tdp_w > 0.367 and fp16/tdp_w < 0.368", TRUTH_YES}, /* 165.2 / 450 */
        {"fp16 - 100 * 1.5 > 15 and 1 + 2 * 3 = 7", TRUTH_YES},
        {"8 - 4 - 2 = 2 and 8 / 4 / 2 = 1", TRUTH_YES}, /* from left to right */
        {"(1 + 2) * 3 = 9 and -3 < -2.5", TRUTH_YES},
        {"fp16/(memory_gb-24) > 1", TRUTH_UNKNOWN},
        {"price<1000", TRUTH_UNKNOWN},
    };
    struct duel_filter filter;
    const struct duel_card *card = card_of("RTX 4090");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (filter_condition(&filter, "--where", cases[i].text, &why) != DUEL_OK)
            fail_msg("%s: %s", cases[i].text, why.seen);
        const enum duel_truth truth = filter_truth(&filter, filter.root, card, NULL);
        if (truth != cases[i].truth)
            fail_msg("%s is %d", cases[i].text, (int)truth);
    }
    const struct duel_price price = {.card = card, .price = 900, .rent_per_hour = NAN};
    assert_int_equal(filter_condition(&filter, "--where", "price<1000", &why), DUEL_OK);
    assert_int_equal(filter_truth(&filter, filter.root, card, &price), TRUTH_YES);
    assert_true(filter.prices);
}

static void mistakes_say_what_to_write(void **state)
{
    (void)state;
    static const struct {
        const char *text, *seen, *next;
    } cases[] = {
        {"memory_gib>=24", "no such column", "memory_gb"},
        {"fp61>3", "no such column", "fp16"},
        {"memory_gb", "a comparison is missing", "memory_gb>=24"},
        {"", "missing at its end", ""},
        {"memory_gb>=", "missing at its end", ""},
        {"memory_gb>=24 and", "missing at its end", ""},
        {"memory_gb>=24 tdp_w<5", "nothing is expected", "and"},
        {"(memory_gb>=24", "not closed", ")"},
        {"memory_gb>=24)", "nothing is expected", ""},
        {"memory_gb>=24GB", "no number", "names of columns"},
        {"memory_gb>=2.4.1", "no number", ""},
        {"vendor>AMD", "texts are compared", ""},
        {"memory_gb~2", "numbers", ""},
        {"vendor='AMD", "not closed", "close"},
        {"memory_gb=vendor", "different kinds", ""},
        {"memory_gb and tdp_w", "join comparisons", ""},
        {"not memory_gb", "join comparisons", ""},
        {"vendor+1>2", "calculated", ""},
        {"1<memory_gb<40", "", ""},
        {"system('x')", "no such column", ""},
    };
    struct duel_filter filter;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        why = (struct duel_why){{0}, {0}, {0}};
        const enum duel_status status = filter_condition(&filter, "--where", cases[i].text, &why);
        if (status != DUEL_EINVAL || !strstr(why.seen, cases[i].seen) || !strstr(why.next, cases[i].next))
            fail_msg("%s gave %d, \"%s\", \"%s\"", cases[i].text, (int)status, why.seen, why.next);
    }
}

/* Whatever is typed: an answer, no crash, no endless recursion. */
static void length_and_depth_are_bounded(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    static const char *const pieces[] = {"(", "-", "not ", "1+", "tdp_w<1 and ", "x", "\"", "9"};
    char *text = malloc(LONG + 20);
    struct duel_filter filter;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const size_t length = strlen(pieces[i]);
        for (size_t at = 0; at + length < LONG; at += length)
            memcpy(text + at, pieces[i], length + 1);
        assert_int_equal(filter_condition(&filter, "--where", text, &why), DUEL_EINVAL);
        assert_int_equal(filter_order(&filter, "--sort", text, &why), DUEL_EINVAL);
    }
    free(text);
}

static void orders_have_directions(void **state)
{
    (void)state;
    struct duel_filter filter;
    assert_int_equal(filter_order(&filter, "--sort", "fp16/tdp_w", &why), DUEL_OK);
    assert_false(filter.ascending);
    assert_true(fabs(filter_number(&filter, filter.root, card_of("L4"), NULL) - 121.0 / 72) < 1e-12);
    assert_int_equal(filter_order(&filter, "--sort", "tdp_w asc", &why), DUEL_OK);
    assert_true(filter.ascending);
    assert_int_equal(filter_order(&filter, "--sort", "name", &why), DUEL_OK);
    assert_true(filter.ascending);
    assert_int_equal(filter_order(&filter, "--sort", "name desc", &why), DUEL_OK);
    assert_false(filter.ascending);
    assert_int_equal(filter_order(&filter, "--sort", "tdp_w<3", &why), DUEL_EINVAL);
    assert_int_equal(filter_order(&filter, "--sort", "tdp_w up", &why), DUEL_EINVAL);
}

/* ---- prices ----------------------------------------------------------------------------------------------------- */

#define HEAD "card,price,rent_per_hour,currency,date\n"

static enum duel_status read_prices(const char *text, size_t bytes, struct duel_prices *prices)
{
    char path[] = "/tmp/duel-prices-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, bytes) == (ssize_t)bytes && close(file) == 0);
    const enum duel_status status = prices_read(path, &cards, prices, &why);
    unlink(path);
    return status;
}

static void prices_are_read(void **state)
{
    (void)state;
    static const char text[] = HEAD "RTX 4090,1599.5,,EUR,2026-11-30\nH100 PCIe,,2.5,EUR,2026-11-01\nT4,,,,\n\n,,,,\n"
                                    "CPU only,800,0.1,EUR,2026-11-15\n";
    struct duel_prices prices;
    assert_int_equal(read_prices(text, strlen(text), &prices), DUEL_OK);
    assert_int_equal(prices.count, 3);
    assert_string_equal(prices.currency, "EUR");
    assert_string_equal(prices.oldest, "2026-11-01");
    assert_string_equal(prices.newest, "2026-11-30");
    const struct duel_price *price = prices_find(&prices, card_of("RTX 4090"));
    assert_true(price && price->price == 1599.5 && isnan(price->rent_per_hour));
    price = prices_find(&prices, card_of("H100 PCIe 80GB"));
    assert_true(price && isnan(price->price) && price->rent_per_hour == 2.5);
    assert_null(prices_find(&prices, card_of("T4")));
    assert_true(prices_find(&prices, NULL) && prices_find(&prices, NULL)->price == 800);
    prices_free(&prices);
}

static void wrong_prices_are_refused(void **state)
{
    (void)state;
    enum { LONG = 3 << 20 };
    char *line = malloc(LONG);
    assert_non_null(line);
    memset(line, '1', LONG);
    memcpy(line, HEAD "T4,", sizeof HEAD "T4," - 1);
    const struct {
        const char *text, *seen;
        size_t bytes;
    } cases[] = {
        {HEAD "T4,-5,,EUR,2026-11-30\n", "line 2: the price: -5", 0},
        {HEAD "T4,nan,,EUR,2026-11-30\n", "the price: nan", 0},
        {HEAD "T4,inf,,EUR,2026-11-30\n", "the price: inf", 0},
        {HEAD "T4,0,,EUR,2026-11-30\n", "the price: 0", 0},
        {HEAD "T4,1e5,,EUR,2026-11-30\n", "the price: 1e5", 0},
        {HEAD "T4,5,-1,EUR,2026-11-30\n", "the rent of an hour: -1", 0},
        {HEAD "T4,5,,,2026-11-30\n", "the currency", 0},
        {HEAD "T4,5,,euro,2026-11-30\n", "the currency: euro", 0},
        {HEAD "T4,5,,EUR,\n", "the date", 0},
        {HEAD "T4,5,,EUR,30-11-2026\n", "the date: 30-11-2026", 0},
        {HEAD "T4,5,,EUR,2026-13-01\n", "the date: 2026-13-01", 0},
        {HEAD "T4,5,,EUR,2026-11-30\nA10,5,,USD,2026-11-30\n", "line 3: a second currency: USD", 0},
        {HEAD "T4,5,,EUR,2026-11-30\nt4,6,,EUR,2026-11-30\n", "line 3: a second price", 0},
        {HEAD "CPU only,5,,EUR,2026-11-30\ncpu only,6,,EUR,2026-11-30\n", "a second price", 0},
        {HEAD "RTX 4900,5,,EUR,2026-11-30\n", "RTX 4900", 0},
        {HEAD "H100,5,,EUR,2026-11-30\n", "3 cards", 0},
        {HEAD ",5,,EUR,2026-11-30\n", "no card", 0},
        {HEAD "T4,5,,EUR\n", "wrong number of cells", 0},
        {HEAD "T4,,,,\n", "no price in it", 0},
        {HEAD, "no price in it", 0},
        {"card,price\nT4,5\n", "missing: rent_per_hour", 0},
        {"", "missing", 0},
        {line, "longer than 1 MiB", LONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct duel_prices prices;
        why = (struct duel_why){{0}, {0}, {0}};
        const enum duel_status status =
            read_prices(cases[i].text, cases[i].bytes ? cases[i].bytes : strlen(cases[i].text), &prices);
        if (status != DUEL_EINVAL || !strstr(why.seen, cases[i].seen) || prices.price || !*why.next)
            fail_msg("prices %zu gave %d and \"%s\"", i, (int)status, why.seen);
    }
    free(line);
    struct duel_prices prices;
    assert_int_equal(prices_read("/nowhere/prices.csv", &cards, &prices, &why), DUEL_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_true_false_or_unknown),
        cmocka_unit_test(mistakes_say_what_to_write),
        cmocka_unit_test(length_and_depth_are_bounded),
        cmocka_unit_test(orders_have_directions),
        cmocka_unit_test(prices_are_read),
        cmocka_unit_test(wrong_prices_are_refused),
    };
    return cmocka_run_group_tests_name("filter", tests, open_table, close_table);
}
