/* host.c: facts of machines that are not this one, read from copies of their /proc, /sys and /etc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/directory.h"
#include "bench/record/facts.h"
#include "bench/record/host.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

#define CPU "sys/devices/system/cpu/"

/* Writes a file below the made-up root, with its directories. */
static void put(const char *name, const char *text)
{
    char *path = strdup(run_dir_path(name));
    *strrchr(path, '/') = '\0';
    assert_int_equal(directory_make(path, NULL), DUEL_OK);
    free(path);
    run_dir_write(name, text);
}

static json_t *host_of(const char *root, bool identify)
{
    struct duel_record record;
    record_init(&record, "host");
    host_record(&record, root, identify);
    assert_false(record.failed);
    return record.object;
}

static const char *text_of(const json_t *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record, name));
    return text ? text : "(absent)";
}

static long long count_of(const json_t *record, const char *name)
{
    const json_t *value = json_object_get(record, name);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

static void the_clock_is_described(void **state)
{
    (void)state;
    json_t *record = host_of("", false);
    const double step = json_real_value(json_object_get(record, "clock_resolution_s"));
    const double cost = json_real_value(json_object_get(record, "clock_read_s"));
    assert_string_equal(text_of(record, "clock"), "CLOCK_MONOTONIC_RAW");
    assert_true(step > 0 && step < 1e-3 && cost > 0 && cost < 1e-3);
    json_decref(record);
}

static void reads_an_x86_server(void **state)
{
    (void)state;
    put("proc/cpuinfo", "processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9554\nflags\t\t: fpu hypervisor sse\n");
    put("proc/meminfo", "MemTotal:       1024 kB\nMemFree: 1 kB\nMemAvailable:    512 kB\n");
    put("proc/sys/kernel/osrelease", "6.1.0-test\n");
    put("proc/self/status", "Name:\tduel\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,8\n");
    put("etc/os-release", "NAME=\"Other\"\nPRETTY_NAME=\"Debian 12\"\n");
    put(CPU "smt/active", "1\n");
    put(CPU "cpu0/cpufreq/scaling_governor", "powersave\n");
    put(CPU "cpu0/cache/index0/level", "1\n");
    put(CPU "cpu0/cache/index0/type", "Data\n");
    put(CPU "cpu0/cache/index0/size", "32K\n");
    put(CPU "cpu0/cache/index1/level", "1\n");
    put(CPU "cpu0/cache/index1/type", "Instruction\n");
    put(CPU "cpu0/cache/index1/size", "64K\n");
    put(CPU "cpu0/cache/index2/level", "3\n");
    put(CPU "cpu0/cache/index2/type", "Unified\n");
    put(CPU "cpu0/cache/index2/size", "32M\n");
    put("sys/devices/system/node/online", "0-1\n");
    json_t *host = host_of(run_dir(), false);
    assert_string_equal(text_of(host, "cpu_model"), "AMD EPYC 9554");
    assert_true(json_is_true(json_object_get(host, "virtual_machine")));
    assert_true(json_is_true(json_object_get(host, "smt")));
    assert_string_equal(text_of(host, "os"), "Debian 12");
    assert_string_equal(text_of(host, "kernel"), "6.1.0-test");
    assert_string_equal(text_of(host, "cpus_allowed"), "0-3,8");
    assert_string_equal(text_of(host, "governor"), "powersave");
    assert_int_equal(count_of(host, "memory_bytes"), 1024 * 1024);
    assert_int_equal(count_of(host, "memory_free_bytes"), 512 * 1024);
    assert_int_equal(count_of(host, "l1d_bytes"), 32 * 1024);
    assert_int_equal(count_of(host, "l3_bytes"), 32 * 1024 * 1024);
    assert_int_equal(count_of(host, "numa_nodes"), 2);
    json_decref(host);
}

static void names_arm_processors(void **state)
{
    (void)state;
    put("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
    json_t *host = host_of(run_dir(), false);
    assert_string_equal(text_of(host, "cpu_model"), "Arm Neoverse V2");
    assert_string_equal(text_of(host, "virtual_machine_why"), "this processor does not tell");
    json_decref(host);
    put("proc/cpuinfo", "CPU implementer\t: 0x99\nCPU part\t: 0x123\n");
    host = host_of(run_dir(), false);
    assert_string_equal(text_of(host, "cpu_model"), "implementer 0x99 part 0x123");
    json_decref(host);
    put("proc/device-tree/model", "Some Board Rev 1.1");
    host = host_of(run_dir(), false);
    assert_string_equal(text_of(host, "cpu_model"), "Some Board Rev 1.1");
    json_decref(host);
}

static void silent_machine_gives_reasons(void **state)
{
    (void)state;
    static const char *const silent[] = {"cpu_model", "governor", "memory_bytes", "smt", "kernel", "numa_nodes"};
    json_t *host = host_of(run_dir(), false);
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        char why[64];
        snprintf(why, sizeof why, "%s_why", silent[i]);
        assert_null(json_object_get(host, silent[i]));
        assert_non_null(json_object_get(host, why));
    }
    json_decref(host);
}

static void this_machine_tells_what_matters(void **state)
{
    (void)state;
    json_t *host = host_of("", false);
    assert_true(count_of(host, "cpus_usable") >= 1);
    assert_true(count_of(host, "cpus_online") >= count_of(host, "cpus_usable"));
    assert_true(count_of(host, "memory_bytes") > 1 << 20);
    assert_string_not_equal(text_of(host, "compiler"), "(absent)");
    json_decref(host);
}

static void names_are_hashed_unless_asked(void **state)
{
    (void)state;
    char hash[32], again[32], other[32];
    json_t *hidden = host_of("", false), *open = host_of("", true);
    assert_null(json_object_get(hidden, "host_name"));
    assert_string_equal(text_of(hidden, "host_id"), text_of(open, "host_id"));
    const char *name = text_of(open, "host_name");
    identity_hash(name, hash, sizeof hash);
    assert_string_equal(text_of(hidden, "host_id"), hash);
    identity_hash("b", again, sizeof again);
    assert_string_equal(again, "fnv1a:af63df4c8601f1a5"); /* the published FNV-1a of "b" */
    identity_hash("c", other, sizeof other);
    assert_string_not_equal(again, other);
    json_decref(hidden);
    json_decref(open);
}

static void environment_holds_only_what_matters(void **state)
{
    (void)state;
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("NVIDIA_API_KEY", "secret", 1);
    setenv("CUDA_VISIBLE_DEVICES", "GPU-1234", 1);
    json_t *host = host_of("", false), *open = host_of("", true);
    const json_t *variables = json_object_get(host, "environment");
    assert_string_equal(text_of(variables, "OMP_NUM_THREADS"), "3");
    assert_null(json_object_get(variables, "NVIDIA_API_KEY"));
    assert_int_equal(strncmp(text_of(variables, "CUDA_VISIBLE_DEVICES"), "fnv1a:", 6), 0);
    assert_string_equal(text_of(json_object_get(open, "environment"), "CUDA_VISIBLE_DEVICES"), "GPU-1234");
    json_decref(host);
    json_decref(open);
}

static void understands_lists_and_sizes(void **state)
{
    (void)state;
    assert_int_equal(facts_list_length("0"), 1);
    assert_int_equal(facts_list_length("0-3,8"), 5);
    assert_int_equal(facts_list_length(""), -1);
    assert_int_equal(facts_list_length("3-1"), -1);
    assert_int_equal(facts_list_length("0-3,"), -1);
    assert_int_equal(facts_list_length("x"), -1);
    assert_int_equal(facts_bytes("512"), 512);
    assert_int_equal(facts_bytes("32K"), 32768);
    assert_int_equal(facts_bytes("1024 kB"), 1048576);
    assert_int_equal(facts_bytes("8M"), 8388608);
    assert_int_equal(facts_bytes("many"), -1);
    assert_int_equal(facts_bytes("9000000000000000000G"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_is_described),
        RUN_DIR_TEST(reads_an_x86_server),
        RUN_DIR_TEST(names_arm_processors),
        RUN_DIR_TEST(silent_machine_gives_reasons),
        cmocka_unit_test(this_machine_tells_what_matters),
        cmocka_unit_test(names_are_hashed_unless_asked),
        cmocka_unit_test(environment_holds_only_what_matters),
        cmocka_unit_test(understands_lists_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
