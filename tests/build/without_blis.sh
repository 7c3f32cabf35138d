#!/usr/bin/env bash
# Without BLIS: its row is left out with a reason, and nothing else changes. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without blis
contains "the report says what is missing and what to install" "$(grep '✗ blis' "$log")" libblis-openmp-dev
run list
contains "duel list names what was left out, and why" "$out" "cpu/gemm/blis" "left out: BLIS was not found"
left_out cpu/gemm/blis
still_right cpu/gemm/openblas
done_testing
