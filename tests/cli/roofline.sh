#!/usr/bin/env bash
# duel roofline: its files, its columns, and what it refuses. Time limit: 240 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

mkdir "$scratch/none" && export DUEL_PLUGIN_DIR=$scratch/none
quick=(cpu/gemm/interchanged --n 64 --precision fp32 --threads 1 --min-time 20ms --timeout 500ms)

run roofline "${quick[@]}" --out "$scratch/a"
# On a machine that others keep busy a row may stand above a ceiling that could not be reached: status 6 says so.
case $status in
0 | 6) report ok "duel roofline ends with a verdict" ;;
*) report not "duel roofline ends with a verdict" "status $status: $err" ;;
esac
contains "the table has ceilings and rows" "$out" "multiply-adds" "memory" "cpu/gemm/interchanged" "made by"
jsonl=$scratch/a/run.jsonl
for precision in fp32 fp64; do
    check "the peak of $precision is measured with one thread" \
        grep -qE "\"record\":\"roof\".*\"precision\":\"$precision\",\"threads\":1,.*\"gflops\":[0-9]" "$jsonl"
done
for loop in copy triad read; do
    check "memory is measured by $loop" \
        grep -qE "\"level\":\"memory\",\"loop\":\"$loop\",\"threads\":1,.*\"gbps\":[0-9]" "$jsonl"
done
nothing "each ceiling is the highest of three tries" \
    "$(grep '"record":"roof"' "$jsonl" | grep -vE '"tries":3[,}]|_why"')"
same "there is one result and one placement" "1 1" \
    "$(grep -c '"record":"result"' "$jsonl") $(grep -c '"record":"placement"' "$jsonl")"
check "64 x 64 x 64 has 10.7 FLOP per compulsory byte" grep -q '"intensity":10.6666' "$jsonl"
check "and 0.25 without reuse" grep -q '"no_reuse_intensity":0.25,' "$jsonl"
check "its model is recorded, or why there is none" \
    grep -qE '"record":"placement".*"modelled_(bytes":[0-9]|bytes_why":"[^"])' "$jsonl"
contains "and told" "$out" "model of cpu/gemm/interchanged"
same "the CSV has a heading and a line per placement" 2 "$(wc -l <"$scratch/a/run.csv")"
contains "with the columns that scripts rely on" ",$(head -n 1 "$scratch/a/run.csv")," ,implementation, ,gflops, \
    ,intensity, ,roof_gflops, ,roof_percent, ,limit, ,feeds_without_reuse,
if [ "$status" = 0 ] && gnuplot --version >/dev/null 2>&1; then
    check "the picture is drawn" test -s "$scratch/a/plots/roofline-cpu.png" -a -s "$scratch/a/plots/roofline-cpu.svg"
    check "with roofs and points" grep -q 'interchanged' "$scratch/a/plots/roofline-cpu.svg"
else
    skip "the picture is drawn" "gnuplot is not here, or the row stands above its roof"
fi

refuses 2 'several sizes' roofline --n 64,128
refuses 2 'has 0 multiply-adds|why:|next:' roofline --shape 5x5x0
refuses 2 'matches no' roofline cpu/nothing
refuses 2 'why:|next:' roofline --out /proc/nowhere
refuses 2 'not a device' roofline --device gpu
refuses 77 'why:|next:' roofline --device cuda
unset DUEL_PLUGIN_DIR
if "$duel" devices | grep -qE '^emulated +.*ready'; then
    refuses 77 'neither ceilings nor times|next:' roofline --device emulated
else
    skip "the emulated GPU has no ceilings" "it is not built here"
fi
done_testing
