/* registry.h: what exists here and what can run: places (a device and its table of implementations), found once. */
#ifndef DUEL_REGISTRY_H
#define DUEL_REGISTRY_H

#include "bench/duel.h"

#define DUEL_MAX_PLACES 24

/* One device and the implementations that can run on it. An unusable device is a place too: info says why. */
struct duel_place {
    char id[32];                        /* "cpu", "cuda:0", "emulated"; "cuda" while there is no such device */
    const struct duel_backend *backend; /* NULL when the plug-in could not be loaded */
    int index;
    const struct duel_impl *const *impls; /* ends with NULL; an empty table when there is no plug-in */
    const struct duel_absence *absent;    /* ends with name == NULL */
    const char *build;                    /* plug-in only, else NULL */
    struct duel_device_info info;
    void *device;  /* handle, opened on first use by place_open() */
    double open_s; /* what that took by the host clock; 0 before it */
};

struct duel_registry {
    struct duel_place place[DUEL_MAX_PLACES];
    int count;
    void *library[4];
};

/* Loads the CPU table and both plug-ins. Never fails: what is missing becomes an unusable place with its reason. */
void registry_load(struct duel_registry *registry);
void registry_close(struct duel_registry *registry);
enum duel_status place_open(struct duel_place *place, struct duel_why *why);

/* Loads one plug-in file; on failure *status_word and *why say what is wrong ("missing", "not a library", "wrong ABI",
 * "symbol missing"). */
const struct duel_plugin *plugin_load(const char *path, void **library, char *status_word, size_t size,
                                      struct duel_why *why);

/* inspector.c: loads an emulated GPU that watches kernels while they run (bench/inspect.h), with the kernels of `file`.
 * Fills *place as registry_load() does; it is opened with place_open() and its library closed with dlclose() by the
 * caller. NULL with *why when it was not built. */
#define DUEL_HOOKED_KERNELS "duel-emulated-hooked.so"
#define DUEL_GALLERY_KERNELS "duel-gallery.so"
struct duel_inspector;
const struct duel_inspector *inspector_load(const char *file, struct duel_place *place, void **library,
                                            struct duel_why *why);

/* A name that ends in _64x128 is another tile shape of the implementation before it: "64x128", and *base (may be NULL)
 * the length of the name without it. NULL for every other name. */
const char *registry_tile(const char *name, size_t *base);

/* True when `pattern` selects `name`: a workload ("gemm"), a full name, a glob over full names, or "all".
 * Tile shapes are selected only by a pattern that ends like one: 'gpu/gemm/warptiled_*x*'. */
bool registry_matches(const char *pattern, const char *name);
/* True when one of the patterns selects `name`, or when there are none and it is no tile shape. */
bool registry_selected(const char *const *pattern, int count, const char *name);
/* Finds an implementation by full name in any place; NULL when there is none. */
const struct duel_impl *registry_find(const struct duel_registry *registry, const char *name,
                                      const struct duel_place **where);
/* Position of an implementation on its ladder: 0 for a bottom rung, one more for each builds_on step. */
int registry_rung(const struct duel_registry *registry, const char *name);

/* Generated tables (build/gen/), and the CPU back end of cpu/device.c. */
extern const struct duel_impl *const cpu_impl_table[];
extern const struct duel_absence cpu_absence_table[];
extern const struct duel_backend cpu_backend;

#endif
