#!/usr/bin/env bash
# --budget bounds the whole of run, roofline and transfer, and what it leaves out has a reason. Time limit: 240 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

mkdir "$scratch/none" && export DUEL_PLUGIN_DIR=$scratch/none

# in_time SECONDS ARGUMENT...: duel ends within 1.5 times the budget and a second. Other work may hold up one run.
in_time() {
    local budget=$1 from took limit
    shift
    limit=$(awk -v b="$budget" 'BEGIN { print int(1500 * b + 1000) }')
    for _ in 1 2 3; do
        from=$(date +%s%N)
        run "$@" --budget "${budget}s" --no-plots --out "$scratch/out"
        took=$((($(date +%s%N) - from) / 1000000))
        [ "$took" -le "$limit" ] && break
    done
    check "duel $* --budget ${budget}s ends after $took of at most $limit ms" test "$took" -le "$limit"
    contains "with a verdict" " 0 4 6 " " $status "
    nothing "and no row without a time and a reason" \
        "$(grep -E '"record":"(result|transfer)".*"status":"(skipped|FAILED)"' "$scratch/out/run.jsonl" |
            grep -v '"reason":"[^"]')"
}
# The last output in one line: tables wrap at the width of the terminal.
flat() { tr -s ' \n' ' ' <<<"$out"; }

in_time 1 run gemm --n 1024 --precision fp32
in_time 1 run gemm --n 8192 --precision fp32
in_time 1 run gemm --n 64,128,256,512,1024 --precision fp32,fp64
in_time 2 run cpu/gemm/serial cpu/gemm/interchanged cpu/axpy/serial
for workload in gemm axpy; do
    check "the budget is spread: some of $workload is measured" \
        grep -q "\"record\":\"result\".*\"status\":\"ok\".*\"workload\":\"$workload\"" "$scratch/out/run.jsonl"
done
in_time 1 roofline
in_time 2 roofline --n 4096
in_time 1 transfer
in_time 1 transfer --bytes 1G

run run cpu/gemm/serial --n 8192 --budget 1s --no-plots --out "$scratch/out"
same "when nothing fits the status is 4" 4 "$status"
contains "with what it would take, and what is left" "$(flat)" "verifying and running it would take about" \
    "of the budget of 1 s are left (--budget)"
contains "and a sentence that says so" "$err" "not one case could be measured"
nothing "no smaller size is blamed where there is none" "$(grep 'smaller' <<<"$out$err")"
run transfer --bytes 1G --budget 10ms --no-plots --out "$scratch/out"
same "a copy that does not fit: status 4" 4 "$status"
contains "with its reason" "$(flat)" "1 GiB: skipped: making, proving and copying it would take about"
run roofline cpu/gemm/serial --budget 10ms --no-plots --out "$scratch/out"
same "no time for ceilings: status 4" 4 "$status"
contains "each ceiling has its reason" "$(flat)" "not known: the ceiling of fp32" \
    "the budget leaves no time for it (--budget)"
same "in the records too" "$(grep -c '"record":"roof"' "$scratch/out/run.jsonl")" \
    "$(grep '"record":"roof"' "$scratch/out/run.jsonl" | grep -c '_why":"the budget leaves no time')"
done_testing
