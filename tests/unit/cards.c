/* The table of cards: how it is read, whether its numbers agree with each other, and what is made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cards/cards.h"

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

static bool within(double value, double wanted, double share)
{
    return fabs(value - wanted) <= share * wanted;
}

/* Published FP32 is 2 FLOP per core and clock. A dual-issue core does it twice, though a vector unit counts once. */
static double fp32_of(const struct duel_card *card)
{
    const bool dual = strcmp(card->name, "Instinct MI300X") == 0 || strcmp(card->name, "Radeon RX 7900 XTX") == 0;
    return (dual ? 4 : 2) * card->cores * card->boost_mhz * 1e-6;
}

static void fp32_is_cores_times_clock(void **state)
{
    (void)state;
    int exceptions = 0;
    assert_true(cards.count >= 30);
    for (size_t i = 0; i < cards.count; i++) {
        const struct duel_card *card = &cards.card[i];
        if (within(fp32_of(card), card->fp32_tflops, 0.01))
            continue;
        /* The headline of the B200 assumes a higher clock than the device reports: its notes say so. */
        exceptions++;
        if (strcmp(card->name, "B200 SXM") != 0 || !strstr(card->notes, "74.5"))
            fail_msg("%s: %g TFLOP/s, but 2 x cores x clock are %g", card->name, card->fp32_tflops, fp32_of(card));
    }
    assert_int_equal(exceptions, 1);
}

/* Tensor Cores do a power of two of FLOP per multiprocessor and clock. 20 %: some run below the boost clock. */
static void tensor_rates_are_powers_of_two(void **state)
{
    (void)state;
    int seen = 0;
    for (size_t i = 0; i < cards.count; i++) {
        const struct duel_card *card = &cards.card[i];
        if (isnan(card->fp16_tflops) || card->capability == 0)
            continue;
        const double rate = card->fp16_tflops * 1e6 / (card->processors * card->boost_mhz);
        const double power = exp2(round(log2(rate)));
        if (!within(rate, power, 0.2))
            fail_msg("%s: %g FP16 FLOP per multiprocessor and clock", card->name, rate);
        seen++;
    }
    assert_true(seen >= 20);
}

static void tf32_is_half_of_fp16(void **state)
{
    (void)state;
    int seen = 0;
    for (size_t i = 0; i < cards.count; i++) {
        const struct duel_card *card = &cards.card[i];
        if (isnan(card->tf32_tflops) || isnan(card->fp16_tflops))
            continue;
        if (!within(card->tf32_tflops, card->fp16_tflops / 2, 0.02))
            fail_msg("%s: TF32 %g, FP16 %g", card->name, card->tf32_tflops, card->fp16_tflops);
        seen++;
    }
    assert_true(seen >= 15);
}

static void limits_are_those_of_the_capability(void **state)
{
    (void)state;
    for (size_t i = 0; i < cards.count; i++) {
        const struct duel_card *card = &cards.card[i];
        const struct duel_processor_limits *limits = occupancy_limits(card->capability);
        if (strcmp(card->vendor, "NVIDIA") != 0) {
            assert_int_equal(card->capability, 0);
            continue;
        }
        if (!limits)
            fail_msg("%s: no limits of compute capability %s", card->name, card->capability_text);
        assert_int_equal((int)card->shared_kib, limits->shared_kib);
        /* 64 cores a multiprocessor, or 128. */
        const int per_processor = (int)(card->cores / card->processors);
        if (per_processor != (card->capability <= 80 ? 64 : 128))
            fail_msg("%s: %d cores per multiprocessor", card->name, per_processor);
        assert_true(card->evidence[0] == 'A' || card->evidence[0] == 'B');
        assert_true(*card->source);
    }
}

static void cards_are_found(void **state)
{
    (void)state;
    const struct duel_card *card = NULL;
    assert_int_equal(cards_find(&cards, "rtx 4090", &card, &why), DUEL_OK);
    assert_string_equal(card->name, "RTX 4090");
    assert_true(card->fp32_tflops == 82.6 && card->capability == 89 && isnan(card->nvlink_gb_s));
    assert_int_equal(cards_find(&cards, "5090", &card, &why), DUEL_OK);
    assert_string_equal(card->name, "RTX 5090");
    assert_int_equal(cards_find(&cards, "h200", &card, &why), DUEL_OK); /* and no GH200 */
    assert_string_equal(card->name, "H200 SXM 141GB");
    assert_int_equal(cards_find(&cards, "H100", &card, &why), DUEL_EINVAL); /* three of them */
    assert_non_null(strstr(why.seen, "3 cards"));
    assert_int_equal(cards_find(&cards, "L4", &card, &why), DUEL_OK); /* a name of its own, and a part of others */
    assert_int_equal(cards_find(&cards, "RTX 4900", &card, &why), DUEL_EINVAL);
    assert_non_null(strstr(why.next, "RTX 4090"));
    assert_int_equal(cards_find(&cards, "", &card, &why), DUEL_EINVAL);
    assert_null(card);
}

