/* visit.c: runs an exhibit of the gallery and judges what came of it. */
#include <dlfcn.h>
#include <string.h>

#include "bench/gallery/gallery.h"
#include "bench/options/options.h"

/* As in registry/plugin.c: POSIX lets the bits of dlsym()'s answer be copied into a pointer to a function. */
static duel_gallery_entry *entry_of(void *library)
{
    void *symbol = dlsym(library, DUEL_GALLERY_ENTRY);
    duel_gallery_entry *entry = NULL;
    memcpy(&entry, &symbol, sizeof entry);
    return entry;
}

enum duel_status gallery_open(struct gallery *gallery, struct duel_why *why)
{
    memset(gallery, 0, sizeof *gallery);
    gallery->inspector = inspector_load(DUEL_GALLERY_KERNELS, &gallery->place, &gallery->library, why);
    if (!gallery->inspector)
        return DUEL_SKIP;
    duel_gallery_entry *entry = entry_of(gallery->library);
    const struct duel_gallery *table = entry ? entry() : NULL;
    enum duel_status status =
        table && table->abi == DUEL_GALLERY_ABI
            ? place_open(&gallery->place, why)
            : duel_fail(why, DUEL_SKIP, "structures of another version would be misread",
                        "rebuild program and plug-in together with `make clean all`",
                        "the gallery has ABI %d, this program has %d", table ? table->abi : 0, DUEL_GALLERY_ABI);
    if (status == DUEL_OK)
        gallery->pairs = table->pairs;
    else
        gallery_close(gallery);
    return status;
}

void gallery_close(struct gallery *gallery)
{
    if (gallery->place.device)
        gallery->place.backend->close(gallery->place.device);
    if (gallery->library)
        dlclose(gallery->library);
    memset(gallery, 0, sizeof *gallery);
}

int gallery_orders(int schedule, enum duel_inspect_order order[GALLERY_ORDERS])
{
    if (schedule != DUEL_SCHEDULE_MIXED) {
        order[0] = (enum duel_inspect_order)(schedule - DUEL_SCHEDULE_FORWARD);
        return 1;
    }
    for (int i = 0; i < GALLERY_ORDERS; i++)
        order[i] = (enum duel_inspect_order)i;
    return GALLERY_ORDERS;
}

const char *gallery_order_name(enum duel_inspect_order order)
{
    static const char *const names[] = {"forward", "reverse", "random"};
    return names[order];
}

/* ---- one run ---------------------------------------------------------------------------------------------------- */

static enum duel_status run(const struct gallery *gallery, const struct duel_exhibit *exhibit,
                            const struct duel_inspect_setting *setting, struct duel_exhibit_visit *visit,
                            struct duel_why *why)
{
    const struct duel_backend *backend = gallery->place.backend;
    *visit = (struct duel_exhibit_visit){
        .backend = backend, .device = gallery->place.device, .inspector = gallery->inspector};
    const enum duel_status status = gallery->inspector->set(setting, why);
    if (status != DUEL_OK)
        return status;
    gallery->inspector->clear();
    exhibit->run(visit);
    /* The device's error, if the exhibit did not ask for it, must not wait for the next one. */
    struct duel_why late;
    const enum duel_status last = backend->sync(visit->device, &late);
    if (visit->status == DUEL_OK && last != DUEL_OK) {
        visit->status = last;
        visit->why = late;
    }
    return DUEL_OK;
}

static void release(struct duel_exhibit_visit *visit)
{
    for (int i = 0; i < visit->memories; i++)
        visit->backend->release(visit->device, visit->memory[i]);
    visit->memories = 0;
}

static int64_t cost_of(const struct duel_inspector *inspector, enum duel_exhibit_evidence evidence)
{
    struct duel_trace_kernel kernel;
    struct duel_trace_line line;
    int64_t cost = 0;
    for (int64_t k = 0; inspector->trace_kernel(k, &kernel); k++)
        for (int64_t i = 0; inspector->trace_line(k, i, &line); i++)
            cost += line.shared == (evidence == DUEL_EXHIBIT_ROUNDS) ? (int64_t)line.units : 0;
    return cost;
}

static bool is_cost(const struct duel_exhibit *exhibit)
{
    return exhibit->evidence == DUEL_EXHIBIT_SECTORS || exhibit->evidence == DUEL_EXHIBIT_ROUNDS;
}

