#!/usr/bin/env bash
# Without OpenBLAS: no row under its name, and the reason wherever it would stand. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without openblas
contains "the report says what is missing and what it costs" "$(grep '✗ openblas' "$log")" "speed-ups look too good" \
    libopenblas-openmp-dev
run list
contains "duel list names what was left out, and why" "$out" "cpu/gemm/openblas" "left out: OpenBLAS was not found"
check "the program is not linked with it" test -z "$(ldd "$duel" | grep openblas)"
left_out cpu/gemm/openblas
still_right cpu/gemm/blocked cpu/gemm/openmp
cannot_run cpu/gemm/openblas "OpenBLAS was not found"
measures cpu/gemm/blocked
run run gemm --n 32 --precision fp32 --budget 10s --no-plots --out "$scratch/all"
same "a run of everything ends well" 0 "$status"
check "its speed-ups are against a row that this build has" grep -qE 'speed-ups against cpu/gemm/[a-z_]+ ' <<<"$out"
check "and none of them against OpenBLAS" test -z "$(grep 'against cpu/gemm/openblas' <<<"$out")"
run doctor
check "duel doctor does not claim a BLAS" test -z "$(grep 'OpenBLAS [0-9]' <<<"$out")"
done_testing
