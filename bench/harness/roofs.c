/* roofs.c: measuring ceilings. Where rows stand under them: placement.c. */
#include "bench/harness/roofs.h"

#include <math.h>
#include <string.h>

#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"

#define MEMORY_TIMES 4                    /* the caches fit this often into what measures memory, */
#define MEMORY_LEAST ((uint64_t)64 << 20) /* and it is at least this large: some caches are not told, */
#define MEMORY_SHARE 4                    /* and at most one part in so many of what is free */

static const char *const loop_name[] = {[DUEL_COPY] = "copy", [DUEL_TRIAD] = "triad", [DUEL_READ] = "read"};

/* ---- memory levels ------------------------------------------------------------------------------------------------
 */

static double property(const struct duel_device_info *info, const char *name)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, name) == 0 && !*info->property[i].text)
            return info->property[i].number;
    return 0;
}

/* "l1d_kib" or "l2_kib" in bytes, for all caches that `threads` threads use; 0 when there is none. A cache whose
 * sharers are not told is taken as each thread's own up to level 2, and as common to all above. */
static uint64_t cache_bytes(const struct duel_device_info *info, int level, int threads)
{
    static const char *const kind[] = {"d", ""};
    for (int i = 0; i < 2; i++) {
        char name[40];
        snprintf(name, sizeof name, "l%d%s_kib", level, kind[i]);
        double kib = property(info, name);
        if (!(kib >= 1))
            continue;
        snprintf(name, sizeof name, "l%d%s_sharing_threads", level, kind[i]);
        int sharers = (int)property(info, name), own = level <= 2 ? 1 : threads;
        sharers = sharers > 0 ? sharers : own;
        return (uint64_t)kib * 1024 * (uint64_t)((threads + sharers - 1) / sharers);
    }
    return 0;
}

/* Half of a cache leaves room for what else is in it, and must not fit the level before. */
static void set_working_set(struct duel_level *level, uint64_t nearer)
{
    level->working_set_bytes = level->capacity_bytes / 2;
    if (level->working_set_bytes > nearer)
        return;
    level->working_set_bytes = 0;
    snprintf(level->why, sizeof level->why, "half of its %llu bytes fit the level before",
             (unsigned long long)level->capacity_bytes);
}

static void set_memory(struct duel_level *level, const struct duel_device_info *info, uint64_t nearer)
{
    uint64_t caches = (uint64_t)property(info, "caches_of_usable_cpus_kib") * 1024,
             all = caches > nearer ? caches : nearer;
    uint64_t most = info->memory_free_bytes / MEMORY_SHARE, wanted = MEMORY_TIMES * all;
    snprintf(level->name, sizeof level->name, "memory");
    level->capacity_bytes = info->memory_bytes;
    level->working_set_bytes = wanted > MEMORY_LEAST ? wanted : MEMORY_LEAST;
    if (most == 0 || level->working_set_bytes <= most)
        return;
    snprintf(level->why, sizeof level->why, "%llu bytes would be more than a quarter of the free memory",
             (unsigned long long)level->working_set_bytes);
    level->working_set_bytes = 0;
}

int roofs_levels(const struct duel_device_info *info, int threads, struct duel_level *level)
{
    const uint64_t gpu = (uint64_t)property(info, "l2_cache_bytes");
    uint64_t nearer = 0;
    int count = 0;
    for (int number = 1; number < ROOFS_LEVELS; number++) {
        uint64_t bytes = gpu > 0 ? (number == 2 ? gpu : 0) : cache_bytes(info, number, threads > 0 ? threads : 1);
        if (bytes == 0)
            continue;
        level[count] = (struct duel_level){.capacity_bytes = bytes};
        snprintf(level[count].name, sizeof level[count].name, "L%d", number);
        set_working_set(&level[count++], nearer);
        nearer = bytes;
    }
    level[count] = (struct duel_level){.capacity_bytes = 0};
    set_memory(&level[count++], info, nearer);
    return count;
}

/* ---- measuring ----------------------------------------------------------------------------------------------------
 */

/* The roof with the identity of `like`, made when it is new; NULL when there is no room. */
static struct duel_roof *roof_of(struct duel_roofs *roofs, const struct duel_roof *like)
{
    for (size_t i = 0; i < roofs->count; i++) {
        struct duel_roof *roof = &roofs->roof[i];
        if (strcmp(roof->device, like->device) == 0 && strcmp(roof->level, like->level) == 0 &&
            strcmp(roof->loop, like->loop) == 0 && roof->in == like->in && roof->threads == like->threads)
            return roof;
    }
    if (roofs->count == ROOFS_MOST)
        return NULL;
    roofs->roof[roofs->count] = *like;
    return &roofs->roof[roofs->count++];
}

/* Other work on the machine can only lower a try. */
static void keep(struct duel_roof *roof, double *best, double value, enum duel_status status,
                 const struct duel_why *why)
{
    if (status != DUEL_OK || !(value > 0) || !isfinite(value)) {
        if (roof->tries == 0)
            snprintf(roof->why, sizeof roof->why, "%s", why->seen[0] ? why->seen : "the probe gave no rate");
        return;
    }
    roof->tries++;
    *best = fmax(*best, value); /* fmax passes over NaN */
}

