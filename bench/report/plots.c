/* plots.c: which pictures a run has. */
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/parts.h"
#include "bench/report/picture.h"
#include "bench/report/plots.h"
#include "bench/report/rate.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

/* "AMD EPYC, 2 cores" and the names of the GPUs, each once. */
static void name_machine(struct duel_album *album)
{
    size_t size = sizeof album->machine;
    snprintf(album->machine, size, "%s", album->request->machine);
    for (size_t i = 0; i < album->set->count; i++) {
        const struct duel_result *row = album->set->series[i].row[0];
        size_t used = strlen(album->machine);
        if (!album->set->series[i].cpu && *row->device_name && !strstr(album->machine, row->device_name))
            snprintf(album->machine + used, size - used, " + %s", row->device_name);
    }
}

/* "gemm fp32", or the workload alone. */
static void name_subject(struct duel_album *album)
{
    const struct duel_result *first = album->set->series[0].row[0];
    bool precision = true;
    for (size_t i = 0; i < album->set->count; i++)
        precision &= album->set->series[i].row[0]->problem.types.in == first->problem.types.in;
    snprintf(album->subject, sizeof album->subject, "%s%s%s" PLOT_DOT, album->workload, precision ? " " : "",
             precision ? dtype_name(first->problem.types.in) : "");
}

/* Lines with narrower inputs than others solve another problem, and their names are marked. */
static void name_other(struct duel_album *album)
{
    bool marked[DUEL_DTYPES] = {false};
    char types[48] = "";
    for (size_t i = 0; i < album->set->count; i++)
        if (album->set->series[i].other)
            marked[album->set->series[i].row[0]->problem.types.in] = true;
    for (int in = 0; in < DUEL_DTYPES; in++)
        if (marked[in]) {
            const size_t used = strlen(types);
            snprintf(types + used, sizeof types - used, "%s%s", used > 0 ? ", " : "", dtype_name((enum duel_dtype)in));
        }
    if (*types)
        snprintf(album->other, sizeof album->other, PLOT_DOT WORDS_OTHER, types);
}

void album_describe(struct duel_album *album)
{
    name_machine(album);
    name_subject(album);
    name_other(album);
}

void album_size(const struct duel_album *album, double size, char *out, size_t room)
{
    if (album->set->square)
        snprintf(out, room, "%c = %.0f", shape_letter(album->workload), size);
    else
        snprintf(out, room, "size %.0f", size);
}

/* ---- one album for each workload -------------------------------------------------------------------------------- */

/* The name of the i-th picture; beside other workloads that of its own comes first. */
static const char *name_picture(const struct duel_album *album, const char *what, bool alone, char *name, size_t size)
{
    snprintf(name, size, "%s%s%s", alone ? "" : album->workload, alone ? "" : "-", what);
    return name;
}

static bool has_types(const struct duel_series_set *set)
{
    for (size_t i = 1; i < set->count; i++)
        if (set->series[i].row[0]->problem.types.in != set->series[0].row[0]->problem.types.in)
            return true;
    return false;
}

static enum duel_status draw_album(struct duel_album *album, bool alone, struct duel_why *why)
{
    char name[4][64];
    const bool bytes = rate_is_bytes(album->workload);
    const struct duel_picture pictures[] = {
        {name_picture(album, "speedup", alone, name[0], sizeof name[0]), "names curves", plot_speedup, album},
        {name_picture(album, bytes ? "gbps" : "gflops", alone, name[1], sizeof name[1]), "names curves", plot_rate,
         album},
        {name_picture(album, "phases", alone, name[2], sizeof name[2]), "bars", plot_phases, album},
        {name_picture(album, "precision", alone, name[3], sizeof name[3]), "names points", plot_precision, album},
    };
    album_describe(album);
    return pictures_write(album->request, pictures, has_types(album->set) ? 4 : 3, why);
}

enum duel_status plots_nothing(struct duel_why *why)
{
    return duel_fail(why, DUEL_SKIP, "there is nothing to draw",
                     "measure on the CPU or on a real GPU: emulated, skipped and failed rows have no time",
                     "no row of this run has a time");
}

enum duel_status plots_write(const struct duel_plot_request *request, const struct duel_result *results, size_t count,
                             const struct duel_ceiling *ceilings, size_t ceiling_count, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    const bool alone = !parts_several(results, count);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        struct duel_series_set set;
        struct duel_why own;
        if (!parts_begin(results, i))
            continue;
        if (!series_collect(&set, results[i].workload, results, count))
            return duel_fail(why, DUEL_ENOMEM, "the pictures are not drawn", "free some memory",
                             "out of memory for them");
        struct duel_album album = {.request = request,
                                   .workload = results[i].workload,
                                   .set = &set,
                                   .results = results,
                                   .count = count,
                                   .ceilings = ceilings,
                                   .ceiling_count = ceiling_count};
        enum duel_status one = set.count > 0 ? draw_album(&album, alone, &own) : DUEL_OK;
        any |= set.count > 0;
        if (status == DUEL_OK && one != DUEL_OK) { /* the others are drawn all the same */
            status = one;
            if (why)
                *why = own;
        }
        series_free(&set);
    }
    return any ? status : plots_nothing(why);
}
