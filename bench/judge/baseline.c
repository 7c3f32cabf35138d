/* baseline.c: where baselines lie, and how they get there: under another name first, so that what has its name is
 * whole. */
#include "bench/judge/baseline.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/record/directory.h"
#include "bench/record/host.h"
#include "bench/record/record.h"
#include "bench/record/whole.h"

/* ---- names and places ------------------------------------------------------------------------------------------- */

enum duel_status baseline_root(const char *dir, char *root, size_t size, struct duel_why *why)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (dir)
        length = snprintf(root, size, "%s", dir);
    else if (data && data[0] == '/') /* the specification ignores relative ones */
        length = snprintf(root, size, "%s/duel/baselines", data);
    else if (home && *home)
        length = snprintf(root, size, "%s/.local/share/duel/baselines", home);
    if (length >= 0 && (size_t)length < size - 300)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "baselines need a place", "name one: --dir DIR",
                     length < 0 ? "neither HOME nor XDG_DATA_HOME is set" : "the path of baselines is too long");
}

enum duel_status baseline_check_name(const char *name, struct duel_why *why)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (*name && *name != '.' && strlen(name) <= 100 && name[strspn(name, letters)] == '\0')
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "the name becomes that of a directory",
                     "use up to 100 letters, digits, '-', '_' and '.': before-update",
                     "\"%.60s\" is no name of a baseline", name);
}

const char *baseline_machine(const char *identity, char *text, size_t size)
{
    char hash[32];
    identity_hash(identity, hash, sizeof hash);
    snprintf(text, size, "%s", strchr(hash, ':') + 1);
    return text;
}