enum duel_status gallery_look(const struct gallery *gallery, const struct duel_exhibit *exhibit,
                              enum duel_inspect_order order, uint64_t seed, struct gallery_look *look,
                              struct duel_why *why)
{
    const struct duel_inspector *inspector = gallery->inspector;
    struct duel_inspect_setting setting = {.mode = DUEL_INSPECT_STRICT, .order = order, .seed = seed};
    *look = (struct gallery_look){.order = order, .seed = seed, .cost = -1};
    enum duel_status status = run(gallery, exhibit, &setting, &look->visit, why);
    if (status == DUEL_OK) {
        look->findings = inspector->findings();
        inspector->finding(0, &look->finding);
        inspector->hooks(&look->hooks);
    }
    release(&look->visit);
    if (status != DUEL_OK || !is_cost(exhibit))
        return status;
    struct duel_exhibit_visit traced;
    setting.mode = DUEL_INSPECT_TRACED;
    status = run(gallery, exhibit, &setting, &traced, why);
    look->cost = status == DUEL_OK ? cost_of(inspector, exhibit->evidence) : -1;
    release(&traced);
    return status;
}

enum duel_status gallery_values(const struct gallery *gallery, const struct duel_exhibit *exhibit,
                                enum duel_inspect_order order, uint64_t seed, struct duel_exhibit_visit *visit,
                                struct duel_why *why)
{
    const struct duel_inspect_setting setting = {.mode = DUEL_INSPECT_PLAIN, .order = order, .seed = seed};
    const enum duel_status status = run(gallery, exhibit, &setting, visit, why);
    release(visit);
    return status;
}

/* ---- the verdict ------------------------------------------------------------------------------------------------ */

static bool values_are_right(const struct duel_exhibit_visit *visit)
{
    return visit->status == DUEL_OK && visit->checked > 0 && visit->wrong == 0;
}

bool gallery_found(const struct duel_exhibit *exhibit, const struct gallery_look *look)
{
    switch (exhibit->evidence) {
    case DUEL_EXHIBIT_FINDING:
        return look->findings == 1 && strcmp(look->finding.kind, exhibit->kind) == 0 &&
               (exhibit->array ? strstr(look->finding.array, exhibit->array) != NULL : true);
    case DUEL_EXHIBIT_VALUES:
        return look->findings == 0 && look->visit.status == DUEL_OK && look->visit.wrong > 0;
    case DUEL_EXHIBIT_SECTORS:
    case DUEL_EXHIBIT_ROUNDS:
        break;
    }
    return look->findings == 0 && values_are_right(&look->visit) && look->cost == exhibit->cost;
}

bool gallery_clean(const struct duel_exhibit *exhibit, const struct gallery_look *look)
{
    return look->findings == 0 && values_are_right(&look->visit) && look->hooks.loads > 0 &&
           look->hooks.stores + look->hooks.atomics > 0 && (!is_cost(exhibit) || look->cost == exhibit->cost);
}

const char *gallery_evidence(const struct duel_gallery_pair *pair, char *out, size_t size)
{
    static const char *const words[] = {"", "wrong values", "sectors of global memory", "rounds over the banks"};
    const struct duel_exhibit *wrong = pair->wrong;
    if (wrong->evidence == DUEL_EXHIBIT_FINDING)
        snprintf(out, size, "%s", wrong->kind);
    else if (wrong->evidence == DUEL_EXHIBIT_VALUES)
        snprintf(out, size, "%s", words[wrong->evidence]);
    else
        snprintf(out, size, "%.3g times the %s", (double)wrong->cost / (double)pair->right->cost,
                 words[wrong->evidence]);
    return out;
}

enum duel_status gallery_judge(const struct gallery *gallery, const struct duel_gallery_pair *pair, int schedule,
                               uint64_t seed, struct gallery_verdict *verdict, struct duel_why *why)
{
    enum duel_inspect_order order[GALLERY_ORDERS];
    enum duel_status status = DUEL_OK;
    *verdict = (struct gallery_verdict){.pair = pair, .found = true, .clean = true};
    verdict->orders = gallery_orders(schedule, order);
    for (int i = 0; i < verdict->orders && status == DUEL_OK; i++) {
        status = gallery_look(gallery, pair->wrong, order[i], seed, &verdict->wrong[i], why);
        if (status == DUEL_OK)
            status = gallery_look(gallery, pair->right, order[i], seed, &verdict->right[i], why);
        verdict->found = verdict->found && gallery_found(pair->wrong, &verdict->wrong[i]);
        verdict->clean = verdict->clean && gallery_clean(pair->right, &verdict->right[i]);
    }
    return status;
}
