#!/usr/bin/env bash
# duel verify --strict from the outside: clean kernels, a kernel that lost a barrier, its witness and the replay.
# Time limit: 300 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

differ() { ! cmp -s "$1" "$2"; }
build=${BUILD:-build}
if [ ! -e "$build/lib/duel-emulated-hooked.so" ]; then
    echo "1..0 # SKIP this build has no strict mode: it needs clang"
    exit 0
fi

run verify gpu/gemm/naive --precision fp32 --strict --device emulated
same "a clean kernel: exit status" "$status" 0
check "says so" grep -qE '^gpu/gemm/naive +fp32 +mixed +clean +[1-9]' <<<"$out"
check "with the seed" grep -q 'seed of the random order 1' <<<"$out"
run verify gpu/dot/naive --precision fp32 --strict
same "a kernel that writes with atomics alone: exit status" "$status" 0
check "is watched too" grep -qE '^gpu/dot/naive +fp32 +mixed +clean +[1-9]' <<<"$out"
refuses 2 "only the emulated GPU" verify --strict --device cpu
refuses 2 "sm_75" verify --strict --arch sm_35

# broken SCRIPT: the plug-in with a tiled that sed has changed, in $scratch/lib.
read -ra compile <"$build/gen/hooked.flags"
read -ra objects <"$build/gen/hooked.list"
mkdir -p "$scratch/lib"
broken() {
    rm -f "$scratch/lib/"*
    ln -s "$(realpath "$build/lib/duel-emulated.so")" "$scratch/lib/" # which lists the kernels
    sed "$1" gpu/gemm/tiled.cu >"$scratch/tiled.cu"
    check "the kernel is another one" differ gpu/gemm/tiled.cu "$scratch/tiled.cu"
    "${compile[@]}" -DDUEL_COUNTED -x c++ -c "$scratch/tiled.cu" -o "$scratch/tiled.o" &&
        "${compile[0]}" -shared "${objects[@]/*\/gpu\/gemm\/tiled.cu.o/$scratch/tiled.o}" -lpthread \
            -o "$scratch/lib/duel-emulated-hooked.so"
    check "the broken kernel builds" test -e "$scratch/lib/duel-emulated-hooked.so"
}

# Without the barrier that keeps readers of the tile from its writers.
broken 's|__syncthreads(); /\* nobody reads.*|;|'
export DUEL_PLUGIN_DIR=$scratch/lib
run verify gpu/gemm/tiled --precision fp32 --strict
same "a missing barrier: exit status" "$status" 3
same "is one finding" "$(grep -cE '^  [0-9]+\. ' <<<"$out")" 1
check "a race" grep -qE '^  1\. race in a block in kernel tiled' <<<"$out"
check "with the line that reads" grep -qE 'reads (it|.s\[[0-9]+\]) at tiled\.cu:4[0-9]' <<<"$out"
check "and the line that writes" grep -qE 'writes (it|.s\[[0-9]+\]) at tiled\.cu:4[0-9]' <<<"$out"
check "and what to do" grep -q 'next: .*__syncthreads()' <<<"$out"
seed=$(sed -nE 's/.*--replay ([0-9]+)$/\1/p' <<<"$out" | head -n 1)
check "and a witness to replay" test -n "$seed"
run verify gpu/gemm/tiled --precision fp32 --strict --replay "${seed:-1}"
check "whose replay is wrong" grep -qE '^gpu/gemm/tiled +fp32 +random +FAILED +[0-9]+ +[1-9]' <<<"$out"
first=$out
run verify gpu/gemm/tiled --precision fp32 --strict --replay "${seed:-1}"
same "and the same each time" "$out" "$first"

# All threads write the same value: a race that no order can show.
broken 's|    T sum = 0;|    __shared__ int same;\n    same = 7, (void)same;\n    T sum = 0;|'
run verify gpu/gemm/tiled --precision fp32 --strict
same "a race that changes nothing: exit status" "$status" 3
check "is a race all the same" grep -qE '^  1\. race in a block in kernel tiled' <<<"$out"
check "no witness was found" grep -qE \
    '^     witness: none: the answer was right in 200 random orders, forward and reverse\. ' <<<"$out"
check "and why it is a bug" grep -q 'It is a bug all the same: a GPU runs' <<<"$out"
same "nothing to replay" "$(grep -c -- --replay <<<"$out")" 0

# A tile that is read turned: no check fires, but the values are wrong.
broken 's|sum += As\[y\]\[j\]|sum += As[j][y]|'
run explain gpu/gemm/tiled --n 64
same "a lesson about a wrong kernel: exit status" "$status" 3
check "says that its answer is wrong" grep -q '^The answer of gpu/gemm/tiled is wrong: ' <<<"$out"
check "and what it looks like" grep -qE '^    likely \(read-a\): ' <<<"$out"
check "beside the counts" grep -q 'global traffic' <<<"$out"

mkdir "$scratch/none"
DUEL_PLUGIN_DIR=$scratch/none run verify --strict
same "without the plug-in: exit status" "$status" 77
check "says what to install" grep -q 'install clang' <<<"$err"
done_testing
