/* side_device.c: what run files tell of devices: what they are, and how they were while they worked. */
#include <math.h>
#include <string.h>

#include "bench/judge/identity.h"
#include "bench/judge/side.h"

const struct judge_device *side_device(const struct judge_side *side, const char *id)
{
    for (int i = 0; i < side->devices; i++)
        if (strcmp(side->device[i].id, id) == 0)
            return &side->device[i];
    return NULL;
}

void side_take_device(struct judge_side *side, json_t *record)
{
    const char *id = reader_text(record, "id");
    if (!id || side->devices == SIDE_DEVICES || side_device(side, id))
        return;
    struct judge_device *device = &side->device[side->devices++];
    *device = (struct judge_device){.record = json_incref(record),
                                    .link_generation = NAN,
                                    .link_width = NAN,
                                    .limited_share = NAN,
                                    .throttled_share = NAN};
    snprintf(device->id, sizeof device->id, "%s", id);
    if (strcmp(id, "cpu") == 0)
        identity_machine(side->host, record, side->machine, sizeof side->machine);
}

/* Large kernels run at the power cap of a card: that is its steady state. Heat and brakes are not. */
static bool is_throttled(const char *reasons)
{
    return reasons && (strstr(reasons, "slowdown") || strstr(reasons, "brake"));
}

static void take_limits(struct judge_device *device, const json_t *record)
{
    const char *reasons = reader_text(record, "clock_reasons");
    const double share = reader_real(record, "clock_limited_share");
    const long long session = (long long)reader_count(record, "session");
    if (share > 0 && !(share <= device->limited_share)) {
        device->limited_share = share;
        snprintf(device->clock_reasons, sizeof device->clock_reasons, "%s", reasons ? reasons : "not told");
    }
    if (share > 0 && is_throttled(reasons) && !(share <= device->throttled_share)) {
        device->throttled_share = share;
        snprintf(device->throttled_where, sizeof device->throttled_where, "session %lld: %.160s",
                 session > 0 ? session : 1, reasons);
    }
}

bool side_take_telemetry(struct judge_side *side, const json_t *record, double *clock_mhz)
{
    const char *id = reader_text(record, "device");
    const struct judge_device *found = id ? side_device(side, id) : NULL;
    struct judge_device *device = found ? &side->device[found - side->device] : NULL;
    if (!device)
        return true;
    const double gpu = reader_real(record, "sm_clock_mhz_median"), cpu = reader_real(record, "cpu_mhz_median");
    const double told = isnan(gpu) ? cpu : gpu, clock = told > 0 && isfinite(told) ? told : NAN;
    clock_mhz[device - side->device] = clock;
    device->link_generation = fmax(device->link_generation, reader_real(record, "pcie_generation_max"));
    device->link_width = fmax(device->link_width, reader_real(record, "pcie_width_max"));
    take_limits(device, record);
    return isnan(clock) || samples_add(&device->clock_mhz, clock);
}