/* ---- tables with mistakes ------------------------------------------------------------------------------------- */

static enum duel_status read_text(const char *text, size_t bytes)
{
    char path[] = "/tmp/duel-cards-XXXXXX";
    struct duel_cards read;
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, bytes) == (ssize_t)bytes && close(file) == 0);
    enum duel_status status = cards_read(path, &read, &why);
    assert_true(status == DUEL_OK ? read.count > 0 : !read.card && *why.seen && *why.next);
    cards_free(&read);
    unlink(path);
    return status;
}

#define NAMES                                                                                                      \
    "name,vendor,architecture,compute_capability,year,sm_count,cuda_cores,boost_mhz,memory_gb,memory_type,"        \
    "memory_bandwidth_gb_s,l2_mb,fp64_tflops,fp32_tflops,tf32_tensor_tflops_dense,fp16_tensor_tflops_dense,"       \
    "fp16_acc16_tensor_tflops_dense,fp8_tensor_tflops_dense,tdp_w,pcie_gen,pcie_lanes,host_link_gb_s,nvlink_gb_s," \
    "max_smem_per_sm_kb,evidence,source,notes"
#define SINCE(year) "NVIDIA,Ada,8.9," year ",128,16384,2520,24,GDDR6X,1008,72,1.29,82.6,,,,,450,4,16,31.5,,100,A"
#define REST SINCE("2022")

static void mistakes_are_named(void **state)
{
    (void)state;
    char *many = malloc(2000000);
    assert_non_null(many);
    memset(many, 'x', 2000000);
    const struct {
        const char *text, *word;
        size_t bytes;
        enum duel_status status;
    } tables[] = {
        {NAMES "\nX," REST ",s,n\n", "", 0, DUEL_OK},
        {NAMES "\r\nX," REST ",\"s, \"\"t\"\"\",n\r\n", "", 0, DUEL_OK},
        {NAMES "\nX," REST ",s,n", "", 0, DUEL_OK}, /* no line end */
        {NAMES "\nX," REST ",s\n", "line 2: wrong number of cells", 0, DUEL_EINVAL},
        {NAMES "\nX," REST ",s,n,more\n", "wrong number of cells", 0, DUEL_EINVAL},
        {NAMES "\nX," REST ",\"s,n\n", "broken", 0, DUEL_EINVAL},
        {NAMES "\nX," REST ",s,n\nx," REST ",s,n\n", "line 3: a second card", 0, DUEL_EINVAL},
        {NAMES "\n," REST ",s,n\n", "no name", 0, DUEL_EINVAL},
        {NAMES "\nX," SINCE("-2") ",s,n\n", "year: -2", 0, DUEL_EINVAL},
        {NAMES "\nX," SINCE("nan") ",s,n\n", "year: nan", 0, DUEL_EINVAL},
        {NAMES "\nX," SINCE("0") ",s,n\n", "year: 0", 0, DUEL_EINVAL},
        {NAMES "\nX," SINCE("1.2.3") ",s,n\n", "year: 1.2.3", 0, DUEL_EINVAL},
        {NAMES ",name\n", "two columns", 0, DUEL_EINVAL},
        {"name,vendor\nX,NVIDIA\n", "missing: architecture", 0, DUEL_EINVAL},
        {"", "missing", 0, DUEL_EINVAL},
        {"name\0,vendor", "no such table", 12, DUEL_EINVAL},
        {many, "no such table", 2000000, DUEL_EINVAL},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        why = (struct duel_why){{0}, {0}, {0}};
        const enum duel_status status =
            read_text(tables[i].text, tables[i].bytes ? tables[i].bytes : strlen(tables[i].text));
        if (status != tables[i].status || !strstr(why.seen, tables[i].word))
            fail_msg("table %zu gave status %d and \"%s\"", i, (int)status, why.seen);
    }
    free(many);
    struct duel_cards none;
    assert_int_equal(cards_read("/nowhere/cards.csv", &none, &why), DUEL_EIO);
    assert_null(none.card);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fp32_is_cores_times_clock), cmocka_unit_test(tensor_rates_are_powers_of_two),
        cmocka_unit_test(tf32_is_half_of_fp16),      cmocka_unit_test(limits_are_those_of_the_capability),
        cmocka_unit_test(cards_are_found),           cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests_name("cards", tests, open_table, close_table);
}
