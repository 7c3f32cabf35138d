/* library.cuh: NVIDIA's libraries, opened by name at run time in whatever version is installed.
 *
 * A plug-in that was linked with them could not even be listed where one is missing, and would load up to a gigabyte
 * for runs that never call it. So each is opened the first time that an implementation needs it; a missing library or
 * symbol is DUEL_SKIP with its name. It stays mapped until the process ends: it must not be unloaded while the context
 * that it worked in lives. cublas.cu and its neighbours describe one library each. */
#ifndef DUEL_LIBRARY_CUH
#define DUEL_LIBRARY_CUH

#include <stdlib.h>

#include "gpu/kernel.cuh"

/* Where the address of one function goes. */
struct duel_library_symbol {
    const char *name; /* as the library exports it */
    size_t offset;    /* in the struct that holds the addresses */
};

struct duel_library {
    const char *name, *package;               /* "cuBLAS", "libcublas" */
    const char *const *soname;                /* newest first; NULL ends them */
    const struct duel_library_symbol *symbol; /* name == NULL ends them */
};

/* Finds library and symbols and fills the addresses in *table; *soname says which name worked. Opening it again later
 * only finds it again. `why` may be NULL. */
enum duel_status duel_library_load(const struct duel_library *library, void *table, const char **soname,
                                   struct duel_why *why);

/* Where a call of a library failed: `status` in its words, the expression, file and line; returns DUEL_EDEVICE. */
static inline enum duel_status duel_library_fail(struct duel_why *why, const char *status, const char *next,
                                                 const char *expression, const char *file, int line)
{
    const char *name = strrchr(file, '/');
    return duel_fail(why, DUEL_EDEVICE, "the library did not do this work, so its row has no result", next,
                     "%s: %s at %s:%d", expression, status, name ? name + 1 : file, line);
}

/* open() of an implementation: a zeroed T into call->state, with the addresses filled and start(T *) done. Handles hold
 * the library's settings and, on the first call, load its kernels: slow, once, and never timed. close() also takes what
 * was opened halfway. */
template <typename T, typename START>
enum duel_status duel_library_open(struct duel_call *call, const struct duel_library *library, START start,
                                   void (*close)(void *))
{
    const char *soname = NULL;
    T *state = static_cast<T *>(calloc(1, sizeof *state));
    if (!state)
        return duel_fail(call->why, DUEL_ENOMEM, "no handle for the library", "free some memory", "%zu bytes refused",
                         sizeof *state);
    enum duel_status status = duel_library_load(library, state, &soname, call->why);
    if (status == DUEL_OK)
        status = start(state);
    if (status == DUEL_OK)
        call->state = state;
    else
        close(state);
    return status;
}

#endif
