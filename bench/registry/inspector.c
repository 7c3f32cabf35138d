/* inspector.c: opens the plug-in that can watch kernels while they run. */
#include <dlfcn.h>
#include <string.h>

#include "bench/inspect.h"
#include "bench/options/options.h"
#include "bench/registry/registry.h"

/* As in plugin.c: POSIX lets the bits of dlsym()'s answer be copied into a pointer to a function. */
static duel_inspector_entry *entry_of(void *library)
{
    void *symbol = dlsym(library, DUEL_INSPECT_ENTRY);
    duel_inspector_entry *entry = NULL;
    memcpy(&entry, &symbol, sizeof entry);
    return entry;
}

const struct duel_inspector *inspector_load(const char *file, struct duel_place *place, void **library,
                                            struct duel_why *why)
{
    char path[4200], word[64];
    snprintf(path, sizeof path, "%s/%s", paths_plugin_dir(), file);
    const struct duel_plugin *plugin = plugin_load(path, library, word, sizeof word, why);
    if (!plugin) {
        snprintf(why->matters, sizeof why->matters,
                 "to watch a kernel, every access of it must call a function, and only clang builds that");
        snprintf(why->next, sizeof why->next, "install clang (scripts/setup does), then run `make`");
        return NULL;
    }
    duel_inspector_entry *entry = entry_of(*library);
    const struct duel_inspector *inspector = entry ? entry() : NULL;
    if (!inspector || inspector->abi != DUEL_INSPECT_ABI) {
        duel_fail(why, DUEL_SKIP, "structures of another version would be misread",
                  "rebuild program and plug-in together with `make clean all`", "%s has ABI %d, this program has %d",
                  path, inspector ? inspector->abi : 0, DUEL_INSPECT_ABI);
        dlclose(*library);
        *library = NULL;
        return NULL;
    }
    *place = (struct duel_place){
        .backend = plugin->backend, .impls = plugin->impls, .absent = plugin->absent, .build = plugin->build};
    snprintf(place->id, sizeof place->id, "%s", plugin->backend->name);
    plugin->backend->describe(0, &place->info);
    return inspector;
}
