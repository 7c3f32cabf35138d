/* script.h: what the stand-in for the driver's management library does, and how a test tells it to. */
#ifndef TESTS_SCRIPT_H
#define TESTS_SCRIPT_H

#include <stdint.h>

/* Every symbol that the stand-in has. */
#define SCRIPT_SYMBOLS(EACH)                        \
    EACH(nvmlInit_v2)                               \
    EACH(nvmlInit)                                  \
    EACH(nvmlShutdown)                              \
    EACH(nvmlSystemGetDriverVersion)                \
    EACH(nvmlSystemGetNVMLVersion)                  \
    EACH(nvmlDeviceGetHandleByUUID)                 \
    EACH(nvmlDeviceGetHandleByPciBusId_v2)          \
    EACH(nvmlDeviceGetHandleByPciBusId)             \
    EACH(nvmlDeviceGetClockInfo)                    \
    EACH(nvmlDeviceGetClock)                        \
    EACH(nvmlDeviceGetMaxClockInfo)                 \
    EACH(nvmlDeviceGetTemperatureV)                 \
    EACH(nvmlDeviceGetTemperature)                  \
    EACH(nvmlDeviceGetPowerUsage)                   \
    EACH(nvmlDeviceGetFieldValues)                  \
    EACH(nvmlDeviceGetUtilizationRates)             \
    EACH(nvmlDeviceGetCurrPcieLinkGeneration)       \
    EACH(nvmlDeviceGetCurrPcieLinkWidth)            \
    EACH(nvmlDeviceGetMaxPcieLinkGeneration)        \
    EACH(nvmlDeviceGetMaxPcieLinkWidth)             \
    EACH(nvmlDeviceGetCurrentClocksEventReasons)    \
    EACH(nvmlDeviceGetCurrentClocksThrottleReasons) \
    EACH(nvmlDeviceGetTotalEnergyConsumption)       \
    EACH(nvmlDeviceGetEccMode)                      \
    EACH(nvmlDeviceGetMigMode)                      \
    EACH(nvmlDeviceGetPersistenceMode)              \
    EACH(nvmlDeviceGetEnforcedPowerLimit)           \
    EACH(nvmlDeviceGetPowerManagementLimit)         \
    EACH(nvmlDeviceGetPowerManagementDefaultLimit)  \
    EACH(nvmlDeviceGetComputeRunningProcesses_v3)   \
    EACH(nvmlDeviceGetComputeRunningProcesses_v2)

#define SCRIPT_NUMBER(symbol) AT_##symbol,
enum { SCRIPT_SYMBOLS(SCRIPT_NUMBER) SCRIPT_COUNT };

struct script {
    int code[SCRIPT_COUNT];  /* what each symbol returns; 0: success, and the value below */
    int calls[SCRIPT_COUNT]; /* how often it was called */
    int lost_after;          /* calls until the GPU is lost; below 0: never */
    unsigned sm_mhz, sm_max_mhz, memory_mhz, temperature_c, power_mw, average_mw, busy_percent;
    unsigned generation, width, ecc, processes;
    unsigned pid[4]; /* of the processes on the GPU */
    unsigned long long energy_mj, reasons;
    const char *gpu; /* the only bus id and the only uuid that are known */
    const char *uuid;
};

/* Exported beside the library's own functions. */
struct script *duel_script(void);

#endif
