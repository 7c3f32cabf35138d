#!/usr/bin/env bash
# duel run: what it writes, where, and what it keeps when it is interrupted. Time limit: 180 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

quick=(--n "16,32" --precision fp32 --no-plots --budget 20s)

# wait_for FILE: until it holds something, 10 s at most.
wait_for() { for _ in $(seq 100); do [ -s "$1" ] || sleep 0.1; done; }

# ---- data and talk ----
run run cpu/gemm/serial "${quick[@]}" --out "$scratch/a" --json -
same "duel run --json - ends well" 0 "$status"
nothing "stdout holds one JSON object per line and nothing else" "$(grep -vE '^\{.*\}$' <<<"$out")"
same "the first record is the run, the last its end" "run end" \
    "$(sed -nE '1s/.*"record": ?"([a-z]+)".*/\1/p;$s/.*"record": ?"([a-z]+)".*/\1/p' <<<"$out" | paste -sd ' ')"
same "it is the run file" "$(cat "$scratch/a/run.jsonl")" "$out"
contains "the table goes to stderr then" "$err" cpu/gemm/serial
run run cpu/gemm/serial "${quick[@]}" --out "$scratch/a" --csv -
header=$(head -n 1 <<<"$out")
contains "the CSV has the columns that scripts rely on" ",$header," ,implementation, ,device, ,status, ,reason, \
    ,m, ,n, ,k, ,precision, ,threads, ,kernel_median_s, ,kernel_ci_lo_s, ,kernel_ci_hi_s, ,end_to_end_median_s, \
    ,gflops, ,samples, ,stop_reason, ,verify_tier, ,error_bound_ratio,
same "and one row per result" 3 "$(wc -l <<<"$out")"
check "the run before is kept in previous/" test -s "$scratch/a/previous/run.jsonl"
run run cpu/gemm/serial "${quick[@]}" --out "$scratch/a" --quiet
same "--quiet says nothing" "0  " "$status $out $err"

# ---- emulated rows carry no time ----
run run gpu/gemm/naive --device emulated "${quick[@]}" --out "$scratch/e" --csv -
same "the emulated GPU runs the kernel" 0 "$status"
column() {
    awk -F , -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' <<<"$out"
}
same "its rows are verified" "verified" "$(column status | sort -u)"
same "they carry no time and no rate" "" "$(column kernel_median_s | tr -d '\n')$(column gflops | tr -d '\n')"

# ---- two runs in one directory ----
"$duel" run cpu/gemm/serial --n 64 --min-time 3s --budget 20s --no-plots --out "$scratch/two" >/dev/null 2>&1 &
first=$!
wait_for "$scratch/two/run.jsonl"
refuses 2 'why:|next:' run cpu/gemm/serial "${quick[@]}" --out "$scratch/two"
wait $first
same "and the first one goes on undisturbed" "0 1" "$? $(grep -c '"record": *"end"' "$scratch/two/run.jsonl")"

# ---- interrupts ----
for signal in INT TERM; do
    dir=$scratch/$signal
    # A shell without job control starts background jobs with SIGINT ignored; env sets it back.
    env --default-signal=INT "$duel" run cpu/gemm/serial --n 16,64 --precision fp32 --min-time 20s --timeout 30s \
        --no-plots --out "$dir" >/dev/null 2>"$scratch/.err" &
    process=$!
    wait_for "$dir/run.jsonl"
    sleep 0.5
    kill -s $signal $process
    wait $process
    status=$?
    same "SIG$signal ends with status $((128 + $(kill -l $signal)))" $((128 + $(kill -l $signal))) $status
    nothing "all lines of the run file are whole" "$(grep -vE '^\{.*\}$' "$dir/run.jsonl")"
    contains "the run file says that it was interrupted" "$(tail -n 1 "$dir/run.jsonl")" interrupted
done

# A short table looks like a whole one, so it is said that it is not. Each of these would take seconds or minutes.
for command in "verify cpu/gemm/serial" "verify --strict --device emulated" "selftest" "trace --n 512"; do
    # shellcheck disable=SC2086 # words of the command
    env --default-signal=INT "$duel" $command >"$scratch/.out" 2>"$scratch/.err" &
    process=$!
    sleep 0.5
    kill -s INT $process
    wait $process
    same "an interrupted duel ${command%% *} ends with 130" 130 $?
    contains "and says so" "$(cat "$scratch/.out" "$scratch/.err")" nterrupted
done

# "verified" means all of it: what was cut off is not.
env --default-signal=INT "$duel" verify cpu/gemm/serial >"$scratch/.out" 2>/dev/null &
process=$!
sleep 0.5
kill -s INT $process
wait $process
contains "an interrupted row of verify is no verdict" "$(cat "$scratch/.out")" "cut off"
contains "and does not count as checked" "$(cat "$scratch/.out")" "in 0 rows"

# ---- one's own matrices ----
python=${DUEL_PYTHON:-python3}
if "$python" -c 'import numpy' 2>/dev/null; then
    (cd "$scratch" && "$python" -c '
import numpy
r = numpy.random.default_rng(1)
numpy.save("a.npy", r.integers(-3, 4, (7, 5)).astype("f4"))
numpy.save("b.npy", numpy.asfortranarray(r.integers(-3, 4, (5, 9)).astype("f4")))
numpy.save("d.npy", numpy.zeros((4, 9), "f4"))')
    run run cpu/gemm/serial --input "$scratch/a.npy" "$scratch/b.npy" --output "$scratch/c.npy" --no-plots \
        --out "$scratch/i"
    same "two files are multiplied" 0 "$status"
    check "the product is NumPy's" "$python" -c 'import numpy, sys
a, b, c = (numpy.load(sys.argv[1] + "/" + n) for n in ("a.npy", "b.npy", "c.npy"))
sys.exit(0 if c.dtype == "f4" and (a @ b == c).all() else str(c))' "$scratch"
    refuses 2 'why:|next:' run cpu/gemm/serial --input "$scratch/a.npy" "$scratch/d.npy" --out "$scratch/i"
else
    skip "two files are multiplied" "NumPy is not installed"
fi
refuses 2 'cannot be opened' run cpu/gemm/serial --input "$scratch/none.npy" "$scratch/none.npy" --out "$scratch/i"
printf 'no NumPy file at all' >"$scratch/text.npy"
refuses 2 'why:|next:' run cpu/gemm/serial --input "$scratch/text.npy" "$scratch/text.npy" --out "$scratch/i"

# ---- plots in the terminal ----
if gnuplot --version >/dev/null 2>&1; then
    run run cpu/gemm/serial --n 16,32 --precision fp32 --budget 20s --out "$scratch/t" --terminal
    same "--terminal ends well" 0 "$status"
    check "it draws more lines than the table has" test "$(wc -l <<<"$out$err")" -gt 30
    check "pictures are drawn too" test -s "$scratch/t/plots/gflops.png" -a -s "$scratch/t/plots/gflops.svg"
else
    skip "--terminal draws" "gnuplot is not here"
fi
done_testing
