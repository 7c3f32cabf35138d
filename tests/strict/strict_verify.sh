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

# tiled, without the barrier that keeps readers of the tile from its writers.
read -ra compile <"$build/gen/hooked.flags"
read -ra objects <"$build/gen/hooked.list"
mkdir -p "$scratch/lib"
sed 's|__syncthreads(); /\* nobody reads.*|;|' gpu/gemm/tiled.cu >"$scratch/tiled.cu"
check "the barrier is gone" differ gpu/gemm/tiled.cu "$scratch/tiled.cu"
"${compile[@]}" -x c++ -c "$scratch/tiled.cu" -o "$scratch/tiled.o" &&
    "${compile[0]}" -shared "${objects[@]/*\/gpu\/gemm\/tiled.cu.o/$scratch/tiled.o}" -lpthread \
        -o "$scratch/lib/duel-emulated-hooked.so"
check "the broken kernel builds" test -e "$scratch/lib/duel-emulated-hooked.so"
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

mkdir "$scratch/none"
DUEL_PLUGIN_DIR=$scratch/none run verify --strict
same "without the plug-in: exit status" "$status" 77
check "says what to install" grep -q 'install clang' <<<"$err"
done_testing
