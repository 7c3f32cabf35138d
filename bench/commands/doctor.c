/* doctor.c: is this machine fit to measure on? */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/marks.h"
#include "bench/doctor/doctor.h"

#define WATCH_S 0.3 /* long enough to see another program that runs now and then */

static const struct {
    const char *word;
    enum duel_shade shade;
} shown[DOCTOR_MARKS] = {
    [DOCTOR_GOOD] = {"good", SHADE_GREEN},
    [DOCTOR_WARN] = {"warn", SHADE_BOLD},
    [DOCTOR_BAD] = {"BAD", SHADE_RED},
    [DOCTOR_UNKNOWN] = {"unknown", SHADE_DIM},
};

static void print_verdict(FILE *talk, const struct doctor_report *report)
{
    const size_t *tally = report->tally;
    struct duel_console console = console_of(talk);
    bool fit = tally[DOCTOR_BAD] == 0;
    fprintf(talk, "\n%s%s%s: %zu bad, %zu to know about, %zu not told, %zu good.\n",
            console_shade(&console, fit ? SHADE_GREEN : SHADE_RED), fit ? "Fit to measure on" : "Not fit to measure on",
            console_end(&console), tally[DOCTOR_BAD], tally[DOCTOR_WARN], tally[DOCTOR_UNKNOWN], tally[DOCTOR_GOOD]);
    if (!fit)
        console_wrap(talk, &console, 0, SHADE_PLAIN,
                     "Numbers taken now cannot be trusted. duel changes nothing by itself: do what stands behind "
                     "\"next\", then ask again.");
}

static void print(FILE *talk, const struct doctor_report *report, const struct duel_device_info *cpu)
{
    struct duel_mark *marks = calloc(2 * report->count + 1, sizeof *marks), *grave = marks + report->count;
    size_t advised = 0;
    for (size_t i = 0; marks && i < report->count; i++) {
        const struct doctor_finding *finding = &report->finding[i];
        marks[i] = (struct duel_mark){finding->check->gpu ? finding->where : finding->check->topic,
                                      finding->check->title,
                                      shown[finding->mark].word,
                                      shown[finding->mark].shade,
                                      &finding->why,
                                      true};
    }
    for (int mark = DOCTOR_BAD; marks && mark >= DOCTOR_WARN; mark--) /* the bad ones first */
        for (size_t i = 0; i < report->count; i++)
            if (report->finding[i].mark == (enum doctor_mark)mark)
                grave[advised++] = marks[i];
    fprintf(talk, "Is this machine fit to measure on?  %s, %d CPU%s\n\n", cpu->name, cpu->processors,
            cpu->processors == 1 ? "" : "s");
    if (marks)
        marks_table(talk, marks, report->count);
    if (advised)
        fprintf(talk, "\nWhat to do\n");
    if (marks)
        marks_advice(talk, grave, advised);
    free(marks);
    print_verdict(talk, report);
}

static enum duel_status write_json(const struct doctor_report *report, const char *path, struct duel_why *why)
{
    struct duel_record record;
    json_t *checks = json_array();
    record_init(&record, "doctor");
    record_flag(&record, "fit", report->tally[DOCTOR_BAD] == 0);
    for (int mark = 0; mark < DOCTOR_MARKS; mark++)
        record_count(&record, doctor_mark_name((enum doctor_mark)mark), (int64_t)report->tally[mark], NULL);
    for (size_t i = 0; checks && i < report->count; i++) {
        const struct doctor_finding *finding = &report->finding[i];
        json_t *item = marks_item(finding->check->name, doctor_mark_name(finding->mark), finding->value,
                                  finding->check->unit, &finding->why);
        if (!item || json_object_set_new(item, "where", json_string(finding->where)) != 0 ||
            json_array_append_new(checks, item) != 0)
            record.failed = true;
    }
    record_json(&record, "checks", checks);
    return marks_write(&record, path, why);
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct duel_registry registry;
    struct doctor_report report;
    struct duel_why why = {{0}, {0}, {0}};
    const char *root = getenv("DUEL_ROOT");
    (void)command_line;
    enum duel_status status = marks_target(options->json, &why);
    if (status != DUEL_OK)
        return message_refusal(status, &why);
    registry_load(&registry);
    struct doctor_scene scene = {.root = root ? root : "", .registry = &registry};
    doctor_observe(scene.root, WATCH_S, &scene.seen);
    status = doctor_examine(&scene, &report, &why);
    if (status == DUEL_OK && !options->quiet)
        print(options->json && strcmp(options->json, "-") == 0 ? stderr : stdout, &report, &registry.place[0].info);
    if (status == DUEL_OK && options->json)
        status = write_json(&report, options->json, &why);
    int code = status != DUEL_OK               ? message_error(status, &why)
               : report.tally[DOCTOR_BAD] == 0 ? EXIT_DONE
                                               : EXIT_UNMEASURED;
    doctor_free(&report);
    registry_close(&registry);
    return code;
}

static const char *const accepted[] = {"--json", "--quiet", NULL};
const struct duel_command doctor_command = {
    .name = "doctor",
    .summary = "Is this machine fit to measure on, and what to do about it",
    .usage = "doctor [--json FILE] [--quiet]",
    .example = "duel doctor",
    .detail =
        "Looks at load, limits, clocks, heat, memory, libraries and GPUs, and changes nothing. Exit status 0: fit\n"
        "(there may be warnings); 4: something is bad, and numbers taken now cannot be trusted. With DUEL_ROOT=DIR\n"
        "in the environment /proc and /sys are read below DIR: a copy of another machine's.",
    .options = accepted,
    .run = run,
};
