/* layout.c: names that moved apart, tick marks, and colours that every eye can tell apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/report/layout.h"
#include "bench/report/style.h"

static void check_spread(const double *wish, size_t count, double gap)
{
    double place[64];
    memcpy(place, wish, count * sizeof *wish);
    layout_spread(place, count, gap, 0, 1);
    for (size_t i = 0; i < count; i++) {
        assert_true(place[i] >= -1e-12 && place[i] <= 1 + 1e-12);
        for (size_t j = 0; j < count; j++) {
            if (wish[i] < wish[j])
                assert_true(place[i] < place[j]);
            if (i != j)
                assert_true(fabs(place[i] - place[j]) >= gap - 1e-12);
        }
    }
}

static void names_move_apart(void **state)
{
    (void)state;
    static const double together[] = {0.5, 0.5, 0.5, 0.5}, high[] = {1, 0.99, 1.2, 0.98, 0.1}, low[] = {-1, 0, 0.01};
    static const double far[] = {0.1, 0.9, 0.5};
    check_spread(together, 4, 0.1);
    check_spread(high, 5, 0.2);
    check_spread(low, 3, 0.3);
    double place[] = {0.1, 0.9, 0.5};
    layout_spread(place, 3, 0.1, 0, 1);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(place[i] - far[i]) < 1e-12); /* nothing moves without need */
    double pair[] = {0.50, 0.52};
    layout_spread(pair, 2, 0.1, 0, 1);
    assert_true(fabs(pair[0] - 0.46) < 1e-12 && fabs(pair[1] - 0.56) < 1e-12); /* as little as possible, evenly */
}

static void crowds_share_the_room(void **state)
{
    (void)state;
    double place[21], one = 3;
    for (int i = 0; i < 21; i++)
        place[i] = 0.3;
    layout_spread(place, 21, 0.2, 0, 1);
    for (int i = 0; i < 21; i++)
        assert_true(fabs(place[i] - i * 0.05) < 1e-9);
    layout_spread(&one, 1, 0.2, 0, 1);
    assert_true(fabs(one - 1) < 1e-12);
    layout_spread(&one, 0, 0.2, 0, 1);
}

static char *ticks_of(bool decades, const double *size, size_t count, double low, double high)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (decades)
        layout_decades(stream, low, high);
    else
        layout_sizes(stream, size, count, low, high);
    fclose(stream);
    return text;
}

static void check_ticks(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    free(text);
}

static void ticks_read_well(void **state)
{
    (void)state;
    static const double few[] = {64, 128, 256}, many[] = {1000, 1010, 1020, 2000}, tall[] = {101.6};
    check_ticks(ticks_of(true, NULL, 0, 0.9, 1500), "'1' 1, '10' 10, '100' 100, '1000' 1000");
    check_ticks(ticks_of(true, NULL, 0, 0.4, 11), "'0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10");
    check_ticks(ticks_of(true, NULL, 0, 0.4, INFINITY), ""); /* and ends */
    check_ticks(ticks_of(true, NULL, 0, 0, 10), "");
    check_ticks(ticks_of(false, few, 3, 60, 300), "'256' 256, '128' 128, '64' 64");
    check_ticks(ticks_of(false, many, 4, 900, 2200), "'2000' 2000, '1020' 1020");
    check_ticks(ticks_of(false, tall, 1, 50, 200), "'102' 101.6");
}

