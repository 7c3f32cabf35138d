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
"$duel" list >&- 2>/dev/null
same "and so is a stdout that is closed" 6 $?

"$duel" run cpu/gemm/serial --n 8 --no-plots --json - --out "$scratch/pipe" 2>/dev/null | head -1 >/dev/null
same "a reader that leaves early does not cut a line of the run file" 0 "$(grep -vc '}$' "$scratch/pipe/run.jsonl")"

OMP_THREAD_LIMIT=1 timeout 60 "$duel" run 'cpu/gemm/open*' --n 256 --threads 2 --samples 3 --no-plots --quiet \
    --out "$scratch/limit"
check "a limit on threads does not stop a library for ever" test $? -ne 124

# ---- names that hold anything ----
escape=$'\033' red=$'\033[31mred'
for arguments in "run $red" "run --base $red" "run --n $red" "run --$red" "explain $red" "$red" \
    "transfer --bytes $red" \
    "run --input $red.npy b.npy" "run --device $red"; do
    # shellcheck disable=SC2086 # words
    run $arguments
    nothing "no escape sequence comes back from duel ${arguments//$escape/ESC}" "$(grep "$escape" <<<"$out$err")"
done
run run cpu/gemm/serial --n 8 --samples 3 --no-plots --precision fp32 --out "$scratch/$red"
nothing "nor the name of a directory that is written to" "$(grep "$escape" <<<"$out$err")"
contains "which is shown in plain characters" "$out" '\x1b[31mred/run.jsonl'
long=$(printf 'x%.0s' $(seq 200))/$(printf 'y%.0s' $(seq 200))/$(printf 'z%.0s' $(seq 200))
refuses 2 '--json|out.jsonl cannot be written: No such file or directory|next:' run cpu/gemm/serial --n 8 --no-plots \
    --out "$scratch/long" --json "$scratch/$long/out.jsonl"

# ---- nohup and jobs in the background ----
env --ignore-signal=INT --ignore-signal=HUP "$duel" run cpu/gemm/serial --n 32 --precision fp32 --min-time 2s \
    --no-plots --quiet --out "$scratch/nohup" 2>/dev/null &
process=$!
for _ in $(seq 100); do [ -s "$scratch/nohup/run.jsonl" ] || sleep 0.1; done
kill -s INT $process
kill -s HUP $process
wait $process
status=$?
check "signals that were ignored at the start stay ignored" test "$status" = 0 -o "$status" = 4

run verify --precision bf16
same "nothing to verify is said" 77 "$status"
# Work without operations has no rate, and that is no mistake.
run run cpu/softmax/serial cpu/batched_gemm/serial cpu/gemm/serial --shape 0x5,5x0,8x8x0x3,8x8x0 --samples 2 \
    --no-plots --quiet --out "$scratch/empty"
check "empty operands end well" test "$status" = 0 -o "$status" = 4
same "and no row of them fails" 0 "$(grep -c ',failed,' "$scratch/empty/run.csv")"
done_testing
