/* host.c: the host record. Most facts are one value in one file and stand in a table; the others have a function. */
#include "bench/record/host.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include "bench/record/clock.h"
#include "bench/record/facts.h"

/* The build passes these; a file compiled by hand has none. */
#ifndef DUEL_CFLAGS
#define DUEL_CFLAGS ""
#endif
#ifndef DUEL_GIT
#define DUEL_GIT ""
#endif

#define CPU "/sys/devices/system/cpu/"

extern char **environ;

enum fact_kind { FACT_TEXT, FACT_NUMBER, FACT_BYTES, FACT_YES, FACT_LENGTH };

static const struct fact {
    const char *name;
    enum fact_kind kind;
    const char *path, *key;
    const char *why; /* when the file or the key is not there */
} facts[] = {
    {"os", FACT_TEXT, "/etc/os-release", "PRETTY_NAME", "the system does not tell its name"},
    {"kernel", FACT_TEXT, "/proc/sys/kernel/osrelease", NULL, "/proc is not readable"},
    {"cpus_allowed", FACT_TEXT, "/proc/self/status", "Cpus_allowed_list", "/proc is not readable"},
    {"cpu_quota", FACT_TEXT, "/sys/fs/cgroup/cpu.max", NULL, NULL},
    {"smt", FACT_YES, CPU "smt/active", NULL, "the kernel does not tell"},
    {"numa_nodes", FACT_LENGTH, "/sys/devices/system/node/online", NULL, "the kernel does not tell"},
    {"governor", FACT_TEXT, CPU "cpu0/cpufreq/scaling_governor", NULL, "no frequency control is visible here"},
    {"boost", FACT_YES, CPU "cpufreq/boost", NULL, "the frequency driver does not tell"},
    {"cpu_max_khz", FACT_NUMBER, CPU "cpu0/cpufreq/cpuinfo_max_freq", NULL, "no frequency control is visible here"},
    {"memory_bytes", FACT_BYTES, "/proc/meminfo", "MemTotal", "/proc is not readable"},
    {"memory_free_bytes", FACT_BYTES, "/proc/meminfo", "MemAvailable", "/proc is not readable"},
    {"transparent_huge_pages", FACT_TEXT, "/sys/kernel/mm/transparent_hugepage/enabled", NULL, NULL},
};

static void add_fact(struct duel_record *record, const char *root, const struct fact *fact)
{
    char value[256];
    if (!facts_read(root, fact->path, fact->key, value, sizeof value))
        record_why(record, fact->name, fact->why);
    else if (fact->kind == FACT_TEXT)
        record_text(record, fact->name, value, NULL);
    else if (fact->kind == FACT_YES)
        record_flag(record, fact->name, strcmp(value, "1") == 0);
    else if (fact->kind == FACT_LENGTH)
        record_count(record, fact->name, facts_list_length(value), "not a list that can be read");
    else
        record_count(record, fact->name, facts_bytes(value), "not a number");
}

/* ---- the processor ------------------------------------------------------------------------------------------------
 */

/* ARM processors tell numbers, not names: implementer and part of the Main ID Register. */
static const struct arm_part {
    const char *implementer, *part, *name;
} arm_parts[] = {
    {"0x41", "0xd08", "Arm Cortex-A72"},    {"0x41", "0xd0b", "Arm Cortex-A76"},  {"0x41", "0xd0c", "Arm Neoverse N1"},
    {"0x41", "0xd40", "Arm Neoverse V1"},   {"0x41", "0xd49", "Arm Neoverse N2"}, {"0x41", "0xd4f", "Arm Neoverse V2"},
    {"0x41", "0xd83", "Arm Neoverse V3AE"}, {"0x46", "0x001", "Fujitsu A64FX"},   {"0x4e", "0x004", "NVIDIA Carmel"},
    {"0xc0", "0xac3", "Ampere-1"},          {"0xc0", "0xac4", "Ampere-1a"},
};

