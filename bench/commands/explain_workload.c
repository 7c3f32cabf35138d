/* explain_workload.c: the lesson of a workload: what it teaches, its two ladders, and what the last run of it says. */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/traced.h"
#include "bench/harness/plan.h"
#include "bench/record/restore.h"
#include "bench/report/report.h"
#include "bench/workload/shape.h"

/* One line per kind of device: names without what they share, the bottom rungs first. */
static void print_ladder(const struct duel_registry *registry, const struct duel_workload *workload, const char *kind,
                         const char *title)
{
    bool any = false;
    for (int rung = 0, last = 0; rung <= last; rung++)
        for (int i = 0; i < registry->count; i++)
            for (const struct duel_impl *const *impl = registry->place[i].impls; *impl; impl++) {
                const struct duel_place *first = NULL;
                const int own = registry_rung(registry, (*impl)->name);
                registry_find(registry, (*impl)->name, &first);
                if (first != &registry->place[i] || workload_of((*impl)->name) != workload ||
                    strncmp((*impl)->name, kind, strlen(kind)) != 0)
                    continue;
                last = own > last ? own : last;
                if (own != rung)
                    continue;
                printf("%s%s", any ? ", " : title, strrchr((*impl)->name, '/') + 1);
                any = true;
            }
    printf("%s", any ? "\n" : "");
}

/* Its arithmetic against its traffic, at the largest size of its usual sweep. */
static void print_costs(const struct duel_workload *workload)
{
    struct duel_options sizes = {.shape_count = 0};
    struct duel_problem problem = {.alpha = 1, .types = {DUEL_FP32, DUEL_FP32, DUEL_FP32}};
    struct duel_why why;
    char size[100];
    if (options_sizes(workload->sizes[DUEL_SWEEP_CPU], &sizes, &why) != DUEL_OK || sizes.shape_count == 0)
        return;
    shape_apply(workload, &sizes.shape[sizes.shape_count - 1], &problem);
    workload_normalise(workload, &problem);
    const double flops = workload->flops(&problem), bytes = workload->bytes(&problem);
    shape_words(workload->name, &problem, size, sizeof size);
    printf("\nAt %s in fp32: %.3g operations, and %.3g bytes that must move: %.3g operations per byte.\n", size, flops,
           bytes, flops / bytes);
}

/* ---- the last run ------------------------------------------------------------------------------------------------ */

/* The rows of a workload in a run file, and where and when they were measured. */
struct told {
    struct duel_result *row;
    size_t count;
    char machine[160], started[40];
};

static void told_free(struct told *told)
{
    for (size_t i = 0; i < told->count; i++)
        result_free(&told->row[i]);
    free(told->row);
}

static enum duel_status add_row(struct told *told, const struct duel_reader *reader, const json_t *record,
                                struct duel_why *why)
{
    struct duel_result *rows = realloc(told->row, (told->count + 1) * sizeof *rows);
    if (!rows)
        return duel_fail(why, DUEL_ENOMEM, "its numbers are not shown", "close other programs", "out of memory");
    told->row = rows;
    return restore_result(&rows[told->count++], reader, record, why);
}

static enum duel_status take_record(struct told *told, const struct duel_workload *workload,
                                    const struct duel_reader *reader, const json_t *record, struct duel_why *why)
{
    const char *id = reader_text(record, "id"), *name = reader_text(record, "name");
    const char *own = reader_text(record, "workload"), *started = reader_text(record, "started");
    if (reader_is(record, "run") && started)
        snprintf(told->started, sizeof told->started, "%s", started);
    if (reader_is(record, "device") && id && name && strcmp(id, "cpu") == 0)
        snprintf(told->machine, sizeof told->machine, "%s", name);
    return reader_is(record, "result") && own && strcmp(own, workload->name) == 0 ? add_row(told, reader, record, why)
                                                                                  : DUEL_OK;
}

static enum duel_status read_run(struct told *told, const struct duel_workload *workload, const char *dir,
                                 struct duel_why *why)
{
    struct duel_reader *reader = NULL;
    json_t *record = NULL;
    enum duel_status status = reader_open(&reader, dir, NULL, why);
    while (status == DUEL_OK && (status = reader_next(reader, &record, why)) == DUEL_OK && record) {
        status = take_record(told, workload, reader, record, why);
        json_decref(record);
    }
    reader_close(reader);
    return status;
}

static void print_numbers(const struct duel_workload *workload, const struct duel_registry *registry, const char *dir)
{
    struct told told = {.count = 0};
    struct duel_why why = {{0}, {0}, {0}};
    size_t timed = 0;
    const enum duel_status status = read_run(&told, workload, dir, &why);
    for (size_t i = 0; i < told.count; i++)
        timed += result_timed(&told.row[i]);
    if (timed > 0) {
        const bool here = strcmp(told.machine, registry->place[0].info.name) == 0;
        printf("\nMeasured in %s on %s%s, %s:\n", dir, told.machine, here ? "" : ", which is not this machine",
               told.started);
        table_summary(stdout, told.row, told.count);
    } else if (status != DUEL_OK && told.started[0]) {
        printf("\nThe run in %s cannot be read to its end: %s\n", dir, why.seen);
    } else {
        printf("\nNo run in %s has a time for it: `duel run %s` measures it, and this lesson then has numbers.\n", dir,
               workload->name);
    }
    told_free(&told);
}

void explain_workload(const struct duel_registry *registry, const struct duel_workload *workload,
                      const struct duel_options *options)
{
    printf("%s: %s\n\n", workload->name, workload->formula);
    explain_wrapped(workload->doc);
    if (workload->lesson) {
        printf("\n");
        explain_wrapped(workload->lesson);
    }
    print_costs(workload);
    print_ladder(registry, workload, "cpu/", "\nOn the CPU:  ");
    print_ladder(registry, workload, "gpu/", "On a GPU:    ");
    printf("\nThe lesson of each: duel explain cpu/%s/serial\n", workload->name);
    print_numbers(workload, registry, options->out);
}
