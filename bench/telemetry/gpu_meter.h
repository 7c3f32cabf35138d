/* gpu_meter.h: reads one GPU through the driver's management library (NVML), which is opened by name at run time.
 *
 * Each symbol is looked up by itself and every value has a fall-back where the library ever had two ways to it, so that
 * an old driver, a new one that lost deprecated functions, and a container without rights each cost single values. */
#ifndef DUEL_GPU_METER_H
#define DUEL_GPU_METER_H

#include "bench/duel.h"

enum gpu_value {
    GPU_SM_CLOCK, /* MHz */
    GPU_MEMORY_CLOCK,
    GPU_TEMPERATURE, /* degrees C */
    GPU_POWER,       /* W */
    GPU_BUSY,        /* percent of the driver's last sample period */
    GPU_LINK_GENERATION,
    GPU_LINK_WIDTH,
    GPU_CLOCK_REASONS, /* bits; see gpu_reason_words() */
    GPU_ENERGY,        /* J since the driver was loaded */
    GPU_ECC,           /* 0 or 1 */
    GPU_MIG,
    GPU_PERSISTENCE,
    GPU_POWER_LIMIT, /* W, the lowest of all limits in force */
    GPU_POWER_LIMIT_DEFAULT,
    GPU_SM_CLOCK_MAX,
    GPU_MEMORY_CLOCK_MAX,
    GPU_LINK_GENERATION_MAX,
    GPU_LINK_WIDTH_MAX,
    GPU_VALUES
};

struct gpu_meter;

/* `gpu` is a PCI bus id or a uuid; `library` NULL means the driver's. On failure *meter is NULL, the status DUEL_SKIP
 * or DUEL_ENOMEM, and *why.seen short enough for a field's reason. */
enum duel_status gpu_meter_open(struct gpu_meter **meter, const char *library, const char *gpu, struct duel_why *why);
void gpu_meter_close(struct gpu_meter *meter);

/* false with the reason in *why (of `size` bytes). A value that cannot be true is refused. After a GPU was lost no
 * further call is made. */
bool gpu_meter_read(struct gpu_meter *meter, enum gpu_value which, double *value, char *why, size_t size);
/* Version of the driver, or of the management library. */
bool gpu_meter_version(struct gpu_meter *meter, bool driver, char *text, size_t length, char *why, size_t size);
/* Processes with compute work on this GPU, and whether this one was found among them. */
bool gpu_meter_processes(struct gpu_meter *meter, int *total, bool *own, char *why, size_t size);

/* "power cap, thermal slowdown", "none" for no bit. */
void gpu_reason_words(uint64_t bits, char *words, size_t size);
/* Do these bits say that power or heat held the clock back? Idle clocks and chosen ones are no such thing. */
bool gpu_reason_limits(uint64_t bits);

#endif
