/* plugin.c: opens one plug-in library and checks that it speaks our ABI. */
#include "bench/registry/plugin.h"

#include "bench/registry/registry.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ISO C has no conversion from void * to a function pointer; POSIX dlsym() is specified so that copying the bits works.
 */
duel_plugin_entry *plugin_entry(void *library)
{
    void *symbol = dlsym(library, DUEL_PLUGIN_ENTRY);
    duel_plugin_entry *entry = NULL;
    memcpy(&entry, &symbol, sizeof entry);
    return entry;
}

static enum duel_status refuse(char *word, size_t size, const char *status)
{
    snprintf(word, size, "%s", status);
    return DUEL_SKIP;
}

static enum duel_status open_library(const char *path, void **library, char *word, size_t size, struct duel_why *why)
{
    if (access(path, F_OK) != 0) {
        duel_fail(why, DUEL_SKIP, "without it these implementations cannot run; everything else works",
                  "run `make` and read its report of what was found", "%s: %s", path, strerror(errno));
        return refuse(word, size, "plug-in missing");
    }
    if (!elf_is_whole(path)) {
        duel_fail(why, DUEL_SKIP, "loading it would end the program: parts that it needs are missing",
                  "rebuild it with `make clean all`", "%s is cut off or no regular file", path);
        return refuse(word, size, "plug-in unusable");
    }
    int number;
    if (!trial_survived(path, &number)) {
        duel_fail(why, DUEL_SKIP, "this program would have ended with it: it is damaged, or built for another",
                  "rebuild it with `make clean all`", "%s ended a process that opened it%s%s", path, number ? ": " : "",
                  number ? strsignal(number) : "");
        return refuse(word, size, "plug-in unusable");
    }
    /* RTLD_NOW: a symbol that cannot be resolved shows here, not in the middle of a run. */
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library) {
        const char *error = dlerror();
        duel_fail(why, DUEL_SKIP, "the file is there but is not a library that this program can load",
                  "rebuild it with `make clean all`", "%s", error ? error : path);
        return refuse(word, size, "plug-in unusable");
    }
    return DUEL_OK;
}

static bool is_complete(const struct duel_plugin *plugin)
{
    const struct duel_backend *b = plugin->backend;
    if (!b || !plugin->impls || !plugin->absent || !b->name || !b->count || !b->describe || !b->open || !b->close ||
        !b->alloc || !b->release || !b->fill || !b->mark || !b->elapsed || !b->sync || !b->now)
        return false;
    for (const struct duel_impl *const *impl = plugin->impls; *impl; impl++)
        if (!(*impl)->name || !(*impl)->run)
            return false;
    return true;
}

const struct duel_plugin *plugin_load(const char *path, void **library, char *status_word, size_t size,
                                      struct duel_why *why)
{
    *library = NULL;
    if (open_library(path, library, status_word, size, why) != DUEL_OK)
        return NULL;
    duel_plugin_entry *entry = plugin_entry(*library);
    const struct duel_plugin *plugin = entry ? entry() : NULL;
    if (!plugin) {
        duel_fail(why, DUEL_SKIP, "it is a library, but not a plug-in of duel", "rebuild it with `make clean all`",
                  "%s has no usable symbol %s", path, DUEL_PLUGIN_ENTRY);
        snprintf(status_word, size, "symbol missing");
    } else if (plugin->abi != DUEL_ABI) {
        duel_fail(why, DUEL_SKIP, "structures of another version would be misread",
                  "rebuild program and plug-in together with `make clean all`", "%s has ABI %d, this program has %d",
                  path, plugin->abi, DUEL_ABI);
        snprintf(status_word, size, "wrong ABI");
    } else if (!is_complete(plugin)) {
        duel_fail(why, DUEL_SKIP, "something that every plug-in needs is missing", "rebuild it with `make clean all`",
                  "%s returned an incomplete plug-in", path);
        snprintf(status_word, size, "plug-in unusable");
    } else {
        return plugin;
    }
    dlclose(*library);
    *library = NULL;
    return NULL;
}
