/* The driver's library with something wrong: symbols missing, calls refused, the GPU gone, no library at all. Each
 * fault costs the values that hang on it, each with its reason, and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "tests/telemetry/watch.h"

#include "tests/unit/run_dir.h"

#define VALUES_AND_FACTS WATCH_ALL_VALUES WATCH_ALL_FACTS

/* What is unknown when one symbol does not work. A symbol that is not here has a substitute. */
static const struct loss {
    int symbol;
    const char *unknown;
} losses[] = {
    {AT_nvmlSystemGetDriverVersion, "driver? "},
    {AT_nvmlSystemGetNVMLVersion, "management_library? "},
    {AT_nvmlDeviceGetMaxClockInfo, "sm_clock_of_max clock_sm_max_mhz? clock_memory_max_mhz? "},
    {AT_nvmlDeviceGetUtilizationRates, "gpu_busy_percent "},
    {AT_nvmlDeviceGetCurrPcieLinkGeneration, "pcie_generation "},
    {AT_nvmlDeviceGetCurrPcieLinkWidth, "pcie_width "},
    {AT_nvmlDeviceGetMaxPcieLinkGeneration, "pcie_generation_max? "},
    {AT_nvmlDeviceGetMaxPcieLinkWidth, "pcie_width_max? "},
    {AT_nvmlDeviceGetEccMode, "ecc? "},
    {AT_nvmlDeviceGetMigMode, "mig? "},
    {AT_nvmlDeviceGetPersistenceMode, "persistence? "},
    {AT_nvmlDeviceGetPowerManagementDefaultLimit, "power_limit_default_w? "},
};

static const char *loss_of(int symbol)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (losses[i].symbol == symbol)
            return losses[i].unknown;
    return "";
}

static void a_missing_symbol_costs_what_hangs_on_it(void **state)
{
    struct watch *watch = *state;
    for (int symbol = 0; symbol < SCRIPT_COUNT; symbol++) {
        watch_library(watch, library_path(library_symbol(symbol)));
        watch_run(watch);
        if (watch->status != DUEL_OK)
            fail_msg("without %s: %s", library_symbol(symbol), watch->why.seen);
        assert_string_equal(watch_unknown(watch), loss_of(symbol));
        if (*loss_of(symbol)) {
            says(watch_why(watch, loss_of(symbol)), library_symbol(symbol));
            says(watch_why(watch, loss_of(symbol)), "not in this driver");
        }
    }
}

/* Each symbol answers with this error in turn. Without a device handle nothing can be had; without the list of
 * processes there is no older one to ask, since the list exists and may not be read. */
static void refused_one_by_one(struct watch *watch, int code, const char *words)
{
    for (int symbol = 0; symbol < SCRIPT_COUNT; symbol++) {
        bool opens = symbol != AT_nvmlInit_v2 && symbol != AT_nvmlDeviceGetHandleByPciBusId_v2;
        const char *unknown = symbol == AT_nvmlDeviceGetComputeRunningProcesses_v3 ? "gpu_processes_other? "
                              : opens                                              ? loss_of(symbol)
                                                                                   : VALUES_AND_FACTS;
        watch->script->code[symbol] = code;
        watch_run(watch);
        watch->script->code[symbol] = 0;
        assert_int_equal(watch->status, opens ? DUEL_OK : DUEL_SKIP);
        assert_string_equal(watch_unknown(watch), unknown);
        if (*unknown)
            says(watch_why(watch, unknown), words);
    }
}

static void a_refused_call_costs_what_hangs_on_it(void **state)
{
    refused_one_by_one(*state, 4, "no permission");
    refused_one_by_one(*state, 3, "not supported here");
    refused_one_by_one(*state, 26, "removed from this driver");
    refused_one_by_one(*state, 999, "unknown error in the driver");
    refused_one_by_one(*state, 4711, "error 4711");
}

static void a_card_that_tells_nothing_is_survived(void **state)
{
    struct watch *watch = *state;
    for (int symbol = AT_nvmlDeviceGetClockInfo; symbol < SCRIPT_COUNT; symbol++)
        watch->script->code[symbol] = 4;
    watch_run(watch);
    assert_string_equal(watch_unknown(watch),
                        WATCH_ALL_VALUES "ecc? mig? persistence? power_limit_w? power_limit_default_w? "
                                         "clock_sm_max_mhz? clock_memory_max_mhz? pcie_generation_max? "
                                         "pcie_width_max? gpu_processes_other? ");
    assert_string_equal(watch_why(watch, "sm_clock_mhz "), "nvmlDeviceGetClockInfo: no permission");
    assert_string_equal(watch_why(watch, "gpu_energy_j "), "nvmlDeviceGetTotalEnergyConsumption: no permission");
}

static int calls(const struct script *script)
{
    int total = 0;
    for (int symbol = 0; symbol < SCRIPT_COUNT; symbol++)
        total += script->calls[symbol];
    return total;
}