static void cpu_model(const char *root, char *model, size_t size)
{
    char implementer[16], part[16];
    if (facts_read(root, "/proc/cpuinfo", "model name", model, size) ||
        facts_read(root, "/proc/device-tree/model", NULL, model, size))
        return;
    if (!facts_read(root, "/proc/cpuinfo", "CPU implementer", implementer, sizeof implementer) ||
        !facts_read(root, "/proc/cpuinfo", "CPU part", part, sizeof part))
        return;
    snprintf(model, size, "implementer %s part %s", implementer, part);
    for (size_t i = 0; i < sizeof arm_parts / sizeof *arm_parts; i++)
        if (strcmp(implementer, arm_parts[i].implementer) == 0 && strcmp(part, arm_parts[i].part) == 0)
            snprintf(model, size, "%s", arm_parts[i].name);
}

static int64_t usable_cpus(void)
{
    for (size_t most = 1024; most <= 1 << 16; most *= 4) {
        size_t size = CPU_ALLOC_SIZE(most);
        cpu_set_t *set = CPU_ALLOC(most);
        int64_t count = set && sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : -1;
        int error = errno;
        CPU_FREE(set);
        if (count > 0 || error != EINVAL) /* EINVAL: the machine has more CPUs than the set can hold */
            return count > 0 ? count : -1;
    }
    return -1;
}

/* Caches of CPU 0. Instruction caches do not matter here; a level that occurs twice keeps its first entry. */
static void add_caches(struct duel_record *record, const char *root)
{
    for (int i = 0; i < 8; i++) {
        char path[96], level[8], type[24], size[24], name[24];
        int base = snprintf(path, sizeof path, CPU "cpu0/cache/index%d/", i);
        size_t room = sizeof path - (size_t)base;
        snprintf(path + base, room, "type");
        if (!facts_read(root, path, NULL, type, sizeof type) || strcmp(type, "Instruction") == 0)
            continue;
        snprintf(path + base, room, "level");
        if (!facts_read(root, path, NULL, level, sizeof level))
            continue;
        snprintf(path + base, room, "size");
        if (!facts_read(root, path, NULL, size, sizeof size))
            continue;
        snprintf(name, sizeof name, "l%s%s_bytes", level, strcmp(type, "Data") == 0 ? "d" : "");
        record_count(record, name, facts_bytes(size), NULL);
    }
}

static void add_processor(struct duel_record *record, const char *root)
{
    char model[160] = "", flags[8192];
    cpu_model(root, model, sizeof model);
    record_text(record, "cpu_model", model, "/proc/cpuinfo does not tell");
    record_count(record, "cpus_online", sysconf(_SC_NPROCESSORS_ONLN), "the system does not tell");
    record_count(record, "cpus_usable", usable_cpus(), "the system does not tell");
    add_caches(record, root);
    if (facts_read(root, "/proc/cpuinfo", "flags", flags, sizeof flags))
        record_flag(record, "virtual_machine", strstr(flags, " hypervisor") != NULL);
    else
        record_why(record, "virtual_machine", "this processor does not tell");
}

/* ---- software -----------------------------------------------------------------------------------------------------
 */

#if defined(__clang__)
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

#if defined(__x86_64__)
#define ARCHITECTURE "x86_64"
#elif defined(__aarch64__)
#define ARCHITECTURE "aarch64"
#else
#define ARCHITECTURE ""
#endif

static void add_software(struct duel_record *record)
{
    char library[64] = "";
#if defined(__GLIBC__)
    snprintf(library, sizeof library, "glibc %s", gnu_get_libc_version());
#endif
    record_text(record, "architecture", ARCHITECTURE, "not one of x86_64 and aarch64");
    record_text(record, "compiler", COMPILER, NULL);
    record_text(record, "compiler_flags", DUEL_CFLAGS, "not told by the build");
    bool known = strcmp(DUEL_GIT, "unknown") != 0;
    record_text(record, "git", known ? DUEL_GIT : "", "not built from a git checkout");
    record_text(record, "c_library", library, "not the GNU C library");
}

/* Variables, or beginnings of their names, that change how many threads run, where, and with which code. Only these:
 * an environment also holds passwords. */
