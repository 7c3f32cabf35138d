/* The command line as a whole: what is accepted, what is refused and how that is said, and the generated help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const accepted[] = {"--n",        "--shape",  "--device", "--precision", "--threads",
                                       "--alpha",    "--beta",   "--base",   "--input",     "--output",
                                       "--out",      "--json",   "--csv",    "--terminal",  "--min-samples",
                                       "--min-time", "--budget", "--seed",   "--quiet",     NULL};

/* Splits `line` at spaces, "_" standing for an empty argument, and parses it into fresh options. Their texts point into
 * a static copy of the line. */
static enum duel_status parse(const char *line, struct duel_options *options, struct duel_why *why)
{
    static char copy[40000];
    char *argv[DUEL_MAX_PATTERNS + 100];
    int argc = 0;
    snprintf(copy, sizeof copy, "duel run %s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
    options_defaults(options);
    return options_parse(argc, argv, 2, accepted, options, why);
}

static void accept(const char *line, struct duel_options *options)
{
    struct duel_why why;
    if (parse(line, options, &why) != DUEL_OK)
        fail_msg("%s: %s", line, why.seen);
}

static void refuse(const char *line, const char *seen, const char *next)
{
    struct duel_options options;
    struct duel_why why = {0};
    enum duel_status status = parse(line, &options, &why);
    if (status != DUEL_EINVAL || !strstr(why.seen, seen) || !strstr(why.next, next) || !why.matters[0])
        fail_msg("%s: status %d, \"%s\", \"%s\"", line, status, why.seen, why.next);
    assert_int_equal(parse(line, &options, NULL), DUEL_EINVAL); /* nobody has to listen */
}

static void defaults_are_those_of_the_header(void **state)
{
    (void)state;
    struct duel_options o;
    options_defaults(&o);
    assert_true(o.alpha == 1 && o.beta == 0 && o.target_ci == 0.01);
    assert_true(o.min_samples == 20 && o.min_time_s == 0.1 && o.timeout_s == 0 && o.budget_s == 0 && o.seed == 1);
    assert_string_equal(o.out, "reports/latest");
    assert_null(o.device);
    assert_null(o.base);
    assert_null(o.json);
    assert_null(o.csv);
    assert_null(o.input[0]);
    assert_null(o.output);
    assert_int_equal(o.pattern_count + o.shape_count + o.precision_count + o.threads_count, 0);
    assert_false(o.terminal || o.no_plots || o.identify || o.quiet || o.help);
}

static void a_full_command_line_is_understood(void **state)
{
    (void)state;
    struct duel_options o;
    accept("gemm --n 64,128 cpu/gemm/* --shape=3x4x5 --device cuda:1 --precision fp32,FP16 --threads 1,3 --alpha -0.5 "
           "--beta=2e-1 --base cpu/gemm/serial --input A.npy B.npy --output C.npy --out there --json - --csv=x=y.csv "
           "--terminal --min-samples 20 --min-time 500ms --budget 2min --seed 0x2A --quiet",
           &o);
    assert_int_equal(o.pattern_count, 2);
    assert_string_equal(o.pattern[0], "gemm");
    assert_string_equal(o.pattern[1], "cpu/gemm/*");
    assert_int_equal(o.shape_count, 3);
    assert_true(o.shape[1].m == 128 && o.shape[2].m == 3 && o.shape[2].n == 4 && o.shape[2].k == 5);
    assert_string_equal(o.device, "cuda:1");
    assert_true(o.precision_count == 2 && o.precision[0] == DUEL_FP32 && o.precision[1] == DUEL_FP16);
    assert_true(o.threads_count == 2 && o.threads[0] == 1 && o.threads[1] == 3);
    assert_true(o.alpha == -0.5 && o.beta == 0.2);
    assert_string_equal(o.base, "cpu/gemm/serial");
    assert_string_equal(o.input[0], "A.npy");
    assert_string_equal(o.input[1], "B.npy");
    assert_string_equal(o.output, "C.npy");
    assert_string_equal(o.out, "there");
    assert_string_equal(o.json, "-");
    assert_string_equal(o.csv, "x=y.csv");
    assert_true(o.min_samples == 20 && o.min_time_s == 0.5 && o.budget_s == 120 && o.seed == 42);
    assert_true(o.terminal && o.quiet && !o.no_plots);
}

static void lists_grow_and_single_values_are_replaced(void **state)
{
    (void)state;
    struct duel_options o;
    accept("--n 1 --n 2 --shape 3x3x3 --precision fp32 --precision fp64,fp32 --seed 5 --seed 6 --input=a b.npy", &o);
    assert_int_equal(o.shape_count, 3);
    assert_int_equal(o.precision_count, 2);
    assert_true(o.seed == 6);
    assert_string_equal(o.input[0], "a");
    assert_string_equal(o.input[1], "b.npy");
}

static void a_picture_stands_alone(void **state)
{
    (void)state;
    struct duel_options o;
    accept("--input photo.PNG --quiet", &o);
    assert_string_equal(o.input[0], "photo.PNG");
    assert_null(o.input[1]);
    assert_true(o.quiet);
    accept("--input=photo.png gemm", &o);
    assert_null(o.input[1]);
    assert_int_equal(o.pattern_count, 1);
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    struct duel_options o;
    accept("--quiet -- --n -x --help -", &o);
    assert_int_equal(o.pattern_count, 4);
    assert_string_equal(o.pattern[0], "--n");
    assert_string_equal(o.pattern[3], "-");
    assert_false(o.help);
    accept("gemm --", &o);
    assert_int_equal(o.pattern_count, 1);
}

static void help_comes_before_every_complaint(void **state)
{
    (void)state;
    static const char *const lines[] = {"-h", "--help", "--bogus --help", "--n abc -h", "--out --help", "gemm -h --n"};
    struct duel_options o;
    for (size_t i = 0; i < COUNT(lines); i++) {
        accept(lines[i], &o);
        assert_true(o.help);
    }
}

static void what_is_not_an_option_is_refused_with_its_neighbours(void **state)
{
    (void)state;
    refuse("--sede 4", "unknown option --sede", "did you mean --seed?");
    refuse("--precison fp32", "unknown option --precison", "--precision");
    refuse("--sample 4", "unknown option --sample", "--min-samples");
    refuse("-n 4", "unknown option -n", "--n?");
    refuse("-5", "unknown option -5", "--help");
    refuse("--frobnicate=7", "unknown option --frobnicate", "--help");
}

static void options_of_other_commands_are_known_by_name(void **state)
{
    (void)state;
    refuse("--identify", "this command has no option --identify", "leave it out");
    refuse("--timeout=3", "this command has no option --timeout", "leave it out");
}

static void missing_values_are_told(void **state)
{
    (void)state;
    struct duel_options o;
    for (const char *const *name = accepted; *name; name++) {
        char line[64];
        if (strcmp(*name, "--terminal") == 0 || strcmp(*name, "--quiet") == 0)
            continue;
        snprintf(line, sizeof line, "%s", *name);
        refuse(line, "has no value", *name);
        snprintf(line, sizeof line, "%s --quiet", *name);
        refuse(line, "has no value", *name);
        snprintf(line, sizeof line, "%s=", *name);
        refuse(line, "\"\"", "");
        snprintf(line, sizeof line, "%s _", *name);
        refuse(line, "\"\"", "");
    }
    refuse("_", "an empty argument", "gemm");
    refuse("--input", "--input has no value", "A.npy B.npy");
    refuse("--input --output C.npy", "--input has no value", "A.npy B.npy");
    accept("--input A.npy gemm --output C.npy", &o); /* whether one is enough is the workload's business */
    assert_string_equal(o.input[0], "A.npy");
    assert_null(o.input[1]);
    assert_int_equal(o.pattern_count, 1);
    refuse("--quiet=yes", "--quiet takes no value", "without");
}

static void too_much_is_refused(void **state)
{
    (void)state;
    static char line[30000] = "";
    struct duel_options o;
    for (int i = 0; i < DUEL_MAX_PATTERNS; i++)
        strcat(line, "gemm ");
    accept(line, &o);
    strcat(line, "gemm");
    refuse(line, "more than 4096 arguments", "glob");
    memset(line, 'a', sizeof line - 1);
    memcpy(line, "--", 2);
    line[sizeof line - 1] = '\0';
    refuse(line, "unknown option --aaaa", "--help");
    memcpy(line, "--n=", 4);
    refuse(line, "is not a whole number", "--n 512");
    memcpy(line, "--seed=", 7);
    refuse(line, "is not a whole number", "--seed");
    memcpy(line, "--precision=", 12);
    refuse(line, "is not a precision", "fp32");
}

/* The help of every option there is, as text. */
static char *help_text(const char *const *names)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    options_help(names, stream);
    fclose(stream);
    return text;
}

