#!/usr/bin/env bash
# Settings that end the OpenMP runtime, or let OpenBLAS wait for ever, are refused in words. Time limit: 60 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

for setting in OMP_NUM_THREADS=1000000 OMP_NUM_THREADS=2,99999 OMP_STACKSIZE=64G OMP_STACKSIZE=99999999; do
    export "${setting?}"
    for command in "run --n 8" verify transfer roofline selftest; do
        # shellcheck disable=SC2086 # words
        refuses 2 "$setting|why:|next:" $command
    done
    run list
    same "duel list needs no threads" 0 "$status"
    unset "${setting%%=*}"
done
for setting in OMP_NUM_THREADS=2 OMP_STACKSIZE=8M OMP_STACKSIZE=1T OMP_PROC_BIND=nonsense; do
    export "${setting?}"
    run run cpu/gemm/serial --n 8 --samples 3 --precision fp32 --no-plots --quiet --out "$scratch/$setting"
    check "$setting does not end it" test "$status" = 0 -o "$status" = 4
    unset "${setting%%=*}"
done

if ldd "$duel" | grep -q openblas; then
    said=$( (ulimit -v 200000 && timeout 20 "$duel" --version) 2>&1)
    same "a limit on address space that OpenBLAS cannot live with is refused" 2 $?
    contains "in three parts" "$said" "ulimit -v" "why:" "next:"
else
    skip "a limit on address space that OpenBLAS cannot live with is refused" "OpenBLAS is not linked"
fi
done_testing
