#!/usr/bin/env bash
# Without nvcc: no CUDA plug-in; GPU kernels still run on the emulated GPU. Time limit: 300 s
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
still_right gpu/gemm/naive --device emulated
done_testing
