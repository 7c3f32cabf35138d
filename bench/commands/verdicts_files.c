/* verdicts_files.c: the files of a comparison for other programs. Each is built in memory and replaces the old one as a
 * whole. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/marks.h"
#include "bench/commands/verdicts.h"
#include "bench/record/whole.h"

void verdicts_put(FILE *stream, const char *text, const struct verdicts_escape *table)
{
    for (; *text; text++) {
        const struct verdicts_escape *found = table;
        while (found->special && found->special != *text)
            found++;
        if (found->special)
            fputs(found->written, stream);
        else
            fputc((unsigned char)*text < ' ' ? '?' : *text, stream); /* XML has no word for control characters */
    }
}

void verdicts_words(FILE *stream, const struct judge_cell *cell, const struct verdicts_escape *table)
{
    const struct judge_finding *finding = &cell->finding;
    char change[24], interval[80], remark[300], line[600];
    verdicts_remark(cell, remark, sizeof remark);
    if (isfinite(finding->ratio))
        snprintf(line, sizeof line, "%s%s%s%s: %.4g s before, %.4g s now%s%s",
                 verdicts_change(finding->ratio, change, sizeof change), isfinite(finding->lo) ? " (" : "",
                 verdicts_interval(finding, interval, sizeof interval), isfinite(finding->lo) ? ")" : "",
                 finding->typical_s[0], finding->typical_s[1], *remark ? "; " : "", remark);
    else
        snprintf(line, sizeof line, "%s", remark);
    verdicts_put(stream, line, table);
}

static const struct target {
    const char *option;
    size_t path; /* in the options */
    void (*put)(const struct verdicts *verdicts, FILE *stream);
} targets[] = {
    {"--junit", offsetof(struct duel_options, junit), verdicts_junit},
    {"--markdown", offsetof(struct duel_options, markdown), verdicts_markdown},
    {"--prometheus", offsetof(struct duel_options, prometheus), verdicts_prometheus},
};
#define TARGETS (sizeof targets / sizeof *targets)

static const char *path_of(const struct duel_options *options, const struct target *target)
{
    return *(const char *const *)((const char *)options + target->path);
}

enum duel_status verdicts_targets(const struct duel_options *options, struct duel_why *why)
{
    enum duel_status status = marks_target(options->json, why);
    int on_stdout = options->json && strcmp(options->json, "-") == 0;
    for (size_t i = 0; i < TARGETS && status == DUEL_OK; i++) {
        const char *path = path_of(options, &targets[i]);
        on_stdout += path && strcmp(path, "-") == 0;
        status = whole_check(path, targets[i].option, why);
    }
    if (status == DUEL_OK && on_stdout > 1)
        status = duel_fail(why, DUEL_EINVAL, "they would be mixed", "give all but one of them a file",
                           "%d outputs are to go to stdout", on_stdout);
    return status;
}

FILE *verdicts_talk(const struct duel_options *options)
{
    bool data = options->json && strcmp(options->json, "-") == 0;
    for (size_t i = 0; i < TARGETS; i++) {
        const char *path = path_of(options, &targets[i]);
        data = data || (path && strcmp(path, "-") == 0);
    }
    return data ? stderr : stdout;
}

static enum duel_status write_one(const struct verdicts *verdicts, const struct target *target, struct duel_why *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    enum duel_status status = DUEL_ENOMEM;
    if (stream) {
        target->put(verdicts, stream);
        if (fclose(stream) == 0)
            status = whole_write(path_of(verdicts->options, target), target->option, text, size, why);
    }
    free(text);
    return status != DUEL_ENOMEM ? status
                                 : duel_fail(why, DUEL_ENOMEM, "the file was not written", "close other programs",
                                             "out of memory for %s", target->option);
}

enum duel_status verdicts_write(const struct verdicts *verdicts, struct duel_why *why)
{
    enum duel_status status = verdicts->options->json ? verdicts_json(verdicts, verdicts->options->json, why) : DUEL_OK;
    for (size_t i = 0; i < TARGETS && status == DUEL_OK; i++)
        if (path_of(verdicts->options, &targets[i]))
            status = write_one(verdicts, &targets[i], why);
    return status;
}
