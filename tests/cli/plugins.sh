#!/usr/bin/env bash
# Plug-ins that are missing, broken or from another time: a named status with a remedy, and CPU results all the same.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

plugins=$scratch/plugins
mkdir "$plugins"
export DUEL_PLUGIN_DIR=$plugins

# unusable WHAT WORDS: duel devices and duel list live with the plug-in, and say what is wrong.
unusable() {
    run devices
    same "$1: duel devices ends well" 0 "$status"
    local part
    part=$(awk '/^cuda/ { on = 1 } on && /^emulated/ { exit } on' <<<"$out")
    contains "$1: it says what was seen, why it matters and what to do" "$part" "seen:" "why:" "next:"
    contains "$1: it says '$2'" "$part" "$2"
    check "$1: nothing is called ready but the CPU" test "$(grep -cE '^[a-z:0-9]+ .*: ready' <<<"$out")" = 1
    run list
    same "$1: duel list ends well" 0 "$status"
    run run cpu/gemm/serial --n 16 --no-plots --budget 5s --out "$scratch/run"
    same "$1: the CPU is measured all the same" "0 ok" "$status $(grep -om1 '\bok\b' "$scratch/run/run.csv")"
    run run --device cuda --n 16 --no-plots --out "$scratch/run"
    same "$1: a GPU asked for by name ends with status 77" 77 "$status"
}

# plugin SOURCE: compiles a plug-in for the CUDA device.
plugin() { printf '%s\n' "$1" | "${CC:-gcc}" -x c -shared -fPIC -I. -o "$plugins/duel-cuda.so" -; }

unusable "no plug-in" "plug-in missing"
echo 'not a library' >"$plugins/duel-cuda.so"
unusable "a text file" "plug-in unusable"
head -c 100 "$duel" >"$plugins/duel-cuda.so"
unusable "a library that breaks off" "plug-in unusable"
whole=$(stat -c %s "$duel")
for bytes in 0 1000 5000 $((whole / 2)) $((whole - 1)); do # loading such a file ends a process with SIGBUS
    head -c "$bytes" "$duel" >"$plugins/duel-cuda.so"
    run list
    same "a library cut off after $bytes bytes does not end the program" 0 "$status"
done
plugin 'int nothing;'
unusable "a library without the entry" duel_plugin
plugin '#include "bench/duel.h"
static const struct duel_plugin old = {.abi = DUEL_ABI + 41};
const struct duel_plugin *duel_plugin(void) { return &old; }'
unusable "another ABI" "ABI"
plugin '#include "bench/duel.h"
const struct duel_plugin *duel_plugin(void) { return NULL; }'
unusable "an entry that returns nothing" "plug-in"
plugin 'extern int no_such_function_anywhere(void);
int duel_plugin(void) { return no_such_function_anywhere(); }'
unusable "a library with a symbol that nobody has" "no_such_function_anywhere"
mkdir "$plugins/folder" && rm "$plugins/duel-cuda.so" && mv "$plugins/folder" "$plugins/duel-cuda.so"
unusable "a folder" "plug-in"
done_testing
