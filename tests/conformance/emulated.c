/* emulated.c: every hand-written GPU kernel on the emulated GPU, each precision, through the zoo, in three orders of
 * blocks and threads: CUDA promises none, so a kernel is right only if all of them give the right answer. A new file in
 * gpu/ is tested without a line here.
 * Time limit: 600 s */
#include <dlfcn.h>
#include <stdio.h>

#include "bench/options/options.h"
#include "tests/conformance/conformance.h"

int main(void)
{
    static const char *const orders[] = {"forward", "reverse", "random:7", NULL};
    const struct duel_zoo_options options = {.seed = 42};
    char path[4200], word[64] = "";
    struct duel_why why = {{0}, {0}, {0}};
    void *library = NULL;
    snprintf(path, sizeof path, "%s/duel-emulated.so", paths_plugin_dir());
    const struct duel_plugin *plugin = plugin_load(path, &library, word, sizeof word, &why);
    if (!plugin) {
        printf("1..1\nok 1 - the emulated GPU # SKIP %s: %s\n", word, why.seen);
        return 0;
    }
    const struct duel_place place = {.id = "emulated", .backend = plugin->backend, .impls = plugin->impls};
    const int failed = conformance_run(&place, &options, "DUEL_EMULATED_ORDER", orders);
    dlclose(library);
    return failed;
}
