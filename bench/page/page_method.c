/* page_method.c: how it was measured, every row, and the sources: so that anyone can repeat it. */
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"
#include "bench/page/parts.h"
#include "bench/record/reader.h"
#include "bench/report/rate.h"
#include "bench/workload/shape.h"

enum { MOST_SOURCE = 64 << 10, MOST_SOURCES = 200 << 10 };

static void put_row(struct duel_page *page, const struct duel_result *row)
{
    char name[200], size[96], rate[32] = "";
    writer_row(&page->out);
    writer_cell(&page->out, "%s", page_name(row, name, sizeof name));
    writer_text(&page->out, row->device);
    writer_text(&page->out, shape_words(row->workload, &row->problem, size, sizeof size));
    writer_text(&page->out, row_status_name(row->status));
    if (!result_timed(row))
        return;
    rate_words(row, rate, sizeof rate);
    page_seconds(page, row->kernel.median);
    page_seconds(page, row->kernel.ci_lo);
    page_seconds(page, row->kernel.ci_hi);
    page_seconds(page, row->end_to_end.median);
    writer_cell(&page->out, "%s", rate);
    writer_cell(&page->out, "%zu%s", row->kernel.count, row->clean ? "" : ", disturbed");
    writer_text(&page->out, row->stop_reason);
}

static void put_rows(struct duel_page *page, const struct duel_recorded *run, size_t number)
{
    static const char *const heads[] = {"implementation",
                                        WRITER_LEFT "device",
                                        WRITER_LEFT "size",
                                        WRITER_LEFT "status",
                                        "kernel",
                                        "from",
                                        "to",
                                        "end to end",
                                        "rate",
                                        "samples",
                                        WRITER_LEFT "stopped",
                                        NULL};
    char id[40], caption[500];
    snprintf(id, sizeof id, "rows-%zu", number);
    snprintf(caption, sizeof caption, WORDS_PAGE_ALL, run->path);
    writer_fold(&page->out, id, caption);
    writer_table(&page->out, caption, heads);
    for (size_t i = 0; i < run->count; i++)
        put_row(page, &run->row[i]);
    writer_table_end(&page->out);
    writer_fold_end(&page->out);
}

void page_method(struct duel_page *page)
{
    writer_part(&page->out, "method", WORDS_PAGE_METHOD);
    writer_say(&page->out, WORDS_PAGE_METHOD_SAY);
    for (size_t r = 0; r < page->runs; r++) {
        const struct duel_recorded *run = &page->run[r];
        const char *command = reader_text(run->run, "command"), *version = reader_text(run->run, "version");
        const long long seed = (long long)reader_count(run->run, "seed");
        if (command)
            writer_say(&page->out, WORDS_PAGE_REPEAT, command, version ? version : "?", seed);
    }
    writer_say(&page->out, WORDS_PAGE_FILES);
    for (size_t r = 0; r < page->runs; r++)
        put_rows(page, &page->run[r], r + 1);
}

/* ---- sources -------------------------------------------------------------------------------------------------------
 */

/* Of an implementation that this build knows: a name out of a file never becomes a path. */
static char *read_source(const struct duel_impl *impl)
{
    char path[4400];
    const char *ending = strncmp(impl->name, "gpu/", 4) == 0 ? "cu" : "c";
    snprintf(path, sizeof path, "%s/../%s.%s", paths_data_dir(), impl->name, ending);
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, MOST_SOURCE + 1) : NULL;
    if (text && fread(text, 1, MOST_SOURCE, file) == 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static bool is_shown(const struct duel_page *page, const char *name)
{
    for (size_t r = 0; r < page->runs; r++)
        for (size_t i = 0; i < page->run[r].count; i++)
            if (result_timed(&page->run[r].row[i]) && strcmp(page->run[r].row[i].implementation, name) == 0)
                return true;
    return false;
}

/* What it is in full, and its text as far as there is room on the page. */
static size_t put_source(struct duel_page *page, const struct duel_impl *impl, size_t used)
{
    char id[140];
    char *text = used < MOST_SOURCES ? read_source(impl) : NULL;
    const size_t size = text ? strlen(text) : 0;
    writer_fold(&page->out, writer_id("source", impl->name, id, sizeof id), impl->name);
    if (impl->doc)
        writer_say(&page->out, "%s", impl->doc);
    if (text)
        writer_code(&page->out, text);
    writer_fold_end(&page->out);
    free(text);
    return size;
}

void page_sources(struct duel_page *page)
{
    const struct duel_registry *registry = page->request->registry;
    size_t used = 0;
    writer_part(&page->out, "sources", WORDS_PAGE_SOURCES);
    for (int p = 0; p < registry->count; p++)
        for (const struct duel_impl *const *impl = registry->place[p].impls; *impl; impl++) {
            const struct duel_place *first = NULL;
            registry_find(registry, (*impl)->name, &first);
            if (first == &registry->place[p] && is_shown(page, (*impl)->name))
                used += put_source(page, *impl, used);
        }
}
