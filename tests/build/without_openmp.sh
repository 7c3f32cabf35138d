#!/usr/bin/env bash
# Without OpenMP: parallel rungs are left out by name, never built serial under a parallel one. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without openmp
contains "the report says what is missing and what to install" "$(grep '✗ openmp' "$log")" libgomp libomp-dev
run list
contains "duel list names what was left out, and why" "$out" "cpu/gemm/openmp" "left out: this compiler has no OpenMP"
left_out cpu/gemm/openmp
left_out cpu/gemm/openmp_packed
still_right cpu/gemm/blocked cpu/gemm/openblas
cannot_run cpu/gemm/openmp "this compiler has no OpenMP"
measures cpu/gemm/blocked
run devices
same "duel devices ends well" 0 "$status"
check "the CPU is ready" grep -qE '^cpu .*: ready' <<<"$out"
check "the program is not linked with OpenMP's runtime by itself" \
    test -z "$(readelf -d "$duel" | grep -E 'NEEDED.*(libgomp|libomp)')"
done_testing
