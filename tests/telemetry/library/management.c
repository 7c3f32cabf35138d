/* management.c: a stand-in for libnvidia-ml.so.1. It answers what its script says, in the layouts of nvml.h. */
#include "tests/telemetry/library/script.h"

#include <stdio.h>
#include <string.h>

static struct script script = {
    .lost_after = -1,
    .sm_mhz = 1830,
    .sm_max_mhz = 1980,
    .memory_mhz = 3201,
    .temperature_c = 61,
    .power_mw = 650000,
    .average_mw = 640000,
    .busy_percent = 99,
    .generation = 5,
    .width = 16,
    .ecc = 1,
    .energy_mj = 5000000,
    .gpu = "0000:17:00.0",
    .uuid = "GPU-01234567-89ab-cdef-0123-456789abcdef",
};

struct script *duel_script(void)
{
    return &script;
}

enum { NOT_FOUND = 6, TOO_SMALL = 7, LOST = 15, VERSION = 25 };

/* Counts the call; the code that it has to return. */
static int called(int symbol)
{
    script.calls[symbol]++;
    if (script.lost_after == 0)
        return LOST;
    if (script.lost_after > 0)
        script.lost_after--;
    return script.code[symbol];
}

static int number(int symbol, unsigned *out, unsigned value)
{
    int code = called(symbol);
    if (code == 0)
        *out = value;
    return code;
}

#define PLAIN(symbol)               \
    int symbol(void);               \
    int symbol(void)                \
    {                               \
        return called(AT_##symbol); \
    }
PLAIN(nvmlInit_v2)
PLAIN(nvmlInit)
PLAIN(nvmlShutdown)

#define VERSION_TEXT(symbol, value)                   \
    int symbol(char *text, unsigned size);            \
    int symbol(char *text, unsigned size)             \
    {                                                 \
        int code = called(AT_##symbol);               \
        snprintf(text, code ? 0 : size, "%s", value); \
        return code;                                  \
    }
VERSION_TEXT(nvmlSystemGetDriverVersion, "580.65.06")
VERSION_TEXT(nvmlSystemGetNVMLVersion, "13.580.65.06")

#define HANDLE(symbol, known)                                   \
    int symbol(const char *id, void **device);                  \
    int symbol(const char *id, void **device)                   \
    {                                                           \
        *device = &script;                                      \
        int code = called(AT_##symbol);                         \
        return code ? code : strcmp(id, known) ? NOT_FOUND : 0; \
    }
HANDLE(nvmlDeviceGetHandleByUUID, script.uuid)
HANDLE(nvmlDeviceGetHandleByPciBusId_v2, script.gpu)
HANDLE(nvmlDeviceGetHandleByPciBusId, script.gpu)

#define NUMBER(symbol, value)                                           \
    int symbol(void *device, unsigned *out);                            \
    int symbol(void *device, unsigned *out)                             \
    {                                                                   \
        return device == &script ? number(AT_##symbol, out, value) : 2; \
    }
NUMBER(nvmlDeviceGetPowerUsage, script.average_mw)
NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, script.generation)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, script.width)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, 5)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, 16)
NUMBER(nvmlDeviceGetPersistenceMode, 0)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, 600000)
NUMBER(nvmlDeviceGetPowerManagementLimit, 650000)
NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, 700000)

/* Clocks: 1 is the SM's, 2 the memory's. */
#define INDEXED(symbol, value)                         \
    int symbol(void *device, int kind, unsigned *out); \
    int symbol(void *device, int kind, unsigned *out)  \
    {                                                  \
        (void)device;                                  \
        return number(AT_##symbol, out, value);        \
    }
INDEXED(nvmlDeviceGetClockInfo, kind == 1 ? script.sm_mhz : kind == 2 ? script.memory_mhz : 0)
INDEXED(nvmlDeviceGetMaxClockInfo, kind == 1 ? script.sm_max_mhz : kind == 2 ? 3201 : 0)
INDEXED(nvmlDeviceGetTemperature, kind == 0 ? script.temperature_c : 0)

int nvmlDeviceGetClock(void *device, int kind, int id, unsigned *out);
int nvmlDeviceGetClock(void *device, int kind, int id, unsigned *out)
{
    (void)device;
    unsigned clock = kind == 1 ? script.sm_mhz : script.memory_mhz;
    return number(AT_nvmlDeviceGetClock, out, id == 0 ? clock : 7);
}

struct temperature {
    unsigned version;
    int sensor, value;
};
int nvmlDeviceGetTemperatureV(void *device, struct temperature *out);
int nvmlDeviceGetTemperatureV(void *device, struct temperature *out)
{
    (void)device;
    if (out->version != (sizeof *out | 1u << 24))
        return VERSION;
    unsigned value = 0;
    int code = number(AT_nvmlDeviceGetTemperatureV, &value, script.temperature_c);
    out->value = (int)value;
    return code;
}

int nvmlDeviceGetUtilizationRates(void *device, unsigned out[2]);
int nvmlDeviceGetUtilizationRates(void *device, unsigned out[2])
{
    (void)device;
    out[1] = 40;
    return number(AT_nvmlDeviceGetUtilizationRates, out, script.busy_percent);
}

#define COUNTER(symbol, value)                         \
    int symbol(void *device, unsigned long long *out); \
    int symbol(void *device, unsigned long long *out)  \
    {                                                  \
        (void)device;                                  \
        int code = called(AT_##symbol);                \
        *out = code ? *out : value;                    \
        return code;                                   \
    }
COUNTER(nvmlDeviceGetCurrentClocksEventReasons, script.reasons)
COUNTER(nvmlDeviceGetCurrentClocksThrottleReasons, script.reasons)
COUNTER(nvmlDeviceGetTotalEnergyConsumption, script.energy_mj)

#define MODE(symbol, value)                                         \
    int symbol(void *device, unsigned *current, unsigned *pending); \
    int symbol(void *device, unsigned *current, unsigned *pending)  \
    {                                                               \
        (void)device;                                               \
        *pending = 1;                                               \
        return number(AT_##symbol, current, value);                 \
    }
MODE(nvmlDeviceGetEccMode, script.ecc)
MODE(nvmlDeviceGetMigMode, 0)

struct field {
    unsigned id, scope;
    long long timestamp, latency;
    int type, code;
    union {
        unsigned number;
        unsigned long long wide;
    } value;
};
int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields);
int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields)
{
    (void)device;
    int code = called(AT_nvmlDeviceGetFieldValues);
    for (int i = 0; i < count && code == 0; i++) {
        fields[i].code = fields[i].id == 186 || fields[i].id == 83 ? 0 : 2;
        fields[i].type = fields[i].id == 186 ? 1 : 3;
        if (fields[i].id == 186)
            fields[i].value.number = script.power_mw;
        else
            fields[i].value.wide = script.energy_mj;
    }
    return code;
}

struct process {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};
static int processes(int symbol, unsigned *count, struct process *list)
{
    unsigned room = *count;
    int code = called(symbol);
    *count = script.processes;
    for (unsigned i = 0; i < script.processes && i < room && i < 4 && code == 0; i++)
        list[i] = (struct process){.pid = script.pid[i]};
    return code ? code : script.processes > room ? TOO_SMALL : 0;
}

#define PROCESSES(symbol)                                            \
    int symbol(void *device, unsigned *count, struct process *list); \
    int symbol(void *device, unsigned *count, struct process *list)  \
    {                                                                \
        (void)device;                                                \
        return processes(AT_##symbol, count, list);                  \
    }
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3)
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v2)