/* ---- colours
 * ---------------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"cpu/gemm/serial",      "cpu/gemm/interchanged", "cpu/gemm/blocked",
                                    "cpu/gemm/openmp",      "cpu/gemm/openblas",     "gpu/gemm/naive",
                                    "gpu/gemm/coalesced",   "gpu/gemm/tiled",        "gpu/gemm/cublas",
                                    "gpu/gemm/cublas_fp16", "gpu/gemm/tensor_fp16"};
#define NAMES (sizeof names / sizeof *names)

/* Machado, Oliveira & Fernandes, IEEE TVCG 15(6), 2009, table 1, severity 1.0; the first is normal vision. */
static const double vision[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

static double linear(unsigned byte)
{
    double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Ottosson's OKLab (2020) of a colour as this kind of eye sees it. */
static void oklab(unsigned colour, const double eye[3][3], double lab[3])
{
    const double in[3] = {linear(colour >> 16 & 255), linear(colour >> 8 & 255), linear(colour & 255)};
    double seen[3], cone[3];
    static const double to_cone[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                         {0.2119034982, 0.6806995451, 0.1073969566},
                                         {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    for (int i = 0; i < 3; i++)
        seen[i] = fmin(1, fmax(0, eye[i][0] * in[0] + eye[i][1] * in[1] + eye[i][2] * in[2]));
    for (int i = 0; i < 3; i++)
        cone[i] = cbrt(to_cone[i][0] * seen[0] + to_cone[i][1] * seen[1] + to_cone[i][2] * seen[2]);
    for (int i = 0; i < 3; i++)
        lab[i] = to_lab[i][0] * cone[0] + to_lab[i][1] * cone[1] + to_lab[i][2] * cone[2];
}

static double distance(unsigned a, unsigned b, const double eye[3][3])
{
    double p[3], q[3];
    oklab(a, eye, p);
    oklab(b, eye, q);
    return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
}

/* The smallest distance of any two for any eye. */
static double closest(const unsigned *colour, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            for (int eye = 0; eye < 4; eye++)
                least = fmin(least, distance(colour[i], colour[j], vision[eye]));
    return least;
}

/* The eleven are at least as easy to tell apart as the eight of Okabe & Ito that everybody recommends. */
static void colours_stay_apart(void **state)
{
    (void)state;
    static const unsigned okabe_ito[] = {0x000000, 0xE69F00, 0x56B4E9, 0x009E73,
                                         0xF0E442, 0x0072B2, 0xD55E00, 0xCC79A7};
    unsigned own[NAMES];
    for (size_t i = 0; i < NAMES; i++)
        own[i] = style_of(names[i]).colour;
    double ours = closest(own, NAMES), theirs = closest(okabe_ito, 8);
    if (!(ours >= theirs))
        fail_msg("two colours are %.4f apart; in the palette of Okabe & Ito it is %.4f", ours, theirs);
}

static double luminance(unsigned colour)
{
    return 0.2126 * linear(colour >> 16 & 255) + 0.7152 * linear(colour >> 8 & 255) + 0.0722 * linear(colour & 255);
}

/* WCAG 2.1, 1.4.3: 3 is enough for large text on white, and all of ours is large. */
static void letters_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++)
        assert_true(1.05 / (luminance(style_of(names[i]).text) + 0.05) >= 3);
    assert_true(1.05 / (luminance(style_of("gpu/gemm/anything").text) + 0.05) >= 3);
}

static void same_name_same_style(void **state)
{
    (void)state;
    struct duel_style a = style_of("cpu/gemm/serial"), b = style_of("cpu/gemv/serial"), c = style_of("gpu/gemm/mine");
    assert_true(a.colour == b.colour && a.marker == b.marker);
    assert_true(c.colour == style_of("gpu/gemm/mine").colour && c.marker == style_of("gpu/gemm/mine").marker);
    for (size_t i = 0; i < NAMES; i++)
        assert_true(style_of(names[i]).colour != c.colour);
}

/* Four names without a colour of their own, whatever their hashes say, and a fifth that must share one. */
static void names_side_by_side_get_colours_of_their_own(void **state)
{
    (void)state;
    static const char *const unknown[] = {"cpu/softmax/three_pass", "cpu/softmax/online", "cpu/softmax/vectorised",
                                          "cpu/softmax/mine", "cpu/softmax/another"};
    unsigned colour[5];
    for (size_t i = 0; i < 5; i++) {
        colour[i] = style_beside(unknown[i], colour, i).colour;
        for (size_t j = 0; j < i && i < 4; j++)
            assert_true(colour[j] != colour[i]);
    }
    assert_true(colour[4] == style_of(unknown[4]).colour);
    const unsigned taken = style_of("cpu/gemm/serial").colour;
    assert_true(style_beside("cpu/gemm/serial", &taken, 1).colour == taken); /* known names keep theirs */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_move_apart),
        cmocka_unit_test(crowds_share_the_room),
        cmocka_unit_test(ticks_read_well),
        cmocka_unit_test(colours_stay_apart),
        cmocka_unit_test(letters_can_be_read),
        cmocka_unit_test(same_name_same_style),
        cmocka_unit_test(names_side_by_side_get_colours_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
