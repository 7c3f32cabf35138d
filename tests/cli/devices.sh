#!/usr/bin/env bash
# duel devices and duel list: what is here, what can run, and for the rest a reason and a remedy.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

run devices
same "duel devices ends well" 0 "$status"
contains "it shows the CPU, CUDA and the emulated GPU" "$out" "cpu " "cuda" "emulated "
check "the CPU is ready" grep -qE '^cpu +.*: ready' <<<"$out"
check "the number of CPU threads is what the kernel allows" grep -qE "^ +$(nproc) CPU threads" <<<"$out"
unready=$(grep -E '^[a-z]+(:[0-9]+)? +' <<<"$out" | grep -cv ': ready')
same "what is not ready has its reason" "$unready" "$(grep -c '^  seen:' <<<"$out")"
same "and its remedy" "$unready" "$(grep -c '^  next:' <<<"$out")"

run list
same "duel list ends well" 0 "$status"
missing=''
for file in cpu/*/*.c gpu/*/*.cu; do
    case $file in gpu/device/* | gpu/emulator/*) continue ;; esac
    [[ $file =~ _[0-9]+x[0-9]+\.cu$ ]] && continue # tile shapes are listed by their own pattern
    [ "$(grep -cE "^ +${file%.*} " <<<"$out")" = 1 ] || missing+="${file%.*} "
done
nothing "every kernel in the tree is listed once" "$missing"
contains_not() { ! grep -q -- "$1" <<<"$out"; }
check "tile shapes are not" contains_not warptiled_64x64
run list 'gpu/gemm/*_*x*'
contains "but by their pattern" "$out" gpu/gemm/warptiled_64x64 gpu/gemm/block2d_64x128
run list
nothing "every line says where it runs or why not" \
    "$(grep -E '^ +[a-z]+/[a-z]+/' <<<"$out" | grep -vE ' (cpu|cuda|emulated|not on|left out)')"
run list 'cpu/gemm/s*'
contains "a pattern selects" "$out" cpu/gemm/serial
check "and leaves out" test -z "$(grep blocked <<<"$out")"
run list gemm
contains "a workload selects all of its rungs" "$out" cpu/gemm/serial gpu/gemm/tiled
done_testing
