/* gpu_call.c: calls into the management library. Types and numbers are those of its public header nvml.h, whose
 * binary interface NVIDIA keeps; they are written out here so that building needs no toolkit. */
#include "bench/telemetry/gpu_call.h"

#include <math.h>

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

static int call_number(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    (void)way;
    unsigned value = 0;
    int code = ((int (*)(void *, unsigned *))entry)(device, &value);
    *raw = value;
    return code;
}

static int call_indexed(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    unsigned value = 0;
    int code = ((int (*)(void *, int, unsigned *))entry)(device, (int)way->argument, &value);
    *raw = value;
    return code;
}

static int call_clock(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    const int current = 0; /* other ids are targets and limits */
    unsigned value = 0;
    int code = ((int (*)(void *, int, int, unsigned *))entry)(device, (int)way->argument, current, &value);
    *raw = value;
    return code;
}

static int call_pair(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    (void)way;
    unsigned current = 0, pending = 0;
    int code = ((int (*)(void *, unsigned *, unsigned *))entry)(device, &current, &pending);
    *raw = current;
    return code;
}

static int call_rates(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    struct {
        unsigned gpu, memory;
    } rates = {0, 0};
    (void)way;
    int code = ((int (*)(void *, void *))entry)(device, &rates);
    *raw = rates.gpu;
    return code;
}

/* Values beyond 2^63 are no values; the largest that fits is out of every range. */
static int64_t fitting(unsigned long long value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static int call_counter(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    (void)way;
    unsigned long long value = 0;
    int code = ((int (*)(void *, unsigned long long *))entry)(device, &value);
    *raw = fitting(value);
    return code;
}

static int call_temperature(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    struct {
        unsigned version;
        int sensor, temperature;
    } reading = {(unsigned)sizeof reading | 1u << 24, (int)way->argument, 0}; /* size and number of the layout */
    int code = ((int (*)(void *, void *))entry)(device, &reading);
    *raw = reading.temperature;
    return code;
}

struct field_value {
    unsigned field, scope;
    long long timestamp_us, latency_us;
    int type, code;
    union {
        double real;
        unsigned number;
        unsigned long wide;
        unsigned long long wider;
        long long with_sign;
        int small_with_sign;
        unsigned short small;
    } value;
};

static int call_field(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    struct field_value field = {.field = way->argument};
    int code = ((int (*)(void *, int, struct field_value *))entry)(device, 1, &field);
    double real = isfinite(field.value.real) && fabs(field.value.real) < 1e18 ? field.value.real : 1e18;
    /* In the order of nvmlValueType_t. */
    const int64_t values[] = {field.type == 0 ? (int64_t)real : 0,
                              field.value.number,
                              fitting(field.value.wide),
                              fitting(field.value.wider),
                              field.value.with_sign,
                              field.value.small_with_sign,
                              field.value.small};
    bool known = field.type >= 0 && field.type < (int)(sizeof values / sizeof *values);
    *raw = known ? values[field.type] : INT64_MAX;
    return code ? code : field.code;
}

static int (*const shapes[])(gpu_entry *, const struct gpu_way *, void *, int64_t *) = {
    [SHAPE_NUMBER] = call_number, [SHAPE_INDEXED] = call_indexed,
    [SHAPE_CLOCK] = call_clock,   [SHAPE_PAIR] = call_pair,
    [SHAPE_RATES] = call_rates,   [SHAPE_COUNTER] = call_counter,
    [SHAPE_FIELD] = call_field,   [SHAPE_TEMPERATURE] = call_temperature,
};

int gpu_call(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw)
{
    *raw = 0;
    return shapes[way->shape](entry, way, device, raw);
}

/* ---- errors ----------------------------------------------------------------------------------------------------- */

static const struct {
    int code;
    const char *text;
} errors[] = {
    {1, "the library is not initialised"},
    {2, "an argument was refused"},
    {3, "not supported here"},
    {4, "no permission"},
    {6, "not found"},
    {GPU_CALL_TOO_SMALL, "the buffer is too small"},
    {8, "the GPU lacks external power"},
    {9, "the driver is not loaded"},
    {10, "timed out"},
    {11, "an interrupt of the GPU is lost"},
    {12, "a library of the driver is missing"},
    {13, "not in this driver"},
    {GPU_CALL_LOST, "GPU lost: it fell off the bus"},
    {GPU_CALL_RESET, "GPU lost: it needs a reset"},
    {17, "blocked by the operating system"},
    {18, "driver and library have different versions; restart the machine"},
    {19, "in use"},
    {20, "out of memory"},
    {21, "no data"},
    {23, "out of resources"},
    {25, "this version of the argument is unknown"},
    {26, "removed from this driver"},
    {27, "not ready"},
    {28, "no such GPU"},
    {29, "not in the right state"},
    {999, "unknown error in the driver"},
};

const char *gpu_call_error(int code, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return errors[i].text;
    snprintf(text, size, "error %d", code);
    return text;
}
