/* page.c: reads the runs, draws, and puts the parts into the template reports/report.html. */
#include "bench/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"
#include "bench/page/parts.h"
#include "bench/record/directory.h"
#include "bench/record/whole.h"

enum { MOST_TEMPLATE = 1 << 18 };

static char *read_template(struct duel_why *why)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/report.html", paths_data_dir());
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, MOST_TEMPLATE + 1) : NULL;
    const bool good =
        text && fread(text, 1, MOST_TEMPLATE, file) > 0 && strstr(text, "@TITLE@") && strstr(text, "@BODY@");
    if (!good) {
        duel_fail(why, DUEL_EIO, "no page can be made without it", "DUEL_DATA_DIR names the folder that holds it",
                  "%s: %s", path, file ? "this is no template" : strerror(errno));
        free(text);
    }
    if (file)
        fclose(file);
    return good ? text : NULL;
}

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "the report is not written", "close other programs", "out of memory for it");
}

static void title_of(const struct duel_page *page, char *title, size_t size)
{
    const size_t used = (size_t)snprintf(title, size, "%s", WORDS_PAGE_TITLE);
    if (page->runs == 1)
        snprintf(title + used, size - used, "%s", page->run[0].title);
    else
        snprintf(title + used, size - used, WORDS_PAGE_MACHINES, page->runs);
}

static void put_all(struct duel_page *page)
{
    page_where(page);
    page_side(page);
    page_steps(page);
    page_speedup(page);
    page_ladder(page);
    page_roof(page);
    page_precision(page);
    page_energy(page);
    page_method(page);
    page_sources(page);
}

static enum duel_status write_file(const struct duel_page *page, const char *name, const char *text, size_t size,
                                   struct duel_why *why)
{
    char *path = directory_path(page->request->dir, name);
    enum duel_status status = path ? whole_write(path, "--out", text, size, why) : no_memory(why);
    free(path);
    return status;
}

/* Every "@TITLE@" and the "@BODY@" of the template. */
static enum duel_status write_html(const struct duel_page *page, const char *template, const char *title,
                                   struct duel_why *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return no_memory(why);
    while (*template) {
        if (strncmp(template, "@TITLE@", 7) == 0) {
            writer_escape(stream, title);
            template += 7;
        } else if (strncmp(template, "@BODY@", 6) == 0) {
            fwrite(page->out.html_text, 1, page->out.html_size, stream);
            template += 6;
        } else {
            fputc(*template ++, stream);
        }
    }
    const bool good = !ferror(stream);
    enum duel_status status =
        fclose(stream) == 0 && good ? write_file(page, "report.html", text, size, why) : no_memory(why);
    free(text);
    return status;
}

static enum duel_status write_texts(struct duel_page *page, struct duel_why *why)
{
    char title[500];
    char *template = read_template(why);
    if (!template)
        return DUEL_EIO;
    title_of(page, title, sizeof title);
    enum duel_status status = writer_open(&page->out) ? DUEL_OK : no_memory(why);
    if (status == DUEL_OK) {
        fputs("# ", page->out.markdown);
        writer_plain(page->out.markdown, title);
        fputc('\n', page->out.markdown);
        put_all(page);
        status = writer_close(&page->out) ? DUEL_OK : no_memory(why);
    }
    if (status == DUEL_OK)
        status = write_html(page, template, title, why);
    if (status == DUEL_OK)
        status = write_file(page, "report.md", page->out.markdown_text, page->out.markdown_size, why);
    writer_free(&page->out);
    free(template);
    return status;
}

static enum duel_status read_all(struct duel_page *page, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    page->run = calloc(page->request->files + 1, sizeof *page->run);
    if (!page->run)
        return no_memory(why);
    for (size_t i = 0; i < page->request->files && status == DUEL_OK; i++)
        status = recorded_read(&page->run[page->runs++], page->request->file[i], why);
    return status;
}

enum duel_status page_write(const struct duel_page_request *request, struct duel_why *why)
{
    struct duel_page page = {.request = request};
    struct duel_why drawing = {{0}, {0}, {0}};
    enum duel_status status = read_all(&page, why), drawn = DUEL_OK;
    if (status == DUEL_OK)
        status = directory_make(request->dir, why);
    if (status == DUEL_OK && !request->no_plots && !request->drawn)
        drawn = page_draw(&page, &drawing);
    if (status == DUEL_OK)
        status = write_texts(&page, why);
    if (status == DUEL_OK && !request->own)
        status = page_csv(&page, why);
    if (status == DUEL_OK && drawn != DUEL_OK) {
        status = drawn;
        if (why)
            *why = drawing;
    }
    for (size_t i = 0; i < page.runs; i++)
        recorded_free(&page.run[i]);
    free(page.run);
    return status;
}
