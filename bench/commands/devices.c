/* devices.c: what is here, and for what cannot be used: why, and what to do. */
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/registry/registry.h"

static void print_facts(const struct duel_place *place)
{
    const struct duel_device_info *info = &place->info;
    if (info->processors > 0)
        printf("  %d %s", info->processors, strncmp(place->id, "cpu", 3) == 0 ? "CPU threads" : "multiprocessors");
    if (info->memory_bytes > 0)
        printf(", %.1f GiB memory, %.1f GiB free", (double)info->memory_bytes / 1073741824.0,
               (double)info->memory_free_bytes / 1073741824.0);
    if (info->compute_capability > 0)
        printf(", compute capability %d.%d", info->compute_capability / 10, info->compute_capability % 10);
    if (info->processors > 0 || info->memory_bytes > 0)
        printf("\n");
    for (int i = 0; i < info->property_count; i++) {
        const struct duel_property *property = &info->property[i];
        if (property->text[0])
            printf("    %-28s %s\n", property->name, property->text);
        else
            printf("    %-28s %.10g\n", property->name, property->number);
    }
    if (place->build)
        printf("    %-28s %s\n", "plug-in", place->build);
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)options;
    (void)command_line;
    struct duel_registry registry;
    registry_load(&registry);
    for (int i = 0; i < registry.count; i++) {
        const struct duel_place *place = &registry.place[i];
        int count = 0;
        for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
            count++;
        printf("%s%-10s %s: %s", i ? "\n" : "", place->id, place->info.name[0] ? place->info.name : "GPU",
               place->info.status);
        if (place->info.usable)
            printf(", %d implementations", count);
        printf("\n");
        if (!place->info.usable)
            printf("  seen: %s\n  why:  %s\n  next: %s\n", place->info.why.seen, place->info.why.matters,
                   place->info.why.next);
        print_facts(place);
    }
    registry_close(&registry);
    return EXIT_DONE;
}

static const char *const accepted[] = {NULL};
const struct duel_command devices_command = {
    .name = "devices",
    .summary = "CPUs and GPUs here, with status, and remedy for what cannot be used",
    .usage = "devices",
    .example = "duel devices",
    .options = accepted,
    .run = run,
};