/* Wherever it happens: what was read before stays, what comes after is named, and the library is left alone. */
static void a_gpu_lost_at_any_call_is_survived(void **state)
{
    struct watch *watch = *state;
    watch_run(watch);
    int normal = calls(watch->script);
    for (int alive = 2; alive < normal; alive++) { /* with nvmlInit and a handle it begins */
        watch_library(watch, library_path(NULL));
        watch->script->lost_after = alive;
        watch_run(watch);
        assert_int_equal(watch->status, DUEL_OK);
        assert_int_equal(calls(watch->script), alive + 1);
        says(watch_unknown(watch), "gpu_processes_other? ");
        says(watch->facts_why, "GPU lost: it fell off the bus");
    }
}

static void a_gpu_lost_between_two_polls_keeps_what_was_read(void **state)
{
    struct watch *watch = *state;
    watch_open(watch);
    telemetry_begin(watch->telemetry);
    telemetry_poll(watch->telemetry);
    watch->clock += 4;
    watch->script->lost_after = 0;
    telemetry_poll(watch->telemetry);
    const struct duel_telemetry_summary *of = watch_end(watch);
    assert_int_equal(of->sm_clock_mhz.count, 1);
    same_number(of->sm_clock_mhz.median, 1830);
    assert_string_equal(of->sm_clock_mhz.why, "nvmlDeviceGetClockInfo: GPU lost: it fell off the bus");
    assert_string_equal(watch_unknown(watch), "sm_clock_of_max gpu_energy_j ");
    says(of->gpu_energy_j.why, "GPU lost");
}

static void refuses(struct watch *watch, const char *library, const char *gpu, const char *words)
{
    char *own = (char *)(uintptr_t)watch->library;
    watch->library = library;
    watch->gpu = gpu;
    watch_run(watch);
    watch->library = own;
    assert_int_equal(watch->status, DUEL_SKIP);
    says(watch->why.seen, words);
    assert_true(*watch->why.matters && *watch->why.next);
    assert_string_equal(watch_unknown(watch), VALUES_AND_FACTS);
    says(watch_why(watch, "power_w "), words);
}

static void a_library_that_cannot_be_used_is_named(void **state)
{
    struct watch *watch = *state;
    const char *right = watch->gpu;
    refuses(watch, "/nowhere/libnvidia-ml.so.1", right, "no management library: /nowhere/libnvidia-ml.so.1");
    machine_put("text.so", "no library\n");
    refuses(watch, run_dir_path("text.so"), right, "no management library");
    refuses(watch, "libm.so.6", right, "it has no nvmlInit");
    refuses(watch, watch->library, "0000:99:00.0", "nvmlDeviceGetHandleByPciBusId_v2: not found");
    refuses(watch, watch->library, "GPU-ffffffff", "nvmlDeviceGetHandleByUUID: not found");
    refuses(watch, watch->library, "MIG-ffffffff", "nvmlDeviceGetHandleByUUID: not found");
    watch->script->code[AT_nvmlInit_v2] = 9;
    refuses(watch, watch->library, right, "nvmlInit: the driver is not loaded");
    watch->script->code[AT_nvmlInit_v2] = 18;
    refuses(watch, watch->library, right, "driver and library have different versions");
}

static void a_card_is_found_by_its_uuid(void **state)
{
    struct watch *watch = *state;
    watch->gpu = watch->script->uuid;
    watch_run(watch);
    assert_string_equal(watch_unknown(watch), "");
}

static void the_environment_names_the_library(void **state)
{
    struct watch *watch = *state;
    char *own = (char *)(uintptr_t)watch->library;
    watch->library = NULL;
    assert_int_equal(setenv("DUEL_NVML", own, 1), 0);
    watch_run(watch);
    assert_string_equal(watch_unknown(watch), "");
    assert_int_equal(setenv("DUEL_NVML", "/nowhere/other.so", 1), 0);
    watch_run(watch);
    says(watch->why.seen, "/nowhere/other.so");
    assert_int_equal(unsetenv("DUEL_NVML"), 0);
    watch->library = own;
}

/* What was opened is closed, as often as it was opened. */
static void the_library_is_shut_down_as_often_as_it_was_opened(void **state)
{
    struct watch *watch = *state;
    for (int i = 0; i < 3; i++)
        watch_run(watch);
    telemetry_close(watch->telemetry);
    watch->telemetry = NULL;
    assert_int_equal(watch->script->calls[AT_nvmlInit_v2], 3);
    assert_int_equal(watch->script->calls[AT_nvmlShutdown], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCH_TEST(a_missing_symbol_costs_what_hangs_on_it),
        WATCH_TEST(a_refused_call_costs_what_hangs_on_it),
        WATCH_TEST(a_card_that_tells_nothing_is_survived),
        WATCH_TEST(a_gpu_lost_at_any_call_is_survived),
        WATCH_TEST(a_gpu_lost_between_two_polls_keeps_what_was_read),
        WATCH_TEST(a_library_that_cannot_be_used_is_named),
        WATCH_TEST(a_card_is_found_by_its_uuid),
        WATCH_TEST(the_environment_names_the_library),
        WATCH_TEST(the_library_is_shut_down_as_often_as_it_was_opened),
    };
    return cmocka_run_group_tests(tests, library_make, library_drop);
}
