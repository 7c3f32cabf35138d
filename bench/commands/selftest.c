/* selftest.c: is the harness telling the truth here? */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/marks.h"
#include "bench/harness/interrupt.h"
#include "bench/selftest/selftest.h"

#define MOST 160     /* findings */
#define LARGEST 2048 /* of --n: the twins are a simple loop, and would take minutes for more */

static const struct {
    const char *word;
    enum duel_shade shade;
} shown[] = {
    [SELFTEST_TRUE] = {"true", SHADE_GREEN},
    [SELFTEST_FALSE] = {"FALSE", SHADE_RED},
    [SELFTEST_NOISY] = {"noisy", SHADE_BOLD},
    [SELFTEST_ABSENT] = {"not here", SHADE_DIM},
};

struct selftest_run {
    struct duel_registry registry;
    struct selftest_scene scene;
    struct duel_progress progress;
    struct selftest_finding finding[MOST];
    size_t count;
    size_t tally[sizeof shown / sizeof *shown];
    double cost_s; /* of the test that runs now */
};

/* ---- which tests, where ----------------------------------------------------------------------------------- */

static bool wanted(const struct duel_options *options, const struct selftest *test)
{
    for (int i = 0; i < options->pattern_count; i++)
        if (selftest_matches(options->pattern[i], test->name))
            return true;
    return options->pattern_count == 0 && (!test->full || options->full);
}

static enum duel_status check_size(const struct duel_options *options, struct duel_why *why)
{
    int64_t n = options->shape_count > 0 ? options->shape[0].n : 1;
    if (options->shape_count <= 1 && n <= LARGEST)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "code is compared with itself at one size, by a simple loop",
                     "give one size of at most 2048, or leave --n out", "--n with %d sizes, the first of them %lld",
                     options->shape_count, (long long)n);
}

static enum duel_status check_names(const struct duel_options *options, struct duel_why *why)
{
    const char *names[64];
    char near[200], next[240];
    int count = 0;
    for (const struct selftest *test = selftest_table; test->name && count < 63; test++)
        names[count++] = test->name;
    names[count] = NULL;
    for (int i = 0; i < options->pattern_count; i++) {
        bool found = false;
        for (int n = 0; n < count; n++)
            found = found || selftest_matches(options->pattern[i], names[n]);
        if (found)
            continue;
        nearest_names(options->pattern[i], names, 2, near, sizeof near);
        snprintf(next, sizeof next, near[0] ? "did you mean %s?" : "%s`duel selftest --json -` names them all", near);
        return duel_fail(why, DUEL_EINVAL, "nothing was tested", next, "there is no test %s", options->pattern[i]);
    }
    return DUEL_OK;
}

static bool takes(const struct selftest *test, const struct duel_place *place)
{
    bool cpu = strcmp(place->id, "cpu") == 0;
    return place->info.usable && place->backend && !place->backend->emulated &&
           (test->place == SELFTEST_ALL || (test->place == SELFTEST_CPU) == cpu);
}

static void tell_progress(void *context, const char *what, double done)
{
    struct selftest_run *run = context;
    struct duel_progress now = run->progress;
    now.done_cost += done * run->cost_s;
    progress_show(&now, "selftest", what);
}

static void run_one(struct selftest_run *run, const struct selftest *test, struct duel_place *place)
{
    if (run->count == MOST || interrupt_pending())
        return;
    struct selftest_finding *finding = &run->finding[run->count++];
    run->cost_s = test->cost_s;
    selftest_run(&run->scene, test, place, finding);
    run->tally[finding->verdict]++;
}

static void run_tests(struct selftest_run *run, const struct duel_options *options)
{
    int tests = 0;
    double cost = 0;
    for (const struct selftest *test = selftest_table; test->name; test++) {
        tests += wanted(options, test);
        cost += wanted(options, test) ? test->cost_s : 0;
    }
    progress_start(&run->progress, tests, cost, options->quiet);
    for (const struct selftest *test = selftest_table; test->name; test++) {
        size_t before = run->count;
        if (!wanted(options, test))
            continue;
        for (int p = 0; p < run->registry.count; p++)
            if (takes(test, &run->registry.place[p]))
                run_one(run, test, &run->registry.place[p]);
        if (run->count == before)
            run_one(run, test, NULL);
        progress_group_done(&run->progress, test->cost_s);
    }
    progress_clear(&run->progress);
}

/* ---- what is said about them ------------------------------------------------------------------------------ */

