/* cold.c: what a first single use in a fresh process costs: a program that starts, multiplies once and ends.
 *
 *   GPU   context + code of the first kernel + library handle + memory + copies in + first call with its copy back
 *   CPU   start of the threads + memory + first call
 *
 * Each part is measured where it happens, once. What all programs pay (the start of the process, the driver's and the
 * CPU library's own start when it is loaded) is in neither. Where the data has to be rounded to a narrower type first,
 * that is a part too: whoever multiplies once has it as FP32. Rows of one type share their operands, and each counts
 * the whole cost of them. */
#include <math.h>
#include <string.h>

#include "bench/harness/lane.h"

bool cold_first_use(struct duel_runner *runner, const struct duel_case *item)
{
    const int room = (int)(sizeof runner->use / sizeof *runner->use);
    for (int i = 0; i < runner->uses; i++)
        if (runner->use[i].place == item->place && runner->use[i].impl == item->impl)
            return false;
    if (runner->uses == room)
        return false; /* not known to be the first */
    runner->use[runner->uses++] = (struct duel_use){item->place, item->impl};
    return true;
}

static double property(const struct duel_device_info *info, const char *name)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, name) == 0 && info->property[i].text[0] == '\0')
            return info->property[i].number;
    return NAN;
}

/* NaN stays NaN: what must be there and is not known leaves the whole unknown. */
static double or_none(double seconds)
{
    return isnan(seconds) ? 0 : seconds;
}

void cold_describe(struct duel_lane *lane)
{
    struct duel_result *result = lane->result;
    const struct duel_place *place = lane->item->place;
    const bool copies = lane->stage->backend->upload != NULL;
    result->first_upload_s = lane->stage->first_upload_s;
    result->context_create_s = property(&place->info, "context_create_s");
    result->module_load_s = property(&place->info, "module_load_s");
    result->threads_start_s = !copies && result->threads > 1 && place->open_s > 0 ? place->open_s : NAN;
    if (!result->first_use || lane->stage->backend->emulated)
        return;
    result->cold_s = or_none(result->convert_s) + or_none(result->open_s) + result->allocate_s + result->first_call_s;
    if (copies)
        result->cold_s += result->context_create_s + result->module_load_s + result->first_upload_s;
    else
        result->cold_s += or_none(result->threads_start_s);
}
