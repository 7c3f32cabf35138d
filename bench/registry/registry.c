/* registry.c: one list of places, each a device with its table of implementations. */
#include "bench/registry/registry.h"

#include <dlfcn.h>
#include <fnmatch.h>
#include <string.h>

#include "bench/options/options.h"

static const struct duel_impl *const no_impls[] = {NULL};
static const struct duel_absence no_absences[] = {{NULL, NULL}};

static struct duel_place *add_place(struct duel_registry *registry, const char *id)
{
    if (registry->count == DUEL_MAX_PLACES)
        return NULL;
    struct duel_place *place = &registry->place[registry->count++];
    memset(place, 0, sizeof *place);
    snprintf(place->id, sizeof place->id, "%s", id);
    place->impls = no_impls;
    place->absent = no_absences;
    return place;
}

static void add_devices(struct duel_registry *registry, const struct duel_plugin *plugin, const char *id)
{
    struct duel_why why = {{0}, {0}, {0}};
    int count = plugin->backend->count(&why);
    for (int i = 0; i < (count > 0 ? count : 1); i++) {
        struct duel_place *place = add_place(registry, id);
        if (!place)
            return;
        if (count > 0 && !plugin->backend->emulated)
            snprintf(place->id, sizeof place->id, "%.16s:%d", id, i);
        place->backend = plugin->backend;
        place->index = i;
        place->impls = plugin->impls;
        place->absent = plugin->absent;
        place->build = plugin->build;
        plugin->backend->describe(i, &place->info);
        if (count <= 0 && !place->info.usable && !place->info.why.seen[0])
            place->info.why = why;
    }
}

static void add_plugin(struct duel_registry *registry, int slot, const char *id)
{
    char path[4200], word[64] = "";
    struct duel_why why = {{0}, {0}, {0}};
    snprintf(path, sizeof path, "%s/duel-%s.so", paths_plugin_dir(), id);
    const struct duel_plugin *plugin = plugin_load(path, &registry->library[slot], word, sizeof word, &why);
    if (plugin && strcmp(plugin->backend->name, id) != 0) {
        duel_fail(&why, DUEL_SKIP, "its results would stand under a wrong name", "rebuild it with `make clean all`",
                  "%s is the plug-in of another device: %s", path, plugin->backend->name);
        snprintf(word, sizeof word, "wrong plug-in");
        plugin = NULL;
    }
    if (plugin) {
        add_devices(registry, plugin, id);
        return;
    }
    struct duel_place *place = add_place(registry, id);
    if (!place)
        return;
    snprintf(place->info.name, sizeof place->info.name, "%s",
             strcmp(id, "cuda") == 0 ? "NVIDIA GPU" : "emulated GPU (no benchmark: values only)");
    snprintf(place->info.status, sizeof place->info.status, "%s", word);
    place->info.why = why;
}

/* Without a CUDA plug-in the names of what a GPU would run still come from the emulated one, which is built from the
 * same files: so the skipped rows can be named. */
static void borrow_names(struct duel_registry *registry)
{
    const struct duel_impl *const *impls = NULL;
    for (int i = 0; i < registry->count; i++)
        if (registry->place[i].impls[0] && strncmp(registry->place[i].impls[0]->name, "gpu/", 4) == 0)
            impls = registry->place[i].impls;
    for (int i = 0; impls && i < registry->count; i++)
        if (!registry->place[i].impls[0] && !registry->place[i].backend)
            registry->place[i].impls = impls;
}

void registry_load(struct duel_registry *registry)
{
    memset(registry, 0, sizeof *registry);
    struct duel_place *cpu = add_place(registry, "cpu");
    cpu->backend = &cpu_backend;
    cpu->impls = cpu_impl_table;
    cpu->absent = cpu_absence_table;
    cpu_backend.describe(0, &cpu->info);
    add_plugin(registry, 0, "cuda");
    add_plugin(registry, 1, "emulated");
    borrow_names(registry);
}

void registry_close(struct duel_registry *registry)
{
    for (int i = 0; i < registry->count; i++)
        if (registry->place[i].device)
            registry->place[i].backend->close(registry->place[i].device);
    for (size_t i = 0; i < sizeof registry->library / sizeof registry->library[0]; i++)
        if (registry->library[i])
            dlclose(registry->library[i]);
    memset(registry, 0, sizeof *registry);
}

enum duel_status place_open(struct duel_place *place, struct duel_why *why)
{
    if (!place->info.usable || !place->backend) {
        if (why)
            *why = place->info.why;
        return DUEL_SKIP;
    }
    if (place->device)
        return DUEL_OK;
    const double start = cpu_backend.now(NULL);
    const enum duel_status status = place->backend->open(place->index, &place->device, why);
    place->open_s = cpu_backend.now(NULL) - start;
    return status;
}

const char *registry_tile(const char *name, size_t *base)
{
    static const char digits[] = "0123456789*?";
    const char *tile = strrchr(name, '_');
    const size_t across = tile ? strspn(tile + 1, digits) : 0;
    if (across == 0 || tile[1 + across] != 'x')
        return NULL;
    const char *down = tile + 2 + across;
    if (*down == '\0' || down[strspn(down, digits)] != '\0')
        return NULL;
    if (base)
        *base = (size_t)(tile - name);
    return tile + 1;
}

bool registry_matches(const char *pattern, const char *name)
{
    if (registry_tile(name, NULL) && !registry_tile(pattern, NULL))
        return false;
    if (strcmp(pattern, "all") == 0 || strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0)
        return true;
    const char *workload = strchr(name, '/'); /* "gemm" and "gem*" select the middle of cpu/gemm/serial */
    const char *end = workload ? strchr(workload + 1, '/') : NULL;
    char middle[64];
    if (!end || (size_t)(end - workload) > sizeof middle)
        return false;
    snprintf(middle, sizeof middle, "%.*s", (int)(end - workload - 1), workload + 1);
    return fnmatch(pattern, middle, 0) == 0;
}

bool registry_selected(const char *const *pattern, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (registry_matches(pattern[i], name))
            return true;
    return count == 0 && !registry_tile(name, NULL);
}

const struct duel_impl *registry_find(const struct duel_registry *registry, const char *name,
                                      const struct duel_place **where)
{
    for (int i = 0; i < registry->count; i++)
        for (const struct duel_impl *const *impl = registry->place[i].impls; *impl; impl++)
            if (strcmp((*impl)->name, name) == 0) {
                if (where)
                    *where = &registry->place[i];
                return *impl;
            }
    return NULL;
}

int registry_rung(const struct duel_registry *registry, const char *name)
{
    int rung = 0;
    const struct duel_impl *impl = registry_find(registry, name, NULL);
    while (impl && impl->builds_on && rung < 64) { /* 64: a ring of builds_on ends too */
        impl = registry_find(registry, impl->builds_on, NULL);
        rung++;
    }
    return rung;
}
