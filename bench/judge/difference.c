/* difference.c: the records of two runs side by side, by a table of facts in the order of suspicion. */
#include "bench/judge/difference.h"

#include <math.h>
#include <string.h>

#include "bench/stats/stats.h"

#define ALL (REACHES_GPU | REACHES_CPU | REACHES_COPIES)
#define CODE (REACHES_GPU | REACHES_CPU | REACHES_NUMBERS)
#define CLOCKS_DIFFER 0.01 /* relative: less is the meter's own unrest */

/* Where a fact stands: in the record of the run, of the host, or of each device; or it is put together here. */
enum place {
    PLACE_RUN,
    PLACE_HOST,
    PLACE_DEVICE,
    PLACE_LIBRARIES,
    PLACE_CLOCK,
    PLACE_LIMIT,
    PLACE_LINK,
    PLACE_VARIABLES
};

static const struct fact {
    const char *title;
    enum place place;
    const char *field;
    unsigned reaches;
} facts[] = {
    {"driver", PLACE_DEVICE, "driver", REACHES_GPU | REACHES_COPIES | REACHES_NUMBERS},
    {"CUDA of the driver", PLACE_DEVICE, "cuda_driver_version", REACHES_GPU | REACHES_COPIES | REACHES_NUMBERS},
    {"CUDA runtime", PLACE_DEVICE, "cuda_runtime_version", REACHES_GPU | REACHES_COPIES | REACHES_NUMBERS},
    {"library", PLACE_LIBRARIES, NULL, CODE},
    {"machine code", PLACE_DEVICE, "kernel_code", REACHES_GPU | REACHES_NUMBERS},
    {"clock while measuring", PLACE_CLOCK, NULL, REACHES_GPU | REACHES_CPU},
    {"held back by power or heat", PLACE_LIMIT, NULL, REACHES_GPU},
    {"power limit (W)", PLACE_DEVICE, "power_limit_w", REACHES_GPU},
    {"highest SM clock (MHz)", PLACE_DEVICE, "clock_sm_max_mhz", REACHES_GPU},
    {"highest memory clock (MHz)", PLACE_DEVICE, "clock_memory_max_mhz", REACHES_GPU},
    {"persistence", PLACE_DEVICE, "persistence", REACHES_COPIES},
    {"link", PLACE_LINK, NULL, REACHES_COPIES},
    {"ECC", PLACE_DEVICE, "ecc", REACHES_GPU | REACHES_COPIES},
    {"MIG", PLACE_DEVICE, "mig", REACHES_GPU | REACHES_COPIES},
    {"module loading", PLACE_DEVICE, "module_loading", 0},
    {"kernel", PLACE_HOST, "kernel", REACHES_CPU | REACHES_COPIES},
    {"governor", PLACE_HOST, "governor", REACHES_CPU | REACHES_COPIES},
    {"boost", PLACE_HOST, "boost", REACHES_CPU | REACHES_COPIES},
    {"highest CPU clock (kHz)", PLACE_HOST, "cpu_max_khz", REACHES_CPU | REACHES_COPIES},
    {"SMT", PLACE_HOST, "smt", REACHES_CPU},
    {"CPU quota", PLACE_HOST, "cpu_quota", REACHES_CPU | REACHES_COPIES},
    {"CPUs allowed", PLACE_HOST, "cpus_allowed", REACHES_CPU | REACHES_COPIES},
    {"NUMA nodes", PLACE_HOST, "numa_nodes", REACHES_CPU | REACHES_COPIES},
    {"huge pages", PLACE_HOST, "transparent_huge_pages", REACHES_CPU | REACHES_COPIES},
    {"compiler", PLACE_HOST, "compiler", REACHES_CPU | REACHES_NUMBERS},
    {"compiler flags", PLACE_HOST, "compiler_flags", REACHES_CPU | REACHES_NUMBERS},
    {"variable", PLACE_VARIABLES, NULL, ALL | REACHES_NUMBERS},
    {"version of duel", PLACE_RUN, "version", ALL | REACHES_NUMBERS},
    {"git id of duel", PLACE_HOST, "git", ALL | REACHES_NUMBERS},
    {"C library", PLACE_HOST, "c_library", REACHES_CPU},
    {"operating system", PLACE_HOST, "os", 0},
};

/* What is being filled. */
struct filling {
    struct judge_difference *list;
    int count, most;
    const struct fact *fact;
};

static void add(struct filling *filling, const char *where, const char *before, const char *after)
{
    if (strcmp(before, after) == 0 || filling->count == filling->most)
        return;
    struct judge_difference *difference = &filling->list[filling->count++];
    *difference = (struct judge_difference){.title = filling->fact->title, .reaches = filling->fact->reaches};
    snprintf(difference->where, sizeof difference->where, "%s", where);
    snprintf(difference->before, sizeof difference->before, "%s", *before ? before : "not told");
    snprintf(difference->after, sizeof difference->after, "%s", *after ? after : "not told");
}

/* Empty when it is not there. */
static const char *value_text(const json_t *record, const char *field, char *text, size_t size)
{
    const json_t *value = json_object_get(record, field);
    *text = '\0';
    if (json_is_string(value))
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_number(value))
        snprintf(text, size, "%.6g", json_number_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "on" : "off");
    return text;
}

