#include "bench/commands/head.h"

#include <string.h>

#include "bench/commands/commands.h"
#include "bench/harness/plan.h"
#include "bench/report/console.h"

static enum duel_status write_head(struct duel_runfile *file, const struct duel_options *options,
                                   const struct duel_registry *registry, const char *command_line, struct duel_why *why)
{
    struct duel_run_info run = {
        .command = command_line, .version = commands_version(), .seed = options->seed, .identify = options->identify};
    run_info_stamp(&run);
    enum duel_status status = runfile_run(file, &run, why);
    if (status == DUEL_OK)
        status = runfile_host(file, options->identify, why);
    for (int i = 0; i < registry->count && status == DUEL_OK; i++) {
        const struct duel_place *place = &registry->place[i];
        if (plan_selects(options->device, place))
            status = runfile_device(file, place->id, place->backend ? place->backend->name : place->id,
                                    place->backend && place->backend->emulated, &place->info, options->identify, why);
    }
    return status;
}

enum duel_status head_open(struct duel_runfile **file, const struct duel_options *options,
                           const struct duel_registry *registry, const struct duel_sheet *sheet,
                           const char *command_line, struct duel_why *why)
{
    enum duel_status status = runfile_open_sheet(file, options->out, options->json, options->csv, sheet, why);
    return status == DUEL_OK ? write_head(*file, options, registry, command_line, why) : status;
}

FILE *head_talk(const struct duel_options *options)
{
    bool json = options->json && strcmp(options->json, "-") == 0;
    bool csv = options->csv && strcmp(options->csv, "-") == 0;
    return json || csv ? stderr : stdout;
}

static bool same_consequence(const struct duel_why *a, const struct duel_why *b)
{
    return strcmp(a->matters, b->matters) == 0;
}

void trouble_note(struct duel_trouble *trouble, enum duel_status status, const struct duel_why *why)
{
    const int most = (int)(sizeof trouble->later / sizeof *trouble->later);
    if (status == DUEL_OK)
        return;
    if (trouble->status == DUEL_OK) {
        trouble->status = status;
        trouble->why = *why;
        return;
    }
    bool known = same_consequence(&trouble->why, why);
    for (int i = 0; i < trouble->more && !known; i++)
        known = same_consequence(&trouble->later[i], why);
    if (!known && trouble->more < most)
        trouble->later[trouble->more++] = *why;
}

void trouble_tell(const struct duel_trouble *trouble, const struct duel_runfile *file)
{
    char words[500];
    if (trouble->status == DUEL_OK)
        return;
    message_error(trouble->status, &trouble->why);
    for (int i = 0; i < trouble->more; i++)
        message_error(trouble->status, &trouble->later[i]);
    for (int i = 0; runfile_lost(file, i, words, sizeof words); i++)
        message_note("duel: %s", words);
}

void head_machine(const struct duel_registry *registry, char *out, size_t size)
{
    const struct duel_device_info *cpu = &registry->place[0].info;
    snprintf(out, size, "%s, %d %s", cpu->name, cpu->processors, cpu->processors == 1 ? "CPU" : "CPUs");
}

void head_tell_files(FILE *talk, const struct duel_runfile *file, const struct duel_options *options, bool pictures)
{
    const char *dir = runfile_dir(file), *own[] = {options->json, options->csv}, *before = "; also: ";
    char plain[4096];
    if (dir)
        format_plain(dir, plain, sizeof plain);
    if (!options->quiet && dir)
        fprintf(talk, "\nResults: %s/run.jsonl, %s/run.csv", plain, plain);
    if (!options->quiet && dir && pictures)
        fprintf(talk, "; pictures: %s/plots/", plain);
    for (int i = 0; i < 2 && !options->quiet && dir; i++) {
        if (!own[i] || strcmp(own[i], "-") == 0)
            continue;
        format_plain(own[i], plain, sizeof plain);
        fprintf(talk, "%s%s", before, plain);
        before = ", ";
    }
    if (!options->quiet && dir)
        fputc('\n', talk);
    fflush(talk);
}