/* How long a try takes: what the longest one of its kind took, or this before there was one. */
#define PEAK_S 0.12
#define LOOP_S 0.25
#define TOUCH_BYTES_PER_S 1e9 /* writing fresh memory, once for each loop over it */

/* One ceiling to be tried. */
struct step {
    const struct duel_roofs_request *request;
    struct duel_roof *roof;
    double expected_s;
};

static double host_now(const struct duel_place *place)
{
    return place->backend->now ? place->backend->now(place->device) : 0;
}

static enum duel_status probe(const struct step *step, double *per_s, struct duel_why *why)
{
    const struct duel_backend *backend = step->request->place->backend;
    struct duel_roof *roof = step->roof;
    const double start = host_now(step->request->place);
    if (!(*roof->level ? backend->bandwidth != NULL : backend->peak != NULL))
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "this device measures no %s",
                         *roof->level ? "bandwidth" : "arithmetic peak");
    if (*roof->level && roof->working_set_bytes == 0)
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "%s", roof->why);
    if (!(start + fmax(step->expected_s, roof->try_s) <= step->request->deadline))
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "the budget leaves no time for it (--budget)");
    enum duel_status status = *roof->level
                                  ? backend->bandwidth(step->request->place->device, roof->stream,
                                                       (size_t)roof->working_set_bytes, roof->threads, per_s, why)
                                  : backend->peak(step->request->place->device, roof->in, roof->threads, per_s, why);
    roof->try_s = fmax(roof->try_s, host_now(step->request->place) - start);
    return status;
}

/* False when it was interrupted. */
static bool try_once(struct duel_roofs *roofs, const struct duel_roofs_request *request, struct duel_roof *like,
                     double expected_s)
{
    struct duel_why why = {{0}, {0}, {0}};
    char doing[96];
    const char *what = *like->level ? like->level : dtype_name(like->in);
    double per_s = 0;
    snprintf(like->device, sizeof like->device, "%s", request->place->id);
    like->gflops = like->gbps = NAN;
    if (like->threads > 0)
        snprintf(doing, sizeof doing, "ceiling of %s, %d thread%s", what, like->threads, like->threads == 1 ? "" : "s");
    else
        snprintf(doing, sizeof doing, "ceiling of %s", what);
    if (interrupt_pending() || (request->step && !request->step(request->context, doing)))
        return false;
    struct duel_roof *roof = roof_of(roofs, like);
    struct step step = {request, roof, expected_s};
    if (!roof)
        return true;
    enum duel_status status = probe(&step, &per_s, &why);
    keep(roof, *roof->level ? &roof->gbps : &roof->gflops, per_s / 1e9, status, &why);
    return true;
}

static bool try_peaks(struct duel_roofs *roofs, const struct duel_roofs_request *request, unsigned precisions)
{
    for (int in = DUEL_FP64; in < DUEL_DTYPES; in++)
        for (int t = 0; t < request->thread_counts; t++) {
            struct duel_roof like = {.kind = "arithmetic", .in = (enum duel_dtype)in, .threads = request->threads[t]};
            if ((precisions >> in & 1) && !try_once(roofs, request, &like, PEAK_S))
                return false;
        }
    return true;
}

static bool try_levels(struct duel_roofs *roofs, const struct duel_roofs_request *request, enum duel_stream stream)
{
    for (int t = 0; t < request->thread_counts; t++) {
        struct duel_level level[ROOFS_LEVELS];
        const int levels = roofs_levels(&request->place->info, request->threads[t], level);
        for (int l = 0; l < levels; l++) {
            struct duel_roof like = {.kind = "memory", .stream = stream, .rank = l, .threads = request->threads[t]};
            snprintf(like.level, sizeof like.level, "%.15s", level[l].name);
            snprintf(like.loop, sizeof like.loop, "%s", loop_name[stream]);
            snprintf(like.why, sizeof like.why, "%s", level[l].why);
            like.capacity_bytes = (int64_t)level[l].capacity_bytes;
            like.working_set_bytes = (int64_t)level[l].working_set_bytes;
            const double expected_s = LOOP_S + (double)level[l].working_set_bytes / TOUCH_BYTES_PER_S;
            if (!try_once(roofs, request, &like, expected_s))
                return false;
        }
    }
    return true;
}

void roofs_measure(struct duel_roofs *roofs, const struct duel_roofs_request *request)
{
    static const enum duel_stream loops[] = {DUEL_READ, DUEL_COPY, DUEL_TRIAD};
    bool going = try_peaks(roofs, request, request->precisions & request->first) &&
                 try_peaks(roofs, request, request->precisions & ~request->first);
    for (size_t loop = 0; loop < sizeof loops / sizeof *loops && going; loop++)
        going = try_levels(roofs, request, loops[loop]);
}
