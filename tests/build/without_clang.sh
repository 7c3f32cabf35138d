#!/usr/bin/env bash
# Without clang: the emulated GPU is built with g++ and gives the same answers. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without clang
contains "the report says which compiler is used instead" "$(grep '✓ emulated' "$log")" "g++"
still_right 'gpu/gemm/*' --device emulated
run run gpu/gemm/tiled --device emulated --n 33 --precision fp32 --no-plots --out "$scratch/run"
same "duel run on the emulated GPU ends well" 0 "$status"
same "the row is verified and has no rate" "verified " "$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { print $at["status"], $at["gflops"] }' "$scratch/run/run.csv")"
measures cpu/gemm/serial
done_testing
