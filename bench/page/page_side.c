/* page_side.c: several runs side by side: the cases that are the same, and why the others are not. */
#include <stdlib.h>
#include <string.h>

#include "bench/page/side.h"
#include "bench/report/rate.h"
#include "bench/workload/shape.h"

/* One case, with its row in each run. */
struct same {
    const struct duel_result **row; /* one per run; NULL: not in it */
    const struct duel_result *any;
    size_t timed;
};

struct cases {
    struct same *same;
    size_t count, capacity;
    bool failed; /* out of memory */
};

/* One thread, all CPUs of the machine, or a number of them. */
static int use_of(const struct duel_recorded *run, const struct duel_result *row)
{
    return row->threads > 1 && row->threads == run->usable ? -1 : row->threads;
}

static bool same_kind(const struct duel_result *a, const struct duel_result *b)
{
    return result_on_cpu(a) == result_on_cpu(b) && strcmp(a->implementation, b->implementation) == 0 &&
           strcmp(a->cache, b->cache) == 0 && strcmp(a->data, b->data) == 0 &&
           strcmp(a->host_memory, b->host_memory) == 0;
}

static bool same_problem(const struct duel_problem *a, const struct duel_problem *b)
{
    return shape_same(a, b) && memcmp(&a->types, &b->types, sizeof a->types) == 0 && !(a->alpha < b->alpha) &&
           !(a->alpha > b->alpha) && !(a->beta < b->beta) && !(a->beta > b->beta);
}

static const struct duel_recorded *run_of(const struct duel_page *page, const struct same *same)
{
    for (size_t r = 0; r < page->runs; r++)
        if (same->row[r] == same->any)
            return &page->run[r];
    return page->run;
}

