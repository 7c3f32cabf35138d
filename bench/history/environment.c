/* environment.c: the facts of a run that may explain a change, most suspect first. */
#include "bench/history/environment.h"

#include <string.h>

#include "bench/record/reader.h"

enum source { FROM_DEVICE, FROM_HOST };

static const struct {
    const char *name, *words;
    enum source from;
    bool names_version; /* worth telling where there is nothing to compare with */
} fact_table[] = {
    {"driver", "driver", FROM_DEVICE, true},
    {"cuda_driver_version", "CUDA of the driver", FROM_DEVICE, false},
    {"cuda_runtime_version", "CUDA runtime", FROM_DEVICE, true},
    {"library", "library", FROM_HOST, true}, /* of the row itself */
    {"kernel_code", "kernel code", FROM_DEVICE, false},
    {"clock_sm_max_mhz", "highest clock (MHz)", FROM_DEVICE, false},
    {"clock_memory_max_mhz", "highest memory clock (MHz)", FROM_DEVICE, false},
    {"power_limit_w", "power limit (W)", FROM_DEVICE, false},
    {"pcie_generation_max", "PCIe generation", FROM_DEVICE, false},
    {"pcie_width_max", "PCIe lanes", FROM_DEVICE, false},
    {"ecc", "ECC", FROM_DEVICE, false},
    {"mig", "MIG", FROM_DEVICE, false},
    {"persistence", "persistence mode", FROM_DEVICE, false},
    {"kernel", "kernel", FROM_HOST, true},
    {"governor", "governor", FROM_HOST, false},
    {"boost", "boost", FROM_HOST, false},
    {"smt", "SMT", FROM_HOST, false},
    {"cpus_allowed", "usable CPUs", FROM_HOST, false},
    {"cpu_quota", "CPU quota", FROM_HOST, false},
    {"transparent_huge_pages", "huge pages", FROM_HOST, false},
    {"os", "system", FROM_HOST, false},
    {"c_library", "C library", FROM_HOST, false},
    {"compiler", "compiler", FROM_HOST, true},
    {"compiler_flags", "compiler flags", FROM_HOST, false},
    {"git", "source", FROM_HOST, false},
    {"version", "duel", FROM_HOST, false},
};
#define FACTS (sizeof fact_table / sizeof *fact_table)

static json_t *fact_of(size_t i, const json_t *host, const json_t *device, const char *version,
                       const struct duel_result *result)
{
    const char *name = fact_table[i].name;
    if (strcmp(name, "library") == 0)
        return *result->library ? json_string(result->library) : NULL;
    if (strcmp(name, "version") == 0)
        return version ? json_string(version) : NULL;
    json_t *value = json_object_get(fact_table[i].from == FROM_HOST ? host : device, name);
    return json_is_string(value) || json_is_number(value) || json_is_boolean(value) ? json_incref(value) : NULL;
}

char *environment_facts(const json_t *host, const json_t *device, const char *version, const struct duel_result *result)
{
    json_t *facts = json_object();
    bool good = facts != NULL;
    for (size_t i = 0; i < FACTS && good; i++) {
        json_t *value = fact_of(i, host, device, version, result);
        good = !value || json_object_set_new(facts, fact_table[i].name, value) == 0;
    }
    char *text = good ? json_dumps(facts, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(facts);
    return text;
}

/* ---- telling ---------------------------------------------------------------------------------------------------- */

static void value_words(const json_t *value, char *out, size_t size)
{
    if (json_is_string(value))
        snprintf(out, size, "%s", json_string_value(value));
    else if (json_is_number(value))
        snprintf(out, size, "%.10g", json_number_value(value));
    else
        snprintf(out, size, "%s", json_is_true(value) ? "on" : json_is_false(value) ? "off" : "unknown");
}

static void add(char *out, size_t size, size_t i, const json_t *old, const json_t *new)
{
    char was[200], is[200];
    const size_t used = strlen(out);
    value_words(old, was, sizeof was);
    value_words(new, is, sizeof is);
    snprintf(out + used, size - used, "%s%s %s%s%s", used ? ", " : "", fact_table[i].words, old ? was : "",
             old ? " -> " : "", is);
}

int environment_difference(const char *before, const char *after, char *out, size_t size)
{
    json_t *old = before ? json_loads(before, 0, NULL) : NULL, *new = json_loads(after, 0, NULL);
    int differences = 0;
    out[0] = '\0';
    for (size_t i = 0; i < FACTS; i++) {
        const json_t *was = json_object_get(old, fact_table[i].name), *is = json_object_get(new, fact_table[i].name);
        if (!before && is && fact_table[i].names_version)
            add(out, size, i, NULL, is);
        if (!before || (!was && !is) || (was && is && json_equal(was, is)))
            continue;
        differences++;
        add(out, size, i, was ? was : json_null(), is ? is : json_null());
    }
    json_decref(old);
    json_decref(new);
    return differences;
}
