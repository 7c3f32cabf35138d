#include "bench/buyer/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool output_takes_stdout(const struct duel_options *options)
{
    return is_stdout(options->json) || is_stdout(options->csv);
}

enum duel_status output_check(const struct duel_options *options, struct duel_why *why)
{
    if (is_stdout(options->json) && is_stdout(options->csv))
        return duel_fail(why, DUEL_EINVAL, "nobody could tell them apart", "give one of them a file",
                         "--json and --csv both go to stdout");
    return DUEL_OK;
}

FILE *output_open(const char *path, const char *option, struct duel_why *why)
{
    FILE *file = is_stdout(path) ? stdout : fopen(path, "we");
    if (!file)
        duel_fail(why, DUEL_EINVAL, "nothing was written", "give another path", "%s %s: %s", option, path,
                  strerror(errno));
    return file;
}

enum duel_status output_close(FILE *file, const char *path, const char *option, struct duel_why *why)
{
    const bool bad = ferror(file) != 0;
    const bool lost = (is_stdout(path) ? fflush(file) : fclose(file)) != 0;
    if (!bad && !lost)
        return DUEL_OK;
    return duel_fail(why, DUEL_EIO, "it is not whole", "free some space, or give another path", "%s %s: %s", option,
                     path, strerror(errno));
}

enum duel_status output_record(FILE *file, struct duel_record *record, struct duel_why *why)
{
    size_t size = 0;
    char *line = record_line(record, &size);
    record_free(record);
    if (!line)
        return duel_fail(why, DUEL_ENOMEM, "the records are not whole", "free some memory",
                         "out of memory for a record");
    fwrite(line, 1, size, file);
    free(line);
    return DUEL_OK;
}

enum duel_status output_rows(const struct duel_options *options, const struct duel_sheet *sheet, const void *rows,
                             size_t size, size_t count, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    FILE *json = options->json ? output_open(options->json, "--json", why) : NULL;
    if (options->json && !json)
        return DUEL_EINVAL;
    for (size_t i = 0; json && i < count && status == DUEL_OK; i++) {
        struct duel_record record;
        sheet_record(sheet, (const char *)rows + i * size, &record);
        status = output_record(json, &record, why);
    }
    if (json) {
        const enum duel_status closed = output_close(json, options->json, "--json", status == DUEL_OK ? why : NULL);
        status = status == DUEL_OK ? closed : status;
    }
    FILE *csv = status == DUEL_OK && options->csv ? output_open(options->csv, "--csv", why) : NULL;
    if (status != DUEL_OK || !options->csv)
        return status;
    if (!csv)
        return DUEL_EINVAL;
    sheet_csv_header(sheet, csv);
    for (size_t i = 0; i < count; i++)
        sheet_csv_row(sheet, (const char *)rows + i * size, csv);
    return output_close(csv, options->csv, "--csv", why);
}