static void help_is_made_from_the_table(void **state)
{
    (void)state;
    const char *all[128] = {NULL};
    int count = 0;
    for (const struct duel_option *option = duel_option_table; option->name; option++)
        all[count++] = option->name;
    char *text = help_text(all);
    int lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        assert_true(strlen(line) <= 96);
        assert_memory_equal(line, "  ", 2);
        if (line[2] == ' ') /* the help of a long option goes on below it */
            continue;
        if (lines++ < count - 1) /* in the given order; --help is the last */
            assert_memory_equal(line + 2, all[lines - 1], strlen(all[lines - 1]));
        else
            assert_memory_equal(line, "  -h, --help", 12);
    }
    assert_int_equal(lines, count);
    free(text);
}

static void help_is_aligned_and_shows_defaults(void **state)
{
    (void)state;
    static const char *const few[] = {"--n", "--seed", "--quiet", NULL};
    char *text = help_text(few);
    assert_string_equal(text, "  --n 512:4096:x2  square sizes: numbers and ranges lo:hi:step or lo:hi:xF, by commas\n"
                              "  --seed 1         seed of the random operands, decimal or 0x... (default 1)\n"
                              "  --quiet          no tables and no progress; errors are still told\n"
                              "  -h, --help       this list\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_header),
        cmocka_unit_test(a_full_command_line_is_understood),
        cmocka_unit_test(lists_grow_and_single_values_are_replaced),
        cmocka_unit_test(a_picture_stands_alone),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(help_comes_before_every_complaint),
        cmocka_unit_test(what_is_not_an_option_is_refused_with_its_neighbours),
        cmocka_unit_test(options_of_other_commands_are_known_by_name),
        cmocka_unit_test(missing_values_are_told),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(help_is_made_from_the_table),
        cmocka_unit_test(help_is_aligned_and_shows_defaults),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
