#include "bench/commands/baselines.h"

#include <stdlib.h>
#include <string.h>

#include "bench/commands/run_state.h"
#include "bench/judge/identity.h"
#include "bench/record/host.h"

const char *baselines_here(char *text, size_t size)
{
    struct duel_device_info *info = calloc(1, sizeof *info);
    struct duel_record host, cpu;
    record_init(&host, "host");
    record_init(&cpu, "device");
    host_record(&host, "", false);
    if (info)
        cpu_backend.describe(0, info);
    if (info)
        device_record(&cpu, info, false);
    identity_machine(host.object, cpu.object, text, size);
    record_free(&host);
    record_free(&cpu);
    free(info);
    return text;
}

enum duel_status baselines_find(const struct duel_options *options, const char *name, struct baseline *baseline,
                                struct duel_why *why)
{
    char root[PATH_MAX], here[200], machine[24];
    *baseline = (struct baseline){.record = NULL};
    enum duel_status status = baseline_check_name(name, why);
    if (status == DUEL_OK)
        status = baseline_root(options->dir, root, sizeof root, why);
    if (status == DUEL_OK)
        status = baseline_find(root, name, baseline_machine(baselines_here(here, sizeof here), machine, sizeof machine),
                               baseline, why);
    return status;
}

/* As one would type it, for the record. */
static void join(const struct words *words, int64_t sessions, char *line, size_t size)
{
    size_t used = (size_t)snprintf(line, size, "duel run");
    for (size_t i = 0; i < words->count && used < size; i++)
        used += (size_t)snprintf(line + used, size - used, " %s", words->word[i]);
    if (used < size)
        snprintf(line + used, size - used, " --sessions %lld", (long long)sessions);
}

enum duel_status baselines_measure(const struct words *words, int64_t sessions, const char *out, bool quiet, int *code,
                                   struct duel_why *why)
{
    struct duel_options options;
    char line[4096];
    options_defaults(&options);
    if (words->failed)
        return duel_fail(why, DUEL_ENOMEM, "nothing is measured", "close other programs", "out of memory for words");
    enum duel_status status = options_parse((int)words->count, words->word, 0, run_command.options, &options, why);
    if (status != DUEL_OK)
        return status;
    options.sessions = sessions;
    options.out = out;
    options.no_plots = true;
    options.quiet = quiet;
    options.json = options.csv = NULL;
    join(words, sessions, line, sizeof line);
    *code = run_sessions(&options, words, false, line);
    return DUEL_OK;
}
