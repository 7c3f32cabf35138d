/* page_csv.c: the rows of all runs in one table: where each was recorded, then the columns of run.csv. */
#include <stdlib.h>

#include "bench/page/parts.h"
#include "bench/record/csv.h"
#include "bench/record/directory.h"
#include "bench/record/whole.h"

static void put_rows(const struct duel_page *page, FILE *stream)
{
    fputs("machine,recorded,file,", stream);
    csv_header(stream);
    for (size_t r = 0; r < page->runs; r++)
        for (size_t i = 0; i < page->run[r].count; i++) {
            csv_text(stream, page->run[r].machine);
            fputc(',', stream);
            csv_text(stream, page->run[r].day);
            fputc(',', stream);
            csv_text(stream, page->run[r].path);
            fputc(',', stream);
            csv_result(stream, &page->run[r].row[i]);
        }
}

enum duel_status page_csv(const struct duel_page *page, struct duel_why *why)
{
    char *text = NULL, *path = directory_path(page->request->dir, "report.csv");
    size_t size = 0;
    FILE *stream = path ? open_memstream(&text, &size) : NULL;
    enum duel_status status = DUEL_ENOMEM;
    if (stream) {
        put_rows(page, stream);
        const bool good = !ferror(stream);
        if (fclose(stream) == 0 && good)
            status = whole_write(path, "--out", text, size, why);
    }
    free(text);
    free(path);
    return status != DUEL_ENOMEM ? status
                                 : duel_fail(why, DUEL_ENOMEM, "report.csv is not written", "close other programs",
                                             "out of memory for it");
}
