#!/usr/bin/env bash
# Without nvcc: no CUDA plug-in; GPU kernels still run on the emulated GPU. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without nvcc
contains "the report says what is missing and what it costs" "$(grep '✗ nvcc' "$log")" "no GPU rows" "CUDA toolkit"
check "no CUDA plug-in is built" test ! -e "$BUILD/lib/duel-cuda.so"
check "the program is not linked with CUDA" test -z "$(ldd "$duel" | grep -iE 'cuda|cublas')"
run devices
same "duel devices ends well" 0 "$status"
contains "duel devices says what is missing and what to do" "$out" "plug-in missing" "next:"
run run gpu/gemm/naive --device cuda --n 64 --out "$scratch/run"
same "a GPU asked for by name and absent ends with status 77" 77 "$status"
contains "and says what is missing" "$err" "duel-cuda.so: No such file" "why:" "next:"
still_right gpu/gemm/naive --device emulated
run run cpu/gemm/serial gpu/gemm/naive --n 32 --precision fp32 --budget 5s --no-plots --out "$scratch/both"
same "CPU and GPU asked for together: the run ends well" 0 "$status"
same "the CPU is measured" 1 "$(grep -cE '^cpu/gemm/serial,cpu,ok,' "$scratch/both/run.csv")"
same "the GPU's row is skipped, with the reason" 1 \
    "$(grep -cE '^gpu/gemm/naive,cuda,skipped,[^,]*plug-in missing' "$scratch/both/run.csv")"
check "and has no number" test -z "$(grep '^gpu/gemm/naive,cuda' "$scratch/both/run.csv" | grep -E ',ok,|,bound,')"
run list gpu/gemm/naive
contains "duel list says where it does not run" "$out" "emulated" "not on cuda: plug-in missing"
measures cpu/gemm/serial
done_testing
