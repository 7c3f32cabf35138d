/* life.c: what is paid once before a kernel runs at its speed; never inside a sample. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/record/record.h"
#include "bench/record/runfile.h"

static double property(const struct duel_device_info *info, const char *name)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, name) == 0 && info->property[i].text[0] == '\0')
            return info->property[i].number;
    return NAN;
}

enum duel_status runfile_life(struct duel_runfile *file, const struct duel_result *result,
                              const struct duel_device_info *info, struct duel_why *why)
{
    struct duel_record record;
    const char *none = result_on_cpu(result) ? "a CPU needs none" : "the device does not tell";
    record_init(&record, "life");
    record_text(&record, "implementation", result->implementation, NULL);
    record_text(&record, "device", result->device, NULL);
    record_text(&record, "precision", dtype_name(result->problem.types.in), NULL);
    record_count(&record, "m", result->problem.m, NULL);
    record_count(&record, "n", result->problem.n, NULL);
    record_count(&record, "k", result->problem.k, NULL);
    record_real(&record, "context_create_s", property(info, "context_create_s"), none);
    record_real(&record, "module_load_s", property(info, "module_load_s"), none);
    record_real(&record, "open_s", result->open_s, "this implementation opens nothing");
    record_real(&record, "allocate_s", result->allocate_s, NULL);
    record_real(&record, "first_call_s", result->first_call_s, NULL);
    return runfile_put(file, &record, why);
}
