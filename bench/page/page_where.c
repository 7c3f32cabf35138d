/* page_where.c: the machines of the runs, their devices, and what did not run. */
#include <math.h>
#include <string.h>

#include "bench/page/parts.h"
#include "bench/record/reader.h"

/* ---- the machines --------------------------------------------------------------------------------------------------
 */

static void put_text(const struct duel_recorded *run, const char *field, char *out, size_t size)
{
    const char *text = reader_text(run->host, field);
    snprintf(out, size, "%s", text ? text : "");
}

static void put_cpus(const struct duel_recorded *run, const char *field, char *out, size_t size)
{
    (void)field;
    *out = '\0';
    if (run->usable > 0)
        snprintf(out, size, "%lld", (long long)run->usable);
}

static void put_memory(const struct duel_recorded *run, const char *field, char *out, size_t size)
{
    const double bytes = reader_real(run->host, field);
    *out = '\0';
    if (bytes > 0)
        snprintf(out, size, "%.3g GiB", bytes / (1 << 30));
}

/* Devices that are no CPU: what they are, or that they only act as one. */
static void put_devices(const struct duel_recorded *run, const char *field, char *out, size_t size)
{
    size_t used = 0;
    const json_t *device;
    size_t i;
    (void)field;
    *out = '\0';
    json_array_foreach(run->devices, i, device)
    {
        const char *id = reader_text(device, "id"), *name = reader_text(device, "name");
        const bool emulated = json_is_true(json_object_get(device, "emulated"));
        if (!id || strcmp(id, "cpu") == 0 || !json_is_true(json_object_get(device, "usable")) || used >= size)
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? "; " : "",
                                 emulated ? WORDS_PAGE_EMULATED
                                 : name   ? name
                                          : id);
    }
    if (used == 0)
        snprintf(out, size, "none");
}

static void put_day(const struct duel_recorded *run, const char *field, char *out, size_t size)
{
    const char *text = reader_text(run->run, field);
    snprintf(out, size, "%s", text ? text : "");
}

static void put_path(const struct duel_recorded *run, const char *field, char *out, size_t size)
{
    (void)field;
    snprintf(out, size, "%s", run->path);
}

static void put_counts(const struct duel_recorded *run, const char *field, char *out, size_t size)
{
    size_t count[4] = {0};
    (void)field;
    for (size_t i = 0; i < run->count; i++)
        count[run->row[i].status]++;
    snprintf(out, size, WORDS_PAGE_COUNTS, count[ROW_OK], count[ROW_VERIFIED], count[ROW_SKIPPED], count[ROW_FAILED]);
}

static const struct {
    const char *head, *field;
    void (*put)(const struct duel_recorded *run, const char *field, char *out, size_t size);
} lines[] = {
    {"processor", "cpu_model", put_text},
    {"CPUs used", "", put_cpus},
    {"memory", "memory_bytes", put_memory},
    {"GPU", "", put_devices},
    {"system", "os", put_text},
    {"kernel", "kernel", put_text},
    {"compiler", "compiler", put_text},
    {"compiler flags", "compiler_flags", put_text},
    {"measured", "started", put_day},
    {"duel", "version", put_day},
    {"cases", "", put_counts},
    {"file", "", put_path},
};

static void put_machines(struct duel_page *page)
{
    const char *heads[64] = {""};
    char text[1200], name[62][340];
    const size_t runs = page->runs < 62 ? page->runs : 62;
    for (size_t r = 0; r < runs; r++) {
        snprintf(name[r], sizeof name[r], "%s, %s", page->run[r].machine, page->run[r].day);
        heads[r + 1] = name[r];
    }
    heads[runs + 1] = NULL;
    writer_table(&page->out, WORDS_PAGE_WHERE_CAPTION, heads);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        writer_row(&page->out);
        writer_cell(&page->out, "%s", lines[i].head);
        for (size_t r = 0; r < runs; r++) {
            lines[i].put(&page->run[r], lines[i].field, text, sizeof text);
            writer_text(&page->out, text);
        }
    }
    writer_table_end(&page->out);
}

/* ---- what is missing -----------------------------------------------------------------------------------------------
 */

static bool says_the_same(const struct duel_result *a, const struct duel_result *b)
{
    return a->status == b->status && strcmp(a->reason, b->reason) == 0;
}