static struct same *find(const struct duel_page *page, struct cases *cases, size_t r, const struct duel_result *row)
{
    for (size_t i = 0; i < cases->count; i++) {
        struct same *same = &cases->same[i];
        if (same_kind(same->any, row) && same_problem(&same->any->problem, &row->problem) &&
            use_of(run_of(page, same), same->any) == use_of(&page->run[r], row))
            return same;
    }
    if (cases->count == cases->capacity) {
        const size_t capacity = cases->capacity ? 2 * cases->capacity : 64;
        struct same *grown = realloc(cases->same, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        cases->same = grown;
        cases->capacity = capacity;
    }
    struct same *same = &cases->same[cases->count];
    *same = (struct same){calloc(page->runs, sizeof *same->row), row, 0};
    if (!same->row)
        return NULL;
    cases->count++;
    return same;
}

/* Emulated rows say nothing about a machine. */
static void collect(const struct duel_page *page, struct cases *cases)
{
    for (size_t r = 0; r < page->runs; r++)
        for (size_t i = 0; i < page->run[r].count && !cases->failed; i++) {
            const struct duel_result *row = &page->run[r].row[i];
            struct same *same = row->emulated ? NULL : find(page, cases, r, row);
            cases->failed = !same && !row->emulated;
            if (!same || (same->row[r] && (result_timed(same->row[r]) || !result_timed(row))))
                continue;
            same->row[r] = row;
            same->timed += result_timed(row);
        }
}

static void put_name(struct duel_page *page, const struct same *same)
{
    char name[200], size[96];
    writer_row(&page->out);
    writer_cell(&page->out, "%s, %s", page_name(same->any, name, sizeof name),
                shape_words(same->any->workload, &same->any->problem, size, sizeof size));
}

/* Why a run has no time for a case. */
static void put_why(const struct duel_result *row, char *why, size_t size)
{
    if (row)
        snprintf(why, size, "%s%s%s", row_status_name(row->status), *row->reason ? ": " : "", row->reason);
    else
        snprintf(why, size, "%s", WORDS_PAGE_NOT_IN);
}

static void put_same(struct duel_page *page, const struct same *same)
{
    char cell[800];
    put_name(page, same);
    for (size_t r = 0; r < page->runs; r++) {
        if (same->row[r] && result_timed(same->row[r]))
            rate_words(same->row[r], cell, sizeof cell);
        else
            put_why(same->row[r], cell, sizeof cell);
        writer_cell(&page->out, "%s", cell);
    }
}

/* ---- the picture --------------------------------------------------------------------------------------------- */

static double size_of(const struct same *same)
{
    return shape_size(same->any->workload, &same->any->problem);
}

static double fastest(const struct duel_page *page, const struct same *same)
{
    double best = 0;
    for (size_t r = 0; r < page->runs; r++)
        if (same->row[r] && result_timed(same->row[r]) && rate_of(same->row[r]).value > best)
            best = rate_of(same->row[r]).value;
    return best;
}

/* Is this case of the size that is shown, and how many of that size are faster? */
static bool is_shown(const struct same *same, const char *workload, double size)
{
    return same->timed > 1 && strcmp(same->any->workload, workload) == 0 && !(size_of(same) < size) &&
           !(size_of(same) > size);
}

/* The fastest implementations at the largest size, as many as there is room for. */
static void choose(const struct duel_page *page, const struct cases *cases, const char *workload,
                   struct side_picture *picture)
{
    const size_t room = SIDE_BARS / page->runs;
    double size = 0;
    for (size_t i = 0; i < cases->count; i++)
        if (cases->same[i].timed > 1 && strcmp(cases->same[i].any->workload, workload) == 0 &&
            size_of(&cases->same[i]) > size)
            size = size_of(&cases->same[i]);
    for (size_t i = 0; i < cases->count; i++) {
        const struct same *same = &cases->same[i];
        size_t faster = 0;
        if (!is_shown(same, workload, size))
            continue;
        for (size_t j = 0; j < cases->count; j++)
            faster += is_shown(&cases->same[j], workload, size) && fastest(page, &cases->same[j]) > fastest(page, same);
        shape_words(workload, &same->any->problem, picture->at, sizeof picture->at);
        for (size_t r = 0; r < page->runs && faster < room; r++)
            if (same->row[r] && result_timed(same->row[r]) && picture->count < SIDE_BARS)
                picture->bar[picture->count++] = (struct side_bar){same->row[r], page->run[r].machine};
    }
}

static void put_picture(struct duel_page *page, const struct cases *cases, const char *workload)
{
    struct side_picture picture = {.count = 0};
    struct duel_why why;
    char caption[300];
    writer_id("side", workload, picture.name, sizeof picture.name);
    choose(page, cases, workload, &picture);
    if (picture.count == 0 || page->request->no_plots)
        return;
    const char *first = page->run[0].day, *last = first;
    for (size_t r = 1; r < page->runs; r++) {
        first = strcmp(page->run[r].day, first) < 0 ? page->run[r].day : first;
        last = strcmp(page->run[r].day, last) > 0 ? page->run[r].day : last;
    }
    snprintf(picture.when, sizeof picture.when, WORDS_PAGE_SIDE_SUBTITLE, first, last);
    snprintf(caption, sizeof caption, WORDS_PAGE_SIDE_CAPTION, workload, picture.at);
    if (side_draw(page, &picture, &why) == DUEL_OK)
        page_figure(page, NULL, picture.name, caption);
}

static void put_workload(struct duel_page *page, const struct cases *cases, const char *workload,
                         const char *const *heads)
{
    char caption[160];
    bool any = false;
    for (size_t i = 0; i < cases->count; i++)
        any |= cases->same[i].timed > 1 && strcmp(cases->same[i].any->workload, workload) == 0;
    if (!any)
        return;
    put_picture(page, cases, workload);
    snprintf(caption, sizeof caption, WORDS_PAGE_SIDE_TABLE, workload);
    writer_table(&page->out, caption, heads);
    for (size_t i = 0; i < cases->count; i++)
        if (cases->same[i].timed > 1 && strcmp(cases->same[i].any->workload, workload) == 0)
            put_same(page, &cases->same[i]);
    writer_table_end(&page->out);
}

/* What one run alone has a time for, with the reason of each of the others. */
static void put_alone(struct duel_page *page, const struct cases *cases, const char *const *heads)
{
    bool any = false;
    for (size_t i = 0; i < cases->count; i++)
        any |= cases->same[i].timed == 1;
    if (!any)
        return;
    writer_heading(&page->out, WORDS_PAGE_ALONE);
    writer_table(&page->out, WORDS_PAGE_ALONE_TABLE, heads);
    for (size_t i = 0; i < cases->count; i++)
        if (cases->same[i].timed == 1)
            put_same(page, &cases->same[i]);
    writer_table_end(&page->out);
}

static void put_all(struct duel_page *page, const struct cases *cases, const char *const *heads)
{
    bool any = false;
    for (size_t i = 0; i < cases->count; i++) {
        bool first = cases->same[i].timed > 1;
        any |= first;
        for (size_t j = 0; j < i && first; j++)
            first = cases->same[j].timed < 2 || strcmp(cases->same[j].any->workload, cases->same[i].any->workload) != 0;
        if (first)
            put_workload(page, cases, cases->same[i].any->workload, heads);
    }
    if (!any)
        writer_say(&page->out, WORDS_PAGE_SIDE_NONE);
    put_alone(page, cases, heads);
}

void page_side(struct duel_page *page)
{
    struct cases cases = {.count = 0};
    const char **heads = page->runs > 1 ? calloc(page->runs + 2, sizeof *heads) : NULL;
    char(*name)[420] = heads ? calloc(page->runs, sizeof *name) : NULL;
    if (name) {
        writer_part(&page->out, "side", WORDS_PAGE_SIDE);
        writer_say(&page->out, WORDS_PAGE_SIDE_SAY);
        heads[0] = "case";
        for (size_t r = 0; r < page->runs; r++) {
            snprintf(name[r], sizeof name[r], "%s, %s", page->run[r].title, page->run[r].day);
            heads[r + 1] = name[r];
        }
        collect(page, &cases);
        put_all(page, &cases, heads);
    }
    for (size_t i = 0; i < cases.count; i++)
        free(cases.same[i].row);
    free(cases.same);
    free(name);
    free(heads);
}
