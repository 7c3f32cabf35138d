/* library.cu: opens a library by the first of its names that is there, and finds its functions. */
#include "gpu/device/library.cuh"

#include <dlfcn.h>

enum duel_status duel_library_load(const struct duel_library *library, void *table, const char **soname,
                                   struct duel_why *why)
{
    char next[160];
    void *opened = NULL;
    for (const char *const *name = library->soname; *name && !opened; name++) {
        *soname = *name;
        opened = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    }
    if (!opened) {
        const char *error = dlerror();
        snprintf(next, sizeof next, "install %s, or add the folder that holds it to LD_LIBRARY_PATH", library->package);
        return duel_fail(why, DUEL_SKIP, "without the vendor's library there is nothing to compare the kernels with",
                         next, "library missing: %s", error ? error : library->soname[0]);
    }
    for (const struct duel_library_symbol *symbol = library->symbol; symbol->name; symbol++) {
        void *address = dlsym(opened, symbol->name);
        if (!address) {
            snprintf(next, sizeof next, "install the %s that belongs to your CUDA toolkit", library->name);
            return duel_fail(why, DUEL_SKIP, "this version of the library cannot be used", next,
                             "symbol missing: %s has no %s", *soname, symbol->name);
        }
        memcpy(static_cast<char *>(table) + symbol->offset, &address, sizeof address);
    }
    return DUEL_OK;
}
