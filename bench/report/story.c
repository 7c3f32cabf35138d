/* story.c: the chapters of the class demonstration. Without a GPU each picture says in words what a GPU row would add:
 * a number that was not measured stands in none of them. */
#include "bench/report/story.h"

#include <stdlib.h>
#include <string.h>

#include "bench/report/console.h"
#include "bench/report/picture.h"
#include "bench/report/plots.h"
#include "bench/report/words.h"

static const struct chapter {
    const char *workload, *picture, *body;
    enum duel_status (*plot)(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);
    const char *lead;
    const char *moral;   /* beside GPU rows */
    const char *without; /* where there are none */
} chapters[] = {
    {"axpy", "1-axpy", "bars", plot_phases, "1  axpy: ", WORDS_STORY_COPIES, WORDS_STORY_COPIES_CPU},
    {"gemv", "2-gemv", "names curves", plot_rate, "2  gemv: ", WORDS_STORY_TOKEN, WORDS_STORY_TOKEN_CPU},
    {"gemm", "3-gemm", "names curves", plot_speedup, "3  gemm: ", WORDS_STORY_REUSE, WORDS_STORY_REUSE_CPU},
    {"gemm", "4-precision", "names points", plot_precision, "4  Tensor Cores: ", WORDS_STORY_TYPES,
     WORDS_STORY_TYPES_CPU},
};
#define CHAPTERS (sizeof chapters / sizeof *chapters)

static bool has_rows(const struct chapter *chapter, const struct duel_result *results, size_t count, bool *gpu)
{
    bool any = false;
    *gpu = false;
    for (size_t i = 0; i < count; i++) {
        const bool own = result_timed(&results[i]) && strcmp(results[i].workload, chapter->workload) == 0;
        any |= own;
        *gpu |= own && !result_on_cpu(&results[i]);
    }
    return any;
}

/* The GPU row that is fastest by its kernel at the largest size that has one. */
static const struct duel_result *best_gpu(const char *workload, const struct duel_result *results, size_t count)
{
    const struct duel_result *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct duel_result *row = &results[i];
        if (!result_timed(row) || result_on_cpu(row) || strcmp(row->workload, workload) != 0)
            continue;
        const bool larger = !best || row->bytes > best->bytes;
        if (larger || (row->bytes == best->bytes && row->kernel.median < best->kernel.median))
            best = row;
    }
    return best;
}

/* What the copies made of the gain, when both were measured and the gain is gone. */
static void say_moral(const struct chapter *chapter, const struct duel_result *results, size_t count, bool gpu,
                      char *out, size_t size)
{
    const struct duel_result *row = gpu ? best_gpu(chapter->workload, results, count) : NULL;
    char kernel[32], whole[32];
    snprintf(out, size, "%s", gpu ? chapter->moral : chapter->without);
    if (!row || chapter->plot != plot_phases || ratio_side(&row->speedup_kernel) != SIDE_FASTER ||
        ratio_side(&row->speedup_end_to_end) != SIDE_SLOWER)
        return;
    format_number(row->speedup_kernel.value, kernel, sizeof kernel);
    format_number(row->speedup_end_to_end.value, whole, sizeof whole);
    snprintf(out, size, WORDS_STORY_EATEN, kernel, whole);
}

/* The rows of a chapter: the types of the last one would clutter the others, unless there is nothing else. */
static size_t pick_rows(const struct chapter *chapter, const struct duel_result *results, size_t count,
                        struct duel_result *picked)
{
    bool usual = false;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        usual |= result_timed(&results[i]) && results[i].problem.types.in == DUEL_FP32;
    for (size_t i = 0; i < count; i++) {
        const enum duel_dtype in = results[i].problem.types.in;
        if (strcmp(results[i].workload, chapter->workload) == 0 &&
            (!usual || chapter->plot == plot_precision || in == DUEL_FP32 || in == DUEL_FP16))
            picked[kept++] = results[i]; /* borrowed: nothing of it is freed */
    }
    return kept;
}

static enum duel_status write_chapter(const struct chapter *chapter, struct duel_album *album, struct duel_why *why)
{
    struct duel_series_set set;
    char moral[200];
    bool gpu;
    if (!has_rows(chapter, album->results, album->count, &gpu))
        return DUEL_OK;
    struct duel_result *rows = calloc(album->count, sizeof *rows);
    album->count = rows ? pick_rows(chapter, album->results, album->count, rows) : 0;
    album->results = rows;
    if (!rows || !series_collect(&set, chapter->workload, rows, album->count)) {
        free(rows);
        return duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
    }
    say_moral(chapter, album->results, album->count, gpu, moral, sizeof moral);
    album->workload = chapter->workload;
    album->set = &set;
    album->lead = gpu || chapter->plot != plot_precision ? chapter->lead : WORDS_STORY_PRECISION;
    album->moral = moral;
    album_describe(album);
    const struct duel_picture picture = {chapter->picture, chapter->body, chapter->plot, album};
    enum duel_status status = set.count > 0 ? pictures_write(album->request, &picture, 1, why) : DUEL_OK;
    series_free(&set);
    free(rows);
    return status;
}

enum duel_status story_write(const struct duel_plot_request *request, const struct duel_result *results, size_t count,
                             const struct duel_ceiling *ceilings, size_t ceiling_count, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    bool any = false, gpu;
    for (size_t i = 0; i < CHAPTERS; i++)
        any |= has_rows(&chapters[i], results, count, &gpu);
    if (!any)
        return plots_nothing(why);
    for (size_t i = 0; i < CHAPTERS; i++) {
        struct duel_why own;
        struct duel_album album = {.request = request,
                                   .results = results,
                                   .count = count,
                                   .ceilings = ceilings,
                                   .ceiling_count = ceiling_count};
        const enum duel_status one = write_chapter(&chapters[i], &album, &own);
        if (status == DUEL_OK && one != DUEL_OK) {
            status = one;
            *why = own;
        }
    }
    return status;
}

void story_tell(FILE *stream, const struct duel_result *results, size_t count)
{
    struct duel_console console = console_of(stream);
    bool any = false, gpu;
    for (size_t i = 0; i < CHAPTERS; i++) {
        char moral[200], line[300];
        if (!has_rows(&chapters[i], results, count, &gpu))
            continue;
        say_moral(&chapters[i], results, count, gpu, moral, sizeof moral);
        snprintf(line, sizeof line, "%s: %s.", chapters[i].picture, moral);
        fprintf(stream, "%s", any ? "" : "\n" WORDS_STORY "\n");
        console_wrap(stream, &console, 2, SHADE_PLAIN, line);
        any = true;
    }
}
