#include "bench/doctor/files.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/record/facts.h"

size_t files_visit(const char *root, const char *pattern, files_visitor *visit, void *context)
{
    char whole[4096], value[256];
    glob_t found;
    size_t count = 0;
    snprintf(whole, sizeof whole, "%s%s", root, pattern);
    if (glob(whole, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (facts_read("", found.gl_pathv[i], NULL, value, sizeof value)) {
            visit(context, found.gl_pathv[i], value);
            count++;
        }
    globfree(&found);
    return count;
}

static void add(void *context, const char *path, const char *value)
{
    (void)path;
    *(double *)context += strtod(value, NULL);
}

double files_sum(const char *root, const char *pattern)
{
    double sum = 0;
    return files_visit(root, pattern, add, &sum) ? sum : NAN;
}

double files_number(const char *root, const char *path)
{
    char value[64], *end;
    if (!facts_read(root, path, NULL, value, sizeof value))
        return NAN;
    double number = strtod(value, &end);
    return end > value ? number : NAN;
}
