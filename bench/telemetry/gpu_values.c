/* gpu_values.c: every value of a GPU, and the ways to it, the one to prefer first. */
#include "bench/telemetry/gpu_call.h"

#include <string.h>

/* Kinds of clocks and numbers of fields in nvml.h. */
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0, FIELD_ENERGY = 83, FIELD_POWER_NOW = 186 };

/* clang-format off */
const struct gpu_value_row gpu_value_table[GPU_VALUES] = {
    [GPU_SM_CLOCK] = {"an SM clock", " MHz", 1, 10, 10000,
        {{"nvmlDeviceGetClockInfo", SHAPE_INDEXED, CLOCK_SM}, {"nvmlDeviceGetClock", SHAPE_CLOCK, CLOCK_SM}}},
    [GPU_MEMORY_CLOCK] = {"a memory clock", " MHz", 1, 10, 20000,
        {{"nvmlDeviceGetClockInfo", SHAPE_INDEXED, CLOCK_MEMORY}, {"nvmlDeviceGetClock", SHAPE_CLOCK, CLOCK_MEMORY}}},
    /* The second is deprecated since CUDA 13.0 and leaves with 14.0. Of a card at work, 0 and -1 mean "unknown". */
    [GPU_TEMPERATURE] = {"a temperature", " degrees C", 1, 1, 150,
        {{"nvmlDeviceGetTemperatureV", SHAPE_TEMPERATURE, SENSOR_GPU},
         {"nvmlDeviceGetTemperature", SHAPE_INDEXED, SENSOR_GPU}}},
    /* The second averages over a second on most cards since Ampere, and would mix in what ran before. */
    [GPU_POWER] = {"a power", " W", 1e-3, 0.1, 10000,
        {{"nvmlDeviceGetFieldValues", SHAPE_FIELD, FIELD_POWER_NOW}, {"nvmlDeviceGetPowerUsage", SHAPE_NUMBER, 0}}},
    [GPU_BUSY] = {"a utilisation", " %", 1, 0, 100, {{"nvmlDeviceGetUtilizationRates", SHAPE_RATES, 0}}},
    [GPU_LINK_GENERATION] = {"a PCIe generation", "", 1, 1, 16,
        {{"nvmlDeviceGetCurrPcieLinkGeneration", SHAPE_NUMBER, 0}}},
    [GPU_LINK_WIDTH] = {"a PCIe width", " lanes", 1, 1, 64, {{"nvmlDeviceGetCurrPcieLinkWidth", SHAPE_NUMBER, 0}}},
    /* Throttle was renamed to event with CUDA 12.2; the old name leaves with 14.0. */
    [GPU_CLOCK_REASONS] = {"a set of reasons", "", 1, 0, 4503599627370496.0,
        {{"nvmlDeviceGetCurrentClocksEventReasons", SHAPE_COUNTER, 0},
         {"nvmlDeviceGetCurrentClocksThrottleReasons", SHAPE_COUNTER, 0}}},
    [GPU_ENERGY] = {"an energy", " J", 1e-3, 0, 1e13,
        {{"nvmlDeviceGetTotalEnergyConsumption", SHAPE_COUNTER, 0},
         {"nvmlDeviceGetFieldValues", SHAPE_FIELD, FIELD_ENERGY}}},
    [GPU_ECC] = {"an ECC mode", "", 1, 0, 1, {{"nvmlDeviceGetEccMode", SHAPE_PAIR, 0}}},
    [GPU_MIG] = {"a MIG mode", "", 1, 0, 1, {{"nvmlDeviceGetMigMode", SHAPE_PAIR, 0}}},
    [GPU_PERSISTENCE] = {"a persistence mode", "", 1, 0, 1, {{"nvmlDeviceGetPersistenceMode", SHAPE_NUMBER, 0}}},
    [GPU_POWER_LIMIT] = {"a power limit", " W", 1e-3, 0.1, 10000,
        {{"nvmlDeviceGetEnforcedPowerLimit", SHAPE_NUMBER, 0},
         {"nvmlDeviceGetPowerManagementLimit", SHAPE_NUMBER, 0}}},
    [GPU_POWER_LIMIT_DEFAULT] = {"a power limit", " W", 1e-3, 0.1, 10000,
        {{"nvmlDeviceGetPowerManagementDefaultLimit", SHAPE_NUMBER, 0}}},
    [GPU_SM_CLOCK_MAX] = {"an SM clock", " MHz", 1, 10, 10000,
        {{"nvmlDeviceGetMaxClockInfo", SHAPE_INDEXED, CLOCK_SM}}},
    [GPU_MEMORY_CLOCK_MAX] = {"a memory clock", " MHz", 1, 10, 20000,
        {{"nvmlDeviceGetMaxClockInfo", SHAPE_INDEXED, CLOCK_MEMORY}}},
    [GPU_LINK_GENERATION_MAX] = {"a PCIe generation", "", 1, 1, 16,
        {{"nvmlDeviceGetMaxPcieLinkGeneration", SHAPE_NUMBER, 0}}},
    [GPU_LINK_WIDTH_MAX] = {"a PCIe width", " lanes", 1, 1, 64, {{"nvmlDeviceGetMaxPcieLinkWidth", SHAPE_NUMBER, 0}}},
};
/* clang-format on */

/* ---- why the clock is not higher -------------------------------------------------------------------------------- */

static const struct {
    uint64_t bit;
    const char *word;
    bool limits; /* power or heat */
} reasons[] = {
    {0x1, "idle", false},
    {0x2, "application clocks", false},
    {0x4, "power cap", true},
    {0x8, "hardware slowdown", true},
    {0x10, "sync boost", false},
    {0x20, "thermal slowdown by the driver", true},
    {0x40, "thermal slowdown by the hardware", true},
    {0x80, "power brake", true},
    {0x100, "display clocks", false},
};

void gpu_reason_words(uint64_t bits, char *words, size_t size)
{
    size_t at = 0;
    snprintf(words, size, "none");
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (!(bits & reasons[i].bit))
            continue;
        snprintf(words + at, size - at, "%s%s", at ? ", " : "", reasons[i].word);
        at = strlen(words);
        bits &= ~reasons[i].bit;
    }
    if (bits)
        snprintf(words + at, size - at, "%sreason 0x%llx", at ? ", " : "", (unsigned long long)bits);
}

bool gpu_reason_limits(uint64_t bits)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].limits && (bits & reasons[i].bit))
            return true;
    return false;
}
