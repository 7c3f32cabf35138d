#include "bench/judge/identity.h"

#include <math.h>
#include <string.h>

#include "bench/record/reader.h"

#define GIB 0x1p30

static const char *text_or(const json_t *record, const char *name, const char *other)
{
    const char *text = reader_text(record, name);
    return text ? text : other;
}

/* What the kernel reports is a little less than what is plugged in, and how much less changes with the kernel: the next
 * step of a scale of 1.41. Sizes that are sold lie at the upper end of a step or well within it. */
static double memory_class(double bytes)
{
    const double step = ceil(2 * log2(bytes / GIB));
    return exp2(step / 2);
}

const char *identity_machine(const json_t *host, const json_t *cpu, char *text, size_t size)
{
    const double cores = reader_real(cpu, "cores"), memory = reader_real(host, "memory_bytes");
    const long long count = cores > 0 ? (long long)cores : (long long)reader_count(host, "cpus_online");
    int used = snprintf(text, size, "%s, %lld core%s, %s", text_or(host, "cpu_model", "a CPU without a name"), count,
                        count == 1 ? "" : "s", text_or(host, "architecture", "unknown architecture"));
    if (memory > 0 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", at most %.4g GiB", memory_class(memory));
    return text;
}

const char *identity_device(const json_t *device, const char *machine, char *text, size_t size)
{
    const char *id = reader_text(device, "id"), *uuid = reader_text(device, "uuid");
    if (!device || !id || strcmp(id, "cpu") == 0)
        snprintf(text, size, "%s", machine);
    else
        snprintf(text, size, "%s%s%s", text_or(device, "name", "a device without a name"), uuid ? ", " : "",
                 uuid ? uuid : "");
    return text;
}