static void entry_open(struct baseline *baseline, const char *root, const char *machine, const char *name)
{
    char path[PATH_MAX + 40];
    *baseline = (struct baseline){.record = NULL};
    snprintf(baseline->name, sizeof baseline->name, "%.100s", name);
    snprintf(baseline->machine, sizeof baseline->machine, "%.20s", machine);
    snprintf(baseline->dir, sizeof baseline->dir, "%.3000s/%.40s/%.104s", root, machine, name);
    snprintf(baseline->run, sizeof baseline->run, "%.3900s/run.jsonl", baseline->dir);
    snprintf(path, sizeof path, "%.3900s/baseline.json", baseline->dir);
    baseline->record = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

void baseline_free(struct baseline *baseline)
{
    json_decref(baseline->record);
    baseline->record = NULL;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

void baseline_each(const char *root, baseline_seen *seen, void *context)
{
    struct dirent **machines = NULL, **names = NULL;
    const int count = scandir(root, &machines, visible, alphasort);
    for (int m = 0; m < count; m++) {
        char *path = directory_path(root, machines[m]->d_name);
        const int own = path ? scandir(path, &names, visible, alphasort) : 0;
        for (int i = 0; i < own; i++) {
            struct baseline baseline;
            entry_open(&baseline, root, machines[m]->d_name, names[i]->d_name);
            if (access(baseline.run, R_OK) == 0)
                seen(context, &baseline);
            baseline_free(&baseline);
            free(names[i]);
        }
        if (own >= 0)
            free(names);
        names = NULL;
        free(path);
        free(machines[m]);
    }
    free(machines);
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

struct search {
    const char *name, *machine;
    struct baseline *found;
    bool any, own;
};

static void look(void *context, const struct baseline *baseline)
{
    struct search *search = context;
    const bool own = strcmp(baseline->machine, search->machine) == 0;
    if (strcmp(baseline->name, search->name) != 0 || (search->any && !own))
        return;
    if (search->any)
        baseline_free(search->found);
    *search->found = *baseline;
    json_incref(search->found->record);
    search->any = true;
}

enum duel_status baseline_find(const char *root, const char *name, const char *machine, struct baseline *baseline,
                               struct duel_why *why)
{
    struct search search = {name, machine, baseline, false, false};
    *baseline = (struct baseline){.record = NULL};
    baseline_each(root, look, &search);
    if (search.any)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "there is nothing to compare with",
                     "`duel baseline list` shows what there is; `duel baseline save NAME` makes one",
                     "there is no baseline \"%.60s\" in %s", name, root);
}

/* ---- saving ----------------------------------------------------------------------------------------------------- */

static void add_devices(struct duel_record *record, const struct judge_side *side)
{
    json_t *devices = json_array();
    for (int i = 0; devices && i < side->devices; i++) {
        const json_t *usable = json_object_get(side->device[i].record, "usable");
        const char *name = reader_text(side->device[i].record, "name");
        if (!json_is_true(usable))
            continue;
        json_t *item = json_pack("{s:s, s:s}", "id", side->device[i].id, "name", name ? name : "");
        if (!item || json_array_append_new(devices, item) != 0)
            record->failed = true;
    }
    record_json(record, "devices", devices);
}

/* What the same code showed against itself, case by case. */
static void add_noise(struct duel_record *record, const struct judge_side *side)
{
    json_t *floors = json_array();
    for (size_t i = 0; floors && i < side->count; i++) {
        const struct judge_case *item = &side->item[i];
        char label[160];
        const double noise = baseline_noise(item);
        if (!isfinite(noise))
            continue;
        json_t *floor = json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "case",
                                  result_label(&item->key, label, sizeof label), "m", (json_int_t)item->key.problem.m,
                                  "n", (json_int_t)item->key.problem.n, "k", (json_int_t)item->key.problem.k, "count",
                                  (json_int_t)item->key.problem.count, "noise_floor", noise);
        if (!floor || json_array_append_new(floors, floor) != 0)
            record->failed = true;
    }
    record_json(record, "noise_floors", floors);
}

static enum duel_status write_record(const char *dir, const char *name, const struct judge_side *side, json_t *words,
                                     const char *version, struct duel_why *why)
{
    struct duel_record record;
    char *path = directory_path(dir, "baseline.json"), *line;
    size_t size = 0;
    record_init(&record, "baseline");
    record_text(&record, "name", name, NULL);
    record_text(&record, "started", reader_text(side->run, "started"), "the run does not tell");
    record_text(&record, "run_id", reader_text(side->run, "id"), "the run does not tell");
    record_text(&record, "version", version, NULL);
    record_text(&record, "machine", side->machine, NULL);
    record_count(&record, "sessions", side->sessions, NULL);
    record_count(&record, "cases", (int64_t)side->count, NULL);
    if (words)
        record_json(&record, "words", json_incref(words));
    else
        record_why(&record, "words", "the run does not tell how it was started");
    add_devices(&record, side);
    add_noise(&record, side);
    line = path ? record_line(&record, &size) : NULL;
    record_free(&record);
    enum duel_status status =
        line ? whole_write(path, "baseline", line, size, why)
             : duel_fail(why, DUEL_ENOMEM, "the baseline is not saved", "close other programs", "out of memory");
    free(line);
    free(path);
    return status;
}

static enum duel_status copy_run(const char *from, const char *dir, struct duel_why *why)
{
    char *path = directory_path(dir, "run.jsonl"), block[65536];
    FILE *in = fopen(from, "re"), *out = path ? fopen(path, "we") : NULL;
    size_t length = 0;
    bool done = in && out;
    while (done && (length = fread(block, 1, sizeof block, in)) > 0)
        done = fwrite(block, 1, length, out) == length;
    done = done && !ferror(in);
    const int error = errno;
    if (in)
        fclose(in);
    if (out)
        done = fclose(out) == 0 && done;
    free(path);
    return done ? DUEL_OK
                : duel_fail(why, DUEL_EIO, "the baseline is not saved", "free some space, or give another --dir",
                            "%s cannot be copied to %s: %s", from, dir, strerror(error));
}

enum duel_status baseline_save(const char *root, const char *name, const struct judge_side *side, json_t *words,
                               const char *version, struct duel_why *why)
{
    char machine[24], dir[PATH_MAX], hidden[PATH_MAX];
    baseline_machine(side->machine, machine, sizeof machine);
    snprintf(dir, sizeof dir, "%.3000s/%s/%.100s", root, machine, name);
    snprintf(hidden, sizeof hidden, "%.3000s/%s/.%.100s.%ld", root, machine, name, (long)getpid());
    enum duel_status status = directory_make(hidden, why);
    if (status == DUEL_OK)
        status = copy_run(side->path, hidden, why);
    if (status == DUEL_OK)
        status = write_record(hidden, name, side, words, version, why);
    if (status == DUEL_OK && rename(hidden, dir) != 0)
        status =
            duel_fail(why, DUEL_EINVAL, "a baseline is never replaced: what was compared with it would lose its base",
                      "give another name, or remove it first: duel baseline rm NAME", "%s: %s", dir,
                      errno == ENOTEMPTY || errno == EEXIST ? "there is a baseline of this name" : strerror(errno));
    if (status != DUEL_OK)
        directory_remove(hidden);
    return status;
}
