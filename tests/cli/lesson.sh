#!/usr/bin/env bash
# Workloads: a first look at several of them in one run, and the lesson of one with its own numbers.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

mkdir "$scratch/none" && export DUEL_PLUGIN_DIR=$scratch/none
flat() { tr -s ' \n' ' ' <<<"$out"; }

run explain axpy --out "$scratch/nowhere"
same "a workload has a lesson without any run" 0 "$status"
contains "with what it teaches" "$(flat)" "Each number is read once and used once"
contains "with what it computes, its costs and its ladder" "$out" "axpy: y = alpha x + y" "operations per byte" \
    "On the CPU:  serial"
contains "it says how to get numbers" "$(flat)" "\`duel run axpy\` measures it"
nothing "and shows none that was not measured" "$(grep -E 'GB/s|Measured in' <<<"$out")"

run run cpu/axpy/serial cpu/gemm/serial --quick --samples 3 --no-plots --out "$scratch/run"
same "--quick takes any pattern" 0 "$status"
contains "it says what it is" "$err" "a first look (--quick): two sizes of each workload"
contains "and what it leaves out, for each workload" "$(flat)" \
    "cpu/axpy/serial at m = " "cpu/gemm/serial at n = " "skipped: left out for a first look (--quick)"
for workload in axpy gemm; do
    same "two sizes of $workload were to run" 2 "$(grep "\"record\":\"result\".*\"workload\":\"$workload\"" \
        "$scratch/run/run.jsonl" | grep -vc 'left out for a first look')"
done
run run cpu/axpy/serial --quick --n 100,200,300 --samples 3 --no-plots --out "$scratch/sizes"
same "sizes that were asked for all stay" "0 3" "$status $(grep -c '"status":"ok"' "$scratch/sizes/run.jsonl")"

run explain axpy --out "$scratch/run"
contains "the lesson has the numbers of the run" "$(flat)" "Measured in $scratch/run on " "GB/s" "cpu/axpy/serial"
nothing "and of its own workload alone" "$(grep -E 'gemm|GFLOP' <<<"$out")"
head -c 3000 "$scratch/run/run.jsonl" >"$scratch/cut.jsonl" && printf 'no JSON\n' >>"$scratch/cut.jsonl"
run explain axpy --out "$scratch/cut.jsonl"
contains "a run that cannot be read is told, not believed" "$(flat)" "cannot be read to its end"
refuses 2 'why:|next:' explain axpi

# Work without arithmetic has a rate all the same, and no peak to break.
run run cpu/transpose/serial --n 64 --samples 20 --precision fp32 --no-plots --out "$scratch/transpose"
same "a transposition is no failure" 0 "$status"
contains "its rate is of bytes" "$(flat)" "cpu/transpose/serial (fp32, 1 thread): " " GB/s"
nothing "and is a number" "$(grep -iE '\bnan\b|FAILED' <<<"$out$err")"

# Sizes that one workload cannot hold do not keep the other from running.
run run cpu/axpy/serial cpu/gemm/serial --n 1000000 --samples 3 --no-plots --out "$scratch/large"
same "the workload that fits is measured" "0 axpy" \
    "$status $(sed -nE 's/.*"status":"ok".*"workload":"([a-z]+)".*/\1/p' "$scratch/large/run.jsonl")"
contains "the other one says why not" "$(flat)" "gemm with n = 1000000 needs"

run run cpu/axpy/serial cpu/dot/serial cpu/gemm/serial --shape 8x8x8 --samples 3 --precision fp32 --no-plots \
    --out "$scratch/shape"
same "a shape of three extents is for gemm" "0 gemm" \
    "$status $(sed -nE 's/.*"status":"ok".*"workload":"([a-z]+)".*/\1/p' "$scratch/shape/run.jsonl")"
contains "and the others are told" "$err" "--shape has another number of extents than axpy, dot: nothing of it is run"
done_testing