static bool is_missing(const struct duel_result *row)
{
    return row->status == ROW_SKIPPED || row->status == ROW_FAILED;
}

static void put_line(struct duel_page *page, const struct duel_recorded *run, const char *what, const char *status,
                     const char *reason)
{
    writer_row(&page->out);
    writer_cell(&page->out, "%s", what);
    if (page->runs > 1)
        writer_text(&page->out, run->machine);
    writer_text(&page->out, status);
    writer_text(&page->out, reason);
}

static void put_unusable(struct duel_page *page, const struct duel_recorded *run)
{
    const json_t *device;
    size_t i;
    json_array_foreach(run->devices, i, device)
    {
        const char *id = reader_text(device, "id"), *status = reader_text(device, "status"),
                   *reason = reader_text(device, "reason");
        char what[160];
        snprintf(what, sizeof what, WORDS_PAGE_DEVICE, id ? id : "?");
        if (!json_is_true(json_object_get(device, "usable")))
            put_line(page, run, what, status ? status : "", reason ? reason : "");
    }
}

/* "gpu/gemm/naive, gpu/gemm/tiled, 10 cases": all rows with this reason, each name once. */
static void name_rows(const struct duel_recorded *run, const struct duel_result *row, char *what, size_t size)
{
    size_t same = 0, used = 0;
    *what = '\0';
    for (size_t i = 0; i < run->count; i++) {
        const struct duel_result *other = &run->row[i];
        if (!says_the_same(other, row))
            continue;
        same++;
        if (!strstr(what, other->implementation) && used + strlen(other->implementation) + 40 < size)
            used += (size_t)snprintf(what + used, size - used, "%s%s", used > 0 ? ", " : "", other->implementation);
    }
    snprintf(what + used, size - used, WORDS_PAGE_CASES, same, same == 1 ? "" : "s");
}

static void put_rows(struct duel_page *page, const struct duel_recorded *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct duel_result *row = &run->row[i];
        bool first = is_missing(row);
        char what[700];
        for (size_t j = 0; j < i && first; j++)
            first = !says_the_same(&run->row[j], row);
        if (!first)
            continue;
        name_rows(run, row, what, sizeof what);
        put_line(page, run, what, row_status_name(row->status), row->reason);
    }
}

static bool has_missing(const struct duel_page *page)
{
    bool any = false;
    for (size_t r = 0; r < page->runs; r++) {
        const json_t *device;
        size_t i;
        json_array_foreach(page->run[r].devices, i, device) any |= !json_is_true(json_object_get(device, "usable"));
        for (i = 0; i < page->run[r].count; i++)
            any |= is_missing(&page->run[r].row[i]);
    }
    return any;
}

static void put_missing(struct duel_page *page)
{
    static const char *const one[] = {"what", WRITER_LEFT "status", WRITER_LEFT "reason", NULL},
                             *const many[] = {"what", WRITER_LEFT "machine", WRITER_LEFT "status", WRITER_LEFT "reason",
                                              NULL};
    writer_heading(&page->out, WORDS_PAGE_ABSENT);
    if (!has_missing(page)) {
        writer_say(&page->out, WORDS_PAGE_NOTHING_ABSENT);
        return;
    }
    writer_table(&page->out, WORDS_PAGE_ABSENT_CAPTION, page->runs > 1 ? many : one);
    for (size_t r = 0; r < page->runs; r++) {
        put_unusable(page, &page->run[r]);
        put_rows(page, &page->run[r]);
    }
    writer_table_end(&page->out);
}

void page_where(struct duel_page *page)
{
    writer_part(&page->out, "where", WORDS_PAGE_WHERE);
    put_machines(page);
    for (size_t r = 0; r < page->runs; r++) {
        const struct duel_recorded *run = &page->run[r];
        const char *outcome = reader_text(run->end, "outcome");
        if (!run->end || (outcome && strcmp(outcome, "done") != 0))
            writer_say(&page->out, WORDS_PAGE_UNFINISHED, run->path, outcome ? outcome : WORDS_PAGE_CRASHED);
        if (*run->dropped)
            writer_say(&page->out, WORDS_PAGE_DROPPED, run->path, run->dropped);
    }
    put_missing(page);
}
