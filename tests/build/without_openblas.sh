#!/usr/bin/env bash
# Without OpenBLAS: no row under its name, and the reason wherever it would stand. Time limit: 300 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without openblas
contains "the report says what is missing and what it costs" "$(grep '✗ openblas' "$log")" "speed-ups look too good" \
    libopenblas-openmp-dev
run list
contains "duel list names what was left out, and why" "$out" "cpu/gemm/openblas" "left out: OpenBLAS was not found"
check "the program is not linked with it" test -z "$(ldd "$duel" | grep openblas)"
left_out cpu/gemm/openblas
still_right cpu/gemm/blocked cpu/gemm/openmp
done_testing
