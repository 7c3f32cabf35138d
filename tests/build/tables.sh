#!/usr/bin/env bash
# Adding and deleting a kernel is adding and deleting one file. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

tree=$scratch/tree
copy_tree "$tree"
duel=$tree/build/bin/duel
in_tree() { (cd "$tree" && quiet_make HIDE=nvcc "$@"); }

check "a copy of the tree builds" in_tree all
same "a second make has nothing to do" "" "$(in_tree all 2>&1)"

check "scripts/new-kernel starts a CPU kernel" "$tree/scripts/new-kernel" cpu gemm mine blocked
check "scripts/new-kernel starts a GPU kernel" "$tree/scripts/new-kernel" gpu gemm mine tiled
check "it changed no other file" diff -rq --exclude=build --exclude=.git --exclude=latest --exclude='mine.c*' . "$tree"
check "make finds them" in_tree all
run list
contains "duel list shows them" "$out" cpu/gemm/mine gpu/gemm/mine
run explain gpu/gemm/mine
contains "duel explain shows the rung it builds on" "$out" gpu/gemm/tiled
still_right cpu/gemm/mine
still_right gpu/gemm/mine --device emulated
contains "it refuses to overwrite" "$("$tree/scripts/new-kernel" cpu gemm mine serial 2>&1)" "exists already"
contains "it names what could be copied" "$("$tree/scripts/new-kernel" cpu gemm other nosuch 2>&1)" blocked serial

rm "$tree/cpu/gemm/mine.c" "$tree/gpu/gemm/mine.cu"
check "make forgets deleted kernels" in_tree all
run list
check "duel list does not show them any more" test -z "$(grep mine <<<"$out")"

# broken FILE SYMBOL: a kernel file without a descriptor stops the build, and the linker names the symbol.
broken() {
    echo '#include "bench/duel.h"' >"$tree/$1"
    if in_tree all >"$scratch/broken" 2>&1; then
        report not "$1 without a descriptor stops the build" "it passed"
    else
        contains "$1 without a descriptor stops the build, which names $2" "$(cat "$scratch/broken")" "$2"
    fi
    rm "$tree/$1"
}
broken cpu/gemm/empty.c cpu_gemm_empty
broken gpu/gemm/empty.cu gpu_gemm_empty
check "and the tree builds again" in_tree all
done_testing
