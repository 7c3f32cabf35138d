/* watch.h: one GPU behind the stand-in library, watched for an interval, and what was unknown afterwards. */
#ifndef TESTS_WATCH_H
#define TESTS_WATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/telemetry/machine.h"

#define WATCH_ALL_VALUES                                                                               \
    "sm_clock_mhz memory_clock_mhz temperature_c power_w gpu_busy_percent pcie_generation pcie_width " \
    "sm_clock_of_max clock_reasons gpu_energy_j "
#define WATCH_ALL_FACTS                                                                                           \
    "driver? management_library? ecc? mig? persistence? power_limit_w? power_limit_default_w? clock_sm_max_mhz? " \
    "clock_memory_max_mhz? pcie_generation_max? pcie_width_max? gpu_processes_other? "

struct watch {
    const char *library; /* path of the stand-in; NULL: found through the environment */
    const char *gpu;
    void *handle;
    struct script *script;
    double clock, tick, seconds; /* host clock, what each look at it adds, length of an interval */
    long long energy_step_mj;    /* used in each interval */
    struct duel_telemetry *telemetry;
    enum duel_status status; /* of telemetry_open */
    struct duel_why why;
    struct duel_telemetry_summary summary;
    char facts[4000], facts_why[4000]; /* "name=value name? ", and the reasons of the latter */
};

/* Set-up and tear-down of a test whose state is a struct watch on the whole library. */
int watch_make(void **state);
int watch_drop(void **state);
#define WATCH_TEST(name) cmocka_unit_test_setup_teardown(name, watch_make, watch_drop)

/* Takes another library, such as one without a symbol; its script is fresh. */
void watch_library(struct watch *watch, const char *path);
void watch_open(struct watch *watch); /* closes what was open */
/* Ends the interval; the summary is watch->summary. */
const struct duel_telemetry_summary *watch_end(struct watch *watch);
/* All of it: open, an interval with two polls, end, facts. */
void watch_run(struct watch *watch);
/* Names of the GPU's unknown values, each with a blank behind it, then of its unknown facts, each with "? ". Fails the
 * test when an unknown value has no reason or a known one is not finite. */
const char *watch_unknown(const struct watch *watch);
/* Why the first value in `names` is unknown. */
const char *watch_why(const struct watch *watch, const char *names);

#endif
