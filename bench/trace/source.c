/* source.c: the text of a kernel, which lies beside the program in a build tree. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"
#include "bench/trace/trace.h"

enum { MOST_LINES = 5000 };

static enum duel_status read_lines(FILE *file, struct duel_source *source)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    source->line = calloc(MOST_LINES, sizeof *source->line);
    while (source->line && source->count < MOST_LINES && (length = getline(&line, &size, file)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        source->line[source->count] = strdup(line);
        if (!source->line[source->count])
            break;
        source->count++;
    }
    free(line);
    return source->line ? DUEL_OK : DUEL_ENOMEM;
}

enum duel_status source_open(const char *path, struct duel_source *source, struct duel_why *why)
{
    *source = (struct duel_source){.count = 0};
    snprintf(source->path, sizeof source->path, "%s", path);
    FILE *file = fopen(source->path, "re");
    if (!file)
        return duel_fail(why, DUEL_SKIP, "its lines cannot be shown, only their numbers",
                         "run duel from the folder that it was built in", "%s: %s", source->path, strerror(errno));
    enum duel_status status = read_lines(file, source);
    fclose(file);
    return status == DUEL_OK ? status
                             : duel_fail(why, status, "its lines cannot be shown", "free some memory",
                                         "out of memory for %s", source->path);
}

enum duel_status source_read(const struct duel_trace *trace, struct duel_source *source, struct duel_why *why)
{
    char path[sizeof source->path];
    snprintf(path, sizeof path, "%s/../%s", paths_data_dir(), trace_source_file(trace));
    return source_open(path, source, why);
}

void source_free(struct duel_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        free(source->line[i]);
    free(source->line);
    *source = (struct duel_source){.count = 0};
}
