/* baseline_show.c: what baselines there are, and what is in one. */
#include <math.h>
#include <string.h>

#include "bench/commands/baselines.h"
#include "bench/judge/comparison.h"
#include "bench/record/directory.h"
#include "bench/report/grid.h"

struct listing {
    struct duel_grid grid;
    char machine[24];
};

static void list_one(void *context, const struct baseline *baseline)
{
    struct listing *listing = context;
    const char *machine = reader_text(baseline->record, "machine"), *started = reader_text(baseline->record, "started");
    const bool own = strcmp(baseline->machine, listing->machine) == 0;
    char plain[400];
    grid_row(&listing->grid, own ? SHADE_PLAIN : SHADE_DIM);
    grid_cell(&listing->grid, "%s", baseline->name);
    format_plain(started ? started : "unknown", plain, sizeof plain);
    grid_cell(&listing->grid, "%.40s", plain);
    grid_cell(&listing->grid, "%lld", (long long)reader_count(baseline->record, "sessions"));
    grid_cell(&listing->grid, "%lld", (long long)reader_count(baseline->record, "cases"));
    format_plain(machine ? machine : "its baseline.json cannot be read", plain, sizeof plain);
    grid_cell(&listing->grid, "%s%.100s", own ? "this one: " : "", plain);
}

int baselines_list(const struct duel_options *options, const char *root)
{
    struct listing listing = {.grid = {.left = 0x13}};
    struct duel_console console = console_of(stdout);
    char here[200];
    (void)options;
    baseline_machine(baselines_here(here, sizeof here), listing.machine, sizeof listing.machine);
    grid_row(&listing.grid, SHADE_DIM);
    grid_cell(&listing.grid, "name");
    grid_cell(&listing.grid, "measured");
    grid_cell(&listing.grid, "sessions");
    grid_cell(&listing.grid, "cases");
    grid_cell(&listing.grid, "machine");
    baseline_each(root, list_one, &listing);
    if (listing.grid.rows > 1)
        grid_print(&listing.grid, stdout, &console);
    else
        printf("There is no baseline in %s yet: duel baseline save before-update\n", root);
    grid_free(&listing.grid);
    return EXIT_DONE;
}

static void print_words(const json_t *words)
{
    size_t i;
    const json_t *word;
    if (!json_is_array(words)) {
        printf("It is not known how it was measured: `duel gate` cannot measure it again by itself.\n");
        return;
    }
    printf("Measured with: duel run");
    json_array_foreach(words, i, word)
    {
        char plain[400];
        format_plain(json_is_string(word) ? json_string_value(word) : "?", plain, sizeof plain);
        printf(" %s", plain);
    }
    printf("\n");
}

static void print_cases(const struct judge_side *side)
{
    struct duel_console console = console_of(stdout);
    struct duel_grid grid = {.left = 1};
    char text[300];
    grid_row(&grid, SHADE_DIM);
    grid_cell(&grid, "case");
    grid_cell(&grid, "median");
    grid_cell(&grid, "noise floor");
    for (size_t i = 0; i < side->count; i++) {
        const double noise = baseline_noise(&side->item[i]);
        grid_row(&grid, SHADE_PLAIN);
        grid_cell(&grid, "%.120s", comparison_case(&side->item[i], JUDGE_KERNEL, text, sizeof text));
        format_seconds(&console, side->item[i].key.kernel.median, text, sizeof text);
        grid_cell(&grid, "%.40s", text);
        if (isfinite(noise))
            grid_cell(&grid, "%.1f %%", 100 * noise);
    }
    grid_print(&grid, stdout, &console);
    grid_free(&grid);
}

int baselines_show(const struct duel_options *options, const char *root)
{
    struct baseline baseline;
    struct judge_side side = {.run = NULL};
    struct duel_why why = {{0}, {0}, {0}};
    (void)root;
    enum duel_status status = baselines_find(options, options->pattern[1], &baseline, &why);
    if (status == DUEL_OK)
        status = side_read(&side, baseline.name, baseline.run, &why);
    if (status == DUEL_OK) {
        const char *started = reader_text(side.run, "started");
        printf("%s: %d sessions of %zu cases, %s\n%s\n", baseline.name, side.sessions, side.count,
               started ? started : "at an unknown time", side.machine);
        print_words(json_object_get(baseline.record, "words"));
        print_cases(&side);
    }
    side_free(&side);
    baseline_free(&baseline);
    return status == DUEL_OK ? EXIT_DONE : message_refusal(status, &why);
}

int baselines_rm(const struct duel_options *options, const char *root)
{
    struct baseline baseline;
    struct duel_why why = {{0}, {0}, {0}};
    (void)root;
    enum duel_status status = baselines_find(options, options->pattern[1], &baseline, &why);
    const int error = status == DUEL_OK ? directory_remove(baseline.dir) : 0;
    if (error)
        status = duel_fail(&why, DUEL_EIO, "it is still there, or a part of it", "remove the directory yourself",
                           "%s cannot be removed: %s", baseline.dir, strerror(error));
    if (status == DUEL_OK && !options->quiet)
        printf("Removed the baseline %s.\n", baseline.name);
    baseline_free(&baseline);
    return status == DUEL_OK ? EXIT_DONE : message_refusal(status, &why);
}
