/* workload.c: finds a workload in the generated table. */
#include "bench/workload/workload.h"

#include <string.h>

const struct duel_workload *workload_find(const char *name, size_t length)
{
    for (const struct duel_workload *const *entry = workload_table; *entry; entry++)
        if (strlen((*entry)->name) == length && memcmp((*entry)->name, name, length) == 0)
            return *entry;
    return NULL;
}