static void add_field(struct filling *filling, const char *where, const json_t *a, const json_t *b)
{
    char before[120], after[120];
    add(filling, where, value_text(a, filling->fact->field, before, sizeof before),
        value_text(b, filling->fact->field, after, sizeof after));
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

static bool same_card(const struct judge_device *a, const struct judge_device *b)
{
    const char *one = reader_text(a->record, "uuid"), *other = reader_text(b->record, "uuid");
    return one && other && strcmp(one, other) == 0;
}

/* Numbers of devices may change with a driver: the same card first. */
static const struct judge_device *partner(const struct judge_side *b, const struct judge_device *device)
{
    for (int i = 0; i < b->devices; i++)
        if (same_card(device, &b->device[i]))
            return &b->device[i];
    return side_device(b, device->id);
}

static void clock_text(const struct judge_device *device, double median, char *text, size_t size)
{
    *text = '\0';
    if (device->clock_mhz.count > 0)
        snprintf(text, size, "%.0f MHz", median);
}

static void add_clock(struct filling *filling, const struct judge_device *a, const struct judge_device *b)
{
    char before[40], after[40];
    const double one = stats_median(a->clock_mhz.value, a->clock_mhz.count);
    const double other = stats_median(b->clock_mhz.value, b->clock_mhz.count);
    if (fabs(log(other / one)) <= CLOCKS_DIFFER)
        return;
    clock_text(a, one, before, sizeof before);
    clock_text(b, other, after, sizeof after);
    add(filling, a->id, before, after);
}

static void limit_text(const struct judge_device *device, char *text, size_t size)
{
    const double tenths = floor(10 * device->limited_share + 0.5); /* finer it would never be the same twice */
    *text = '\0';
    if (tenths > 0)
        snprintf(text, size, "about %.0f %% of the time (%.60s)", 10 * tenths, device->clock_reasons);
}

static void link_text(const struct judge_device *device, char *text, size_t size)
{
    *text = '\0';
    if (device->link_generation > 0 && device->link_width > 0)
        snprintf(text, size, "PCIe %.0f x%.0f", device->link_generation, device->link_width);
}

static void add_devices(struct filling *filling, const struct judge_side *a, const struct judge_side *b)
{
    const enum place place = filling->fact->place;
    char before[120] = "", after[120] = "";
    for (int i = 0; i < a->devices; i++) {
        const struct judge_device *one = &a->device[i], *other = partner(b, one);
        if (!other)
            continue;
        if (place == PLACE_DEVICE) {
            add_field(filling, one->id, one->record, other->record);
        } else if (place == PLACE_CLOCK) {
            add_clock(filling, one, other);
        } else {
            (place == PLACE_LIMIT ? limit_text : link_text)(one, before, sizeof before);
            (place == PLACE_LIMIT ? limit_text : link_text)(other, after, sizeof after);
            add(filling, one->id, before, after);
        }
    }
}

/* ---- libraries and variables ------------------------------------------------------------------------------------ */

static bool is_told(const struct filling *filling, const char *before, const char *after)
{
    for (int i = 0; i < filling->count; i++)
        if (filling->list[i].title == filling->fact->title && strcmp(filling->list[i].before, before) == 0 &&
            strcmp(filling->list[i].after, after) == 0)
            return true;
    return false;
}

/* Each library once, with the first implementation that uses it. */
static void add_libraries(struct filling *filling, const struct judge_side *a, const struct judge_side *b)
{
    size_t hint = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct judge_case *elsewhere, *other = side_find(b, &a->item[i], &hint, &elsewhere);
        char before[120], after[120];
        if (!other)
            continue;
        snprintf(before, sizeof before, "%.119s", a->item[i].key.library);
        snprintf(after, sizeof after, "%.119s", other->key.library);
        if (!is_told(filling, before, after))
            add(filling, a->item[i].key.implementation, before, after);
    }
}

static void add_variables(struct filling *filling, const json_t *a, const json_t *b)
{
    const char *name;
    json_t *value;
    struct fact fact = *filling->fact;
    const struct fact *table = filling->fact;
    json_object_foreach((json_t *)(uintptr_t)a, name, value)
    {
        fact.field = name;
        filling->fact = &fact;
        add_field(filling, name, a, b);
    }
    json_object_foreach((json_t *)(uintptr_t)b, name, value)
    {
        fact.field = name;
        filling->fact = &fact;
        if (!json_object_get(a, name))
            add_field(filling, name, a, b);
    }
    filling->fact = table;
}

int difference_list(const struct judge_side *a, const struct judge_side *b, struct judge_difference *list, int most)
{
    struct filling filling = {.list = list, .most = most};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        filling.fact = &facts[i];
        if (facts[i].place == PLACE_RUN)
            add_field(&filling, "", a->run, b->run);
        else if (facts[i].place == PLACE_HOST)
            add_field(&filling, "", a->host, b->host);
        else if (facts[i].place == PLACE_LIBRARIES)
            add_libraries(&filling, a, b);
        else if (facts[i].place == PLACE_VARIABLES)
            add_variables(&filling, json_object_get(a->host, "environment"), json_object_get(b->host, "environment"));
        else
            add_devices(&filling, a, b);
    }
    return filling.count;
}

/* ---- the sentence ----------------------------------------------------------------------------------------------- */

static void name_those(const struct judge_difference *list, int count, unsigned changed, bool reaching, char *text,
                       size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < count && used < size; i++)
        if (((list[i].reaches & changed) != 0) == reaching)
            used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", used > 0 ? ", " : "", list[i].title,
                                     *list[i].where ? " of " : "", list[i].where);
}

void difference_sentence(const struct judge_difference *list, int count, unsigned changed, char *text, size_t size)
{
    char could[300], not [300];
    name_those(list, count, changed, true, could, sizeof could);
    name_those(list, count, changed, false, not, sizeof not );
    if (!changed)
        *text = '\0';
    else if (*could)
        snprintf(text, size, "What changed could come from: %s%s%s%s.", could, *not ? " (not from: " : "", not,
                 *not ? ")" : "");
    else
        snprintf(text, size, "Nothing that is recorded explains what changed%s%s%s.",
                 *not ? " (it cannot come from: " : "", not, *not ? ")" : "");
}
