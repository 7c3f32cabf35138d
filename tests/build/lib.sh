# shellcheck shell=bash disable=SC2034,SC2154 # shared with the scripts that source this
# lib.sh: builds beside the one under test. Sourced from the top of the tree by tests/build/*.sh.
. tests/cli/lib.sh

built=${BUILD:-build}
# No GPU compiler unless a test asks for it: it takes longest, and its result cannot run here anyway.
quiet_make() { nice make --no-print-directory "$@"; }

# build_without WORD...: a build that starts as a copy of the one under test, so that only what the words touch is built
# again. Leaves its folder in $BUILD, its report in $log; $duel is its program.
build_without() {
    BUILD=$built/without-${1// /-}
    rm -rf "$BUILD" && mkdir -p "$BUILD"
    for part in c emulated lib bin gen probe.key probe.mk; do cp -a "$built/$part" "$BUILD/$part"; done
    rm -f "$BUILD/lib/duel-cuda.so"
    log=$scratch/build.log
    local hide=$*
    [[ " $hide " == *" nvcc "* ]] || hide+=" nvcc"
    check "the build passes without $*" quiet_make BUILD="$BUILD" HIDE="$hide" all
    quiet_make BUILD="$BUILD" HIDE="$hide" probe >"$log" 2>&1
    duel=$PWD/$BUILD/bin/duel
    [[ $BUILD == /* ]] && duel=$BUILD/bin/duel
}

# copy_tree FOLDER: the sources and what was built from them, to change and build there.
copy_tree() {
    mkdir -p "$1/build"
    tar --exclude=./build --exclude=./.git --exclude=./reports/latest -cf - . | tar -xf - -C "$1"
    for part in c emulated lib bin gen probe.key probe.mk; do cp -a "$built/$part" "$1/build/$part"; done
}

# left_out NAME: an implementation that this build lacks is named with its reason, and never runs.
left_out() {
    run verify "$1"
    contains "duel verify $1 says why it cannot run" "$out$err" "$1 is left out"
    check "$1 is not called right" test -z "$(grep -E "$1 .* right" <<<"$out")"
}

# still_right ARGUMENT...: what this build has gives right answers.
still_right() {
    run verify "$@" --precision fp32
    same "duel verify $* ends well" 0 "$status"
    check "and has verified something" grep -qE ' right +[1-9]' <<<"$out"
}

# measures NAME: this build measures the implementation, and its row has a rate.
measures() {
    run run "$1" --n 32 --precision fp32 --threads 1 --budget 5s --no-plots --quiet --out "$scratch/measured"
    same "duel run $1 ends well" 0 "$status"
    same "and its row has a rate" "$1 ok rate" "$(awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print $at["implementation"], $at["status"], ($at["gflops"] > 0 ? "rate" : "none") }' \
        "$scratch/measured/run.csv")"
}

# cannot_run NAME REASON: asked for alone it gives one row, skipped for that reason, and no number.
cannot_run() {
    run run "$1" --n 32 --precision fp32 --threads 1 --no-plots --out "$scratch/refused"
    same "duel run $1 ends with status 4" 4 "$status"
    contains "and says why" "$out$err" "$1" "$2" "not one case could be measured"
    same "its row is skipped, for that reason" 1 "$(grep -cE "^$1,cpu,skipped,[^,]*$2" "$scratch/refused/run.csv")"
    run verify "$1"
    same "duel verify $1 ends with status 77" 77 "$status"
}
