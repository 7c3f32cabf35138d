#!/usr/bin/env bash
# What a careless or unlucky user does to a run: nothing of theirs is lost, and nothing looks like success that is not.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

mkdir "$scratch/mine" && echo precious >"$scratch/mine/run.csv"
run run cpu/gemm/serial --n 8 --no-plots --quiet --out "$scratch/mine"
same "a directory with other files is refused" "2 precious" "$status $(cat "$scratch/mine/run.csv")"

run run cpu/gemm/serial --n 8 --no-plots --input a.npy b.npy --output "$scratch/C.txt"
same "an answer never replaces a file that is not .npy" 2 "$status"

head -c 40 /dev/zero >"$scratch/r.npy"
run run cpu/gemm/serial --no-plots --input "$scratch/r.npy" "$scratch/r.npy" --output "$scratch/./r.npy"
contains "an answer never replaces its own input" "$status $err" "2 " "is also an --input"

"$duel" run cpu/gemm/serial --n 8 --no-plots --out "$scratch/closed" <&- >&- 2>&-
check "closed descriptors do not let the table into the run file" \
    test "$(grep -vc '^{"record"' "$scratch/closed/run.jsonl")" = 0
check "nor into the lock, which holds a process number" grep -qxE '[0-9]+' "$scratch/closed/.lock"

"$duel" list >/dev/full 2>/dev/null
same "a full disk behind stdout is an error" 6 $?

"$duel" run cpu/gemm/serial --n 8 --no-plots --json - --out "$scratch/pipe" 2>/dev/null | head -1 >/dev/null
same "a reader that leaves early does not cut a line of the run file" 0 "$(grep -vc '}$' "$scratch/pipe/run.jsonl")"

OMP_THREAD_LIMIT=1 timeout 60 "$duel" run 'cpu/gemm/open*' --n 256 --threads 2 --samples 3 --no-plots --quiet \
    --out "$scratch/limit"
check "a limit on threads does not stop a library for ever" test $? -ne 124

run verify --precision bf16
same "nothing to verify is said" 77 "$status"
done_testing