static void print(FILE *talk, const struct selftest_run *run)
{
    struct duel_console console = console_of(talk);
    const struct duel_device_info *cpu = &run->registry.place[0].info;
    struct duel_mark marks[MOST];
    const bool doubt = run->tally[SELFTEST_FALSE] > 0 || run->tally[SELFTEST_NOISY] > 0;
    const bool whole = !doubt && !interrupt_pending();
    char titles[MOST][80];
    for (size_t i = 0; i < run->count; i++) {
        const struct selftest_finding *finding = &run->finding[i];
        bool host = strcmp(finding->where, "cpu") == 0 || finding->verdict == SELFTEST_ABSENT;
        snprintf(titles[i], sizeof titles[i], "%s%s%s", finding->test->title, host ? "" : ", ",
                 host ? "" : finding->where);
        marks[i] = (struct duel_mark){finding->test->topic,
                                      titles[i],
                                      shown[finding->verdict].word,
                                      shown[finding->verdict].shade,
                                      &finding->why,
                                      finding->verdict == SELFTEST_FALSE || finding->verdict == SELFTEST_NOISY};
    }
    fprintf(talk, "Is the harness telling the truth here?  %s, %d CPU%s\n\n", cpu->name, cpu->processors,
            cpu->processors == 1 ? "" : "s");
    marks_table(talk, marks, run->count);
    if (doubt)
        fprintf(talk, "\nWhat to do\n");
    marks_advice(talk, marks, run->count);
    fprintf(talk, "\n%s%s%s: %zu true, %zu false, %zu too noisy to tell, %zu not here.\n",
            console_shade(&console, whole ? SHADE_GREEN : SHADE_RED),
            whole                        ? "It is"
            : run->tally[SELFTEST_FALSE] ? "It is not"
            : interrupt_pending()        ? "Interrupted, so it cannot be told"
                                         : "It cannot be told",
            console_end(&console), run->tally[SELFTEST_TRUE], run->tally[SELFTEST_FALSE], run->tally[SELFTEST_NOISY],
            run->tally[SELFTEST_ABSENT]);
}

static enum duel_status write_json(const struct selftest_run *run, const char *path, struct duel_why *why)
{
    struct duel_record record;
    json_t *tests = json_array();
    record_init(&record, "selftest");
    record_flag(&record, "truthful",
                run->tally[SELFTEST_FALSE] == 0 && run->tally[SELFTEST_NOISY] == 0 && !interrupt_pending());
    for (size_t verdict = 0; verdict < sizeof shown / sizeof *shown; verdict++)
        record_count(&record, selftest_verdict_name((enum selftest_verdict)verdict), (int64_t)run->tally[verdict],
                     NULL);
    for (size_t i = 0; tests && i < run->count; i++) {
        const struct selftest_finding *finding = &run->finding[i];
        json_t *item = marks_item(finding->test->name, selftest_verdict_name(finding->verdict), finding->value,
                                  finding->test->unit, &finding->why);
        if (!item || json_object_set_new(item, "where", json_string(finding->where)) != 0 ||
            json_array_append_new(tests, item) != 0)
            record.failed = true;
    }
    record_json(&record, "tests", tests);
    return marks_write(&record, path, why);
}

/* A verifier that lets faults pass is worse than any other trouble. */
static int exit_code(const struct selftest_run *run)
{
    int code = run->tally[SELFTEST_FALSE] || run->tally[SELFTEST_NOISY] ? EXIT_UNMEASURED : EXIT_DONE;
    for (size_t i = 0; i < run->count; i++)
        if (run->finding[i].verdict == SELFTEST_FALSE && run->finding[i].test->verifier)
            code = EXIT_WRONG;
    return interrupt_pending() ? EXIT_SIGNAL + interrupt_pending() : code;
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct selftest_run *run = calloc(1, sizeof *run);
    struct duel_why why = {{0}, {0}, {0}};
    (void)command_line;
    if (!run)
        return message_error(duel_fail(&why, DUEL_ENOMEM, "nothing was tested", "close other programs", "no memory"),
                             &why);
    enum duel_status status = check_names(options, &why);
    if (status == DUEL_OK)
        status = check_size(options, &why);
    if (status == DUEL_OK)
        status = marks_target(options->json, &why);
    const bool begun = status == DUEL_OK;
    if (begun) {
        interrupt_install();
        registry_load(&run->registry);
        run->scene = (struct selftest_scene){.registry = &run->registry,
                                             .program = "/proc/self/exe",
                                             .seed = options->seed,
                                             .n = options->shape_count > 0 ? options->shape[0].n : 0,
                                             .doing = tell_progress,
                                             .context = run};
        run_tests(run, options);
        if (!options->quiet)
            print(options->json && strcmp(options->json, "-") == 0 ? stderr : stdout, run);
        if (options->json)
            status = write_json(run, options->json, &why);
        selftest_free(&run->scene);
        registry_close(&run->registry);
    }
    int code = status == DUEL_OK ? exit_code(run) : begun ? message_error(status, &why) : message_refusal(status, &why);
    free(run);
    return code;
}

static const char *const accepted[] = {"--full", "--n", "--seed", "--json", "--quiet", NULL};
const struct duel_command selftest_command = {
    .name = "selftest",
    .summary = "Is the harness telling the truth here: clocks, caches, verifier, comparisons, overhead",
    .usage = "selftest [TEST...] [OPTIONS]",
    .example = "duel selftest\n"
               "          duel selftest --full               with error rates, which take some minutes\n"
               "          duel selftest same_code 'over*'    some tests only",
    .detail =
        "Each test measures a promise of duel on this machine. --n is the size of the comparisons.\n"
        "Exit status 0: all true; 3: a wrong answer passed, or a right one did not; 4: another promise is broken,\n"
        "or the machine is too noisy to tell.",
    .options = accepted,
    .patterns = true,
    .computes = true,
    .run = run,
};
