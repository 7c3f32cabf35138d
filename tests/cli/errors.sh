#!/usr/bin/env bash
# Bad input: a clear error in three parts, the right exit status, no data on stdout. Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

refuses 2 'frobnicate|why:|next:' frobnicate
refuses 2 'run' rnu
refuses 2 'why:|next:' --nonsense
refuses 2 '--frobnicate|why:|next:' run --frobnicate
refuses 2 '--precision' run --precison fp32
refuses 2 'no value' run --n
refuses 2 'too small' run --n 0
refuses 2 'negative' run --n -5
refuses 2 'not a whole number' run --n abc
refuses 2 'abc' run --n 64,abc
refuses 2 'why:|next:' run --n 64:32:8
refuses 2 'why:|next:' run --n 64:128:0
refuses 2 'why:|next:' run --n 64:128:x1
refuses 2 'why:|next:' run --n ''
refuses 2 'too large' run --n 99999999999999999999999
refuses 2 'gemm has 3' run gemm --shape 3x4
refuses 2 'four extents' run --shape 3x4x5x6x7
refuses 2 'has no m' run gemm --shape 0x4x4
refuses 2 'why:|next:' run --shape 4x4x-1
refuses 2 'too small' run --threads 0
refuses 2 'fp32' run --precision fp31
refuses 2 'why:|next:' run --alpha many --n 8
refuses 2 'why:|next:' run --target-ci 0 --n 8
refuses 2 'why:|next:' run --budget -1s --n 8
refuses 2 'cpu/gemm/serial' run cpu/gemm/serail
refuses 2 'gemm' run gemn
refuses 2 'matches no' run 'cpu/nothing/*'
refuses 2 'matches no' verify 'cpu/nothing/*'
refuses 2 'matches no' list nothing
refuses 2 'cpu/gemm/serial' explain cpu/gemm/serail
refuses 2 'no name|duel explain' explain
refuses 2 'not a device' run --device gpu --n 8
refuses 2 'cpu/gemm/serial' run cpu/gemm/serial --base cpu/gemm/serail --n 8

# Sizes whose bytes pass 2^31, 2^32 and 2^63 are counted in 64 bits and refused before anything is allocated.
refuses 2 'needs 4800|to verify|are free' run cpu/gemm/serial --precision fp32 --n 200000 --out "$scratch/large"
refuses 2 '2^63' run cpu/gemm/serial --n 3000000000 --out "$scratch/large"
refuses 2 'why:|next:' run cpu/gemm/serial --n 1099511627776 --out "$scratch/large"

# Places that cannot be written to: said before anything is measured.
refuses 2 'cannot be created|--out' run cpu/gemm/serial --n 8 --out /proc/nowhere
touch "$scratch/file"
refuses 2 'why:|next:' run cpu/gemm/serial --n 8 --out "$scratch/file"
refuses 2 'why:|next:' run cpu/gemm/serial --n 8 --out "$scratch/file/below"
refuses 2 'why:|next:' run cpu/gemm/serial --n 8 --out "$scratch/ok" --csv "$scratch/nowhere/x.csv"
if [ -w /dev/full ]; then
    run run cpu/gemm/serial --n 8 --no-plots --out "$scratch/full" --json /dev/full
    same "a full disk is an error, not a success" 2 "$status"
    contains "and the message says so" "$err" "/dev/full" "No space left"
else
    skip "a full disk is an error, not a success" "/dev/full is not here"
fi
# A disk that is full once work has begun: a limit on the size of files stands for it. All files that lost records are
# named, what was written before stays readable, and the pictures that are missing are told too.
(
    ulimit -f 16
    exec "$duel" run cpu/gemm/serial --n "8:64:2" --precision fp32 --budget 20s --min-time 1ms --out "$scratch/late" \
        --json "$scratch/late.json" --csv "$scratch/late.csv" >"$scratch/.out" 2>"$scratch/.err" </dev/null
)
same "a disk that is full late is a run-time error" 6 $?
contains "and all files that lost records are named" "$(cat "$scratch/.err")" "late/run.jsonl lacks " \
    "late.json lacks " "File too large" "why:" "next:"
nothing "every line that was written is whole" "$(grep -v '}$' "$scratch/late/run.jsonl")"

done_testing
