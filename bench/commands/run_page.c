/* run_page.c: the report of a run that has just ended, from the run file that it left. */
#include <stdlib.h>

#include "bench/commands/open.h"
#include "bench/commands/run_state.h"
#include "bench/page/page.h"
#include "bench/record/directory.h"

/* The pictures of the demonstration tell a story of their own; those of the page lie beside them. */
void run_write_page(struct run_state *state)
{
    const char *dir = runfile_dir(state->file);
    char *beside = dir ? directory_path(dir, "page") : NULL;
    struct duel_why why = {{0}, {0}, {0}};
    if (beside && !state->options.no_plots) {
        const struct duel_page_request request = {.file = &dir,
                                                  .files = 1,
                                                  .dir = dir,
                                                  .pictures = state->story ? beside : dir,
                                                  .registry = &state->registry,
                                                  .own = true,
                                                  .drawn = !state->story || !state->pictures,
                                                  .drawer = &state->drawer};
        const enum duel_status status = page_write(&request, &why);
        state->page = status == DUEL_OK || status == DUEL_SKIP;
        if (status != DUEL_SKIP) /* without gnuplot that has been said already */
            run_note_trouble(state, status, &why);
    }
    free(beside);
}

void run_tell_page(const struct run_state *state)
{
    if (state->page)
        open_page(state->talk, runfile_dir(state->file), state->options.open);
}