static const char *const variable_prefix[] = {
    "OMP_",          "GOMP_",       "KMP_",       "OPENBLAS_",  "GOTO_",       "BLIS_",       "MKL_",
    "CUDA_VISIBLE_", "CUDA_DEVICE", "CUDA_FORCE", "CUDA_CACHE", "CUDA_LAUNCH", "CUDA_MODULE", "NVIDIA_TF32_OVERRIDE",
};

static bool is_recorded(const char *entry)
{
    for (size_t i = 0; i < sizeof variable_prefix / sizeof *variable_prefix; i++)
        if (strncmp(entry, variable_prefix[i], strlen(variable_prefix[i])) == 0)
            return true;
    return false;
}

static void add_environment(struct duel_record *record, bool identify)
{
    json_t *variables = json_object();
    for (char **entry = environ; *entry && variables; entry++) {
        const char *equals = strchr(*entry, '=');
        if (!equals || !is_recorded(*entry))
            continue;
        char name[128], hash[32];
        snprintf(name, sizeof name, "%.*s", (int)(equals - *entry < 120 ? equals - *entry : 120), *entry);
        /* CUDA_VISIBLE_DEVICES may hold the UUIDs of GPUs. */
        bool uuid = strstr(equals, "GPU-") || strstr(equals, "MIG-");
        identity_hash(equals + 1, hash, sizeof hash);
        if (json_object_set_new(variables, name, record_string(uuid && !identify ? hash : equals + 1)) != 0)
            record->failed = true;
    }
    record_json(record, "environment", variables);
}

/* ---- identity and the record ----------------------------------------------------------------------------------------
 */

void identity_hash(const char *text, char *hash, size_t size)
{
    uint64_t value = 0xcbf29ce484222325u;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3u;
    snprintf(hash, size, "fnv1a:%016" PRIx64, value);
}

void host_record(struct duel_record *record, const char *root, bool identify)
{
    char name[256] = "", hash[32] = "";
    double step_s, read_s;
    if (gethostname(name, sizeof name - 1) == 0 && *name)
        identity_hash(name, hash, sizeof hash);
    record_text(record, "host_id", hash, "the host has no name");
    if (identify)
        record_text(record, "host_name", name, "the host has no name");
    add_processor(record, root);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        add_fact(record, root, &facts[i]);
    clock_probe(&step_s, &read_s);
    record_text(record, "clock", "CLOCK_MONOTONIC_RAW", NULL);
    record_real(record, "clock_resolution_s", step_s, "the clock did not move");
    record_real(record, "clock_read_s", read_s, "the clock did not move");
    add_software(record);
    add_environment(record, identify);
}

static bool names_one_piece(const char *property)
{
    return strstr(property, "uuid") || strstr(property, "serial");
}

void device_record(struct duel_record *record, const struct duel_device_info *info, bool identify)
{
    record_text(record, "name", info->name, "no device");
    record_flag(record, "usable", info->usable);
    record_text(record, "status", info->status, NULL);
    record_text(record, "reason", info->why.seen, NULL);
    record_count(record, "memory_bytes", info->memory_bytes ? (int64_t)info->memory_bytes : -1, "not told");
    record_count(record, "memory_free_bytes", info->memory_free_bytes ? (int64_t)info->memory_free_bytes : -1, NULL);
    record_count(record, "compute_capability", info->compute_capability ? info->compute_capability : -1, NULL);
    record_count(record, "processors", info->processors ? info->processors : -1, "not told");
    for (int i = 0; i < info->property_count && i < DUEL_MAX_PROPERTIES; i++) {
        const struct duel_property *property = &info->property[i];
        char hash[32];
        if (!*property->text) {
            record_real(record, property->name, property->number, "not told");
        } else if (names_one_piece(property->name) && !identify) {
            identity_hash(property->text, hash, sizeof hash);
            record_text(record, property->name, hash, NULL);
        } else {
            record_text(record, property->name, property->text, NULL);
        }
    }
}
