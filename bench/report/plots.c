/* plots.c: which pictures a run has. */
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/picture.h"
#include "bench/report/plots.h"
#include "bench/report/words.h"

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

/* "gemm fp32", or only what is the same everywhere. */
static void name_subject(struct duel_album *album)
{
    const struct duel_result *first = album->set->count ? album->set->series[0].row[0] : NULL;
    bool precision = true, workload = true;
    for (size_t i = 0; i < album->set->count; i++) {
        const struct duel_result *row = album->set->series[i].row[0];
        precision &= row->problem.types.in == first->problem.types.in;
        workload &= strcmp(row->workload, first->workload) == 0;
    }
    if (first)
        snprintf(album->subject, sizeof album->subject, "%s%s%s" PLOT_DOT, workload ? first->workload : "",
                 workload && precision ? " " : "", precision ? dtype_name(first->problem.types.in) : "");
    if (!workload && !precision)
        album->subject[0] = '\0';
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

enum duel_status plots_write(const struct duel_plot_request *request, const struct duel_result *results, size_t count,
                             const struct duel_ceiling *ceilings, size_t ceiling_count, struct duel_why *why)
{
    struct duel_series_set set;
    if (!series_collect(&set, results, count))
        return duel_fail(why, DUEL_ENOMEM, "the pictures are not drawn", "free some memory", "out of memory for them");
    struct duel_album album = {.request = request,
                               .set = &set,
                               .results = results,
                               .count = count,
                               .ceilings = ceilings,
                               .ceiling_count = ceiling_count};
    const struct duel_picture pictures[] = {
        {"speedup", "names curves", plot_speedup, &album},
        {"gflops", "names curves", plot_gflops, &album},
        {"phases", "bars", plot_phases, &album},
    };
    name_machine(&album);
    name_subject(&album);
    name_other(&album);
    enum duel_status status =
        set.count > 0 ? pictures_write(request, pictures, sizeof pictures / sizeof *pictures, why)
                      : duel_fail(why, DUEL_SKIP, "there is nothing to draw",
                                  "measure on the CPU or on a real GPU: emulated, skipped and failed rows have no time",
                                  "no row of this run has a time");
    series_free(&set);
    return status;
}
