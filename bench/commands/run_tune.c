/* run_tune.c: --tune measures tile shapes as rows like any others and remembers the best; later runs use those. */
#include "bench/commands/run_state.h"
#include "bench/harness/tiles.h"

enum duel_status run_tune_begin(struct run_state *state, struct duel_why *why)
{
    char path[4096];
    struct duel_why damage;
    if (state->options.tune && !tiles_can_be_tuned(&state->plan))
        return duel_fail(
            why, DUEL_SKIP, "the best tile shape is the fastest, and the emulated GPU has no times",
            "choose a real GPU (--device cuda) and one of gpu/gemm/block2d, warptiled and pipelined",
            "--tune has nothing to time: no tile shape of the selected implementations runs on a GPU here");
    if (state->options.tune || !tiles_path(path, sizeof path))
        return DUEL_OK;
    json_t *tiles = tiles_read(path, &damage);
    if (damage.seen[0] && !state->options.quiet)
        message_note("duel: %s; %s", damage.seen, damage.matters);
    const int changed = tiles_use(tiles, &state->plan);
    if (changed > 0 && !state->options.quiet)
        message_note("duel: %d case%s in the tile shape that --tune found best on this GPU (column tile)", changed,
                     changed == 1 ? " runs" : "s run");
    json_decref(tiles);
    return DUEL_OK;
}

void run_tune_end(struct run_state *state)
{
    char path[4096];
    struct duel_why why = {{0}, {0}, {0}}, damage;
    if (!state->options.tune)
        return;
    if (!tiles_path(path, sizeof path)) {
        message_note(
            "duel: the best tile shapes are not remembered: neither XDG_CACHE_HOME nor HOME names a directory");
        return;
    }
    json_t *tiles = tiles_read(path, &damage); /* what is damaged is written anew */
    const int remembered = tiles_remember(tiles, state->results, state->count);
    const enum duel_status status = remembered > 0 ? tiles_write(path, tiles, &why) : DUEL_OK;
    run_note_trouble(state, status, &why);
    if (status == DUEL_OK && !state->options.quiet)
        message_note("duel: the best tile shape of %d kernel%s and size%s is remembered in %s", remembered,
                     remembered == 1 ? "" : "s", remembered == 1 ? "" : "s", path);
    json_decref(tiles);
}
