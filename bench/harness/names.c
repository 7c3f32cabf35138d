/* names.c: refuses what names nothing, and says what was probably meant. */
#include <stdlib.h>
#include <string.h>

#include "bench/harness/plan.h"

#define MOST_NAMES 512

struct name_list {
    const char *name[MOST_NAMES + 1];
    int count;
};

static void add_name(struct name_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->name[i], name) == 0)
            return;
    if (list->count < MOST_NAMES)
        list->name[list->count++] = name;
    list->name[list->count] = NULL;
}

static void all_names(const struct duel_registry *registry, struct name_list *list)
{
    list->count = 0;
    for (int w = 0; workload_table[w]; w++)
        add_name(list, workload_table[w]->name);
    for (int i = 0; i < registry->count; i++) {
        for (const struct duel_impl *const *impl = registry->place[i].impls; *impl; impl++)
            add_name(list, (*impl)->name);
        for (const struct duel_absence *absent = registry->place[i].absent; absent->name; absent++)
            add_name(list, absent->name);
    }
}

static enum duel_status check_one(const struct name_list *list, const char *what, const char *pattern,
                                  struct duel_why *why)
{
    for (int i = 0; i < list->count; i++)
        if (strchr(list->name[i], '/') ? registry_matches(pattern, list->name[i]) : strcmp(pattern, list->name[i]) == 0)
            return DUEL_OK;
    char near[200], next[240];
    nearest_names(pattern, list->name, 3, near, sizeof near);
    if (near[0])
        snprintf(next, sizeof next, "did you mean %s? `duel list` shows all", near);
    else
        snprintf(next, sizeof next, "`duel list` shows workloads and implementations");
    return duel_fail(why, DUEL_EINVAL, "nothing would run", next, "%s %s matches no workload and no implementation",
                     what, pattern);
}

static enum duel_status check_device(const struct duel_registry *registry, const char *device, struct duel_why *why)
{
    const char *ids[DUEL_MAX_PLACES + 5] = {"cpu", "cuda", "emulated", "all"};
    int count = 4;
    for (int i = 0; i < registry->count; i++) {
        ids[count++] = registry->place[i].id;
        if (plan_selects(device, &registry->place[i]))
            return DUEL_OK;
    }
    ids[count] = NULL;
    char *end = NULL;
    if (strncmp(device, "cuda:", 5) == 0 && device[5] >= '0' && device[5] <= '9' && strtol(device + 5, &end, 10) >= 0 &&
        !*end)
        return DUEL_OK; /* well formed but not here: an absent device (exit 77), not a typing error */
    for (int i = 0; i < 4; i++)
        if (strcmp(device, ids[i]) == 0)
            return DUEL_OK;
    char near[100], next[240];
    nearest_names(device, ids, 2, near, sizeof near);
    snprintf(next, sizeof next, "%s%s%sgive cpu, cuda, cuda:INDEX, emulated or all; `duel devices` shows them",
             near[0] ? "did you mean " : "", near, near[0] ? "? or " : "");
    return duel_fail(why, DUEL_EINVAL, "it is not known where to run", next, "--device %s is not a device", device);
}

enum duel_status plan_check_names(const struct duel_registry *registry, const struct duel_options *options,
                                  struct duel_why *why)
{
    struct name_list list;
    all_names(registry, &list);
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < options->pattern_count && status == DUEL_OK; i++)
        if (strcmp(options->pattern[i], "all") != 0)
            status = check_one(&list, "the pattern", options->pattern[i], why);
    if (status == DUEL_OK && options->base)
        status = check_one(&list, "--base", options->base, why);
    if (status == DUEL_OK && options->device)
        status = check_device(registry, options->device, why);
    return status;
}
