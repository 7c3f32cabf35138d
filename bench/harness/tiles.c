/* tiles.c: a flat table, because a person may want to read it: "GPU | implementation | precision | 2^size": "64x64". */
#include "bench/harness/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/record/directory.h"
#include "bench/record/whole.h"

#define SCHEMA 1
#define OWN "own" /* the implementation's own shape is the best */

bool tiles_selected(const struct duel_options *options, const char *name)
{
    char base[96];
    size_t length;
    if (registry_selected(options->pattern, options->pattern_count, name))
        return true;
    if (!options->tune || !registry_tile(name, &length) || length >= sizeof base)
        return false;
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    return registry_selected(options->pattern, options->pattern_count, base);
}

bool tiles_can_be_tuned(const struct duel_plan *plan)
{
    for (int g = 0; g < plan->count; g++)
        for (int i = 0; i < plan->groups[g].count; i++) {
            const struct duel_case *item = &plan->groups[g].cases[i];
            if (registry_tile(item->name, NULL) && !item->skip[0] && !item->place->backend->emulated)
                return true;
        }
    return false;
}

bool tiles_path(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache && *cache == '/') /* the specification ignores relative ones */
        length = snprintf(path, size, "%s/duel/tiles.json", cache);
    else if (home && *home)
        length = snprintf(path, size, "%s/.cache/duel/tiles.json", home);
    return length > 0 && (size_t)length < size;
}

json_t *tiles_read(const char *path, struct duel_why *why)
{
    json_error_t error;
    *why = (struct duel_why){{0}, {0}, {0}};
    FILE *file = fopen(path, "re");
    json_t *all = file ? json_loadf(file, JSON_REJECT_DUPLICATES, &error) : NULL;
    json_t *best = json_incref(json_object_get(all, "best"));
    const bool right = json_is_object(best) && json_integer_value(json_object_get(all, "schema")) == SCHEMA;
    if (file && !right)
        duel_fail(why, DUEL_EIO, "kernels run in their own tile shapes", "run --tune again, which writes it anew",
                  "%.200s is damaged or of another version", path);
    if (file)
        fclose(file);
    json_decref(all);
    if (right)
        return best;
    json_decref(best);
    return json_object();
}

enum duel_status tiles_write(const char *path, const json_t *tiles, struct duel_why *why)
{
    char dir[4096];
    const char *slash = strrchr(path, '/');
    snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    enum duel_status status = directory_make(dir, why);
    json_t *all = json_pack("{sisO}", "schema", SCHEMA, "best", tiles);
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;
    if (status == DUEL_OK)
        status = text ? whole_write(path, "--tune", text, strlen(text), why)
                      : duel_fail(why, DUEL_ENOMEM, "the best shapes are not remembered", "close other programs",
                                  "out of memory for the table of tile shapes");
    free(text);
    json_decref(all);
    return status;
}

static double work_of(const struct duel_problem *p)
{
    return (double)p->m * (double)p->n * (double)p->k;
}

/* Sizes that differ by less than the square root of 2 from a power of two are alike: the side of a cube of the same
 * work. */
static const char *key_of(const char *device_name, const char *name, size_t length, const struct duel_problem *p,
                          char *key, size_t size)
{
    const double work = work_of(p);
    const int class = work >= 1 ? (int)lround(log2(work) / 3) : 0;
    snprintf(key, size, "%s | %.*s | %s | 2^%d", device_name, (int)length, name, dtype_name(p->types.in), class);
    return key;
}

static size_t base_length(const char *name)
{
    size_t length = strlen(name);
    registry_tile(name, &length);
    return length;
}

/* Two rows of one implementation, whatever their shapes, at one problem on one device. */
static bool alike(const struct duel_result *a, const struct duel_result *b)
{
    const size_t length = base_length(a->implementation);
    const struct duel_problem *p = &a->problem, *q = &b->problem;
    return length == base_length(b->implementation) && strncmp(a->implementation, b->implementation, length) == 0 &&
           strcmp(a->device, b->device) == 0 && p->m == q->m && p->n == q->n && p->k == q->k &&
           p->types.in == q->types.in;
}

/* The fastest of the rows like this one; NULL where it has no rival, or a rival that was not timed. */
static const struct duel_result *best_of(const struct duel_result *results, size_t count, const struct duel_result *row)
{
    const struct duel_result *best = row;
    size_t rivals = 0;
    for (size_t i = 0; i < count; i++) {
        const struct duel_result *other = &results[i];
        if (!result_timed(other) || result_on_cpu(other) || !alike(row, other))
            continue;
        rivals++;
        if (other->kernel.median < best->kernel.median)
            best = other;
    }
    return rivals > 1 ? best : NULL;
}

int tiles_remember(json_t *tiles, const struct duel_result *results, size_t count)
{
    char key[512], other[512];
    int remembered = 0;
    for (size_t i = 0; i < count; i++) {
        const struct duel_result *row = &results[i];
        if (!result_timed(row) || result_on_cpu(row) || registry_tile(row->implementation, NULL))
            continue;
        const size_t length = strlen(row->implementation);
        key_of(row->device_name, row->implementation, length, &row->problem, key, sizeof key);
        bool largest = true;
        for (size_t j = 0; j < count && largest; j++) {
            const struct duel_result *rival = &results[j];
            key_of(rival->device_name, rival->implementation, strlen(rival->implementation), &rival->problem, other,
                   sizeof other);
            largest =
                strcmp(key, other) != 0 || !result_timed(rival) || work_of(&rival->problem) <= work_of(&row->problem);
        }
        const struct duel_result *best = largest ? best_of(results, count, row) : NULL;
        const char *tile = best ? registry_tile(best->implementation, NULL) : NULL;
        if (best && json_object_set_new(tiles, key, json_string(tile ? tile : OWN)) == 0)
            remembered++;
    }
    return remembered;
}

/* The implementation at this place whose name is `name` with "_TILE" behind it. */
static const struct duel_impl *shaped(const struct duel_place *place, const char *name, const char *tile)
{
    const size_t length = strlen(name);
    for (const struct duel_impl *const *impl = place->impls; *impl; impl++) {
        const char *own = registry_tile((*impl)->name, NULL);
        if (own && strncmp((*impl)->name, name, length) == 0 && (*impl)->name[length] == '_' &&
            own == (*impl)->name + length + 1 && strcmp(own, tile) == 0)
            return *impl;
    }
    return NULL;
}

int tiles_use(const json_t *tiles, struct duel_plan *plan)
{
    char key[512];
    int changed = 0;
    for (int g = 0; g < plan->count; g++)
        for (int i = 0; i < plan->groups[g].count; i++) {
            struct duel_case *item = &plan->groups[g].cases[i];
            if (!item->impl || item->skip[0] || !item->place->backend || item->place->backend->emulated)
                continue;
            key_of(item->place->info.name, item->name, strlen(item->name), &item->problem, key, sizeof key);
            const char *tile = json_string_value(json_object_get(tiles, key));
            const struct duel_impl *impl = tile ? shaped(item->place, item->name, tile) : NULL;
            if (!impl)
                continue;
            item->impl = impl;
            changed++;
        }
    return changed;
}
