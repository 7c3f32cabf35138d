#!/usr/bin/env bash
# duel transfer: the stand-in without a GPU, its files, and what it refuses. Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

# Without plug-ins there is no GPU on any machine.
mkdir "$scratch/none" && export DUEL_PLUGIN_DIR=$scratch/none
quick=(--bytes 4K:1M:x16 --min-time 10ms --timeout 200ms --no-plots)
label='host copy: no device here; shows the shape of the curve, not a link'

run transfer "${quick[@]}" --out "$scratch/a"
same "without a GPU host copies stand in" 0 "$status"
contains "and the table says that they do" "$out" "$label" "4 KiB" "64 KiB" "1 MiB" "GB/s"
same "one row per size" 3 "$(grep -c '"record":"transfer",' "$scratch/a/run.jsonl")"
same "each with the label" 3 "$(grep -c "\"record\":\"transfer\",.*$label" "$scratch/a/run.jsonl")"
nothing "none claims a link" "$(grep -E '"link_(gbps|percent)":' "$scratch/a/run.jsonl")"
contains "and why is told" "$(cat "$scratch/a/run.jsonl")" '"link_gbps_why":"a copy within host memory uses no link"'
same "the CSV has a heading and a line per row" 4 "$(wc -l <"$scratch/a/run.csv")"
contains "with the columns that scripts rely on" ",$(head -n 1 "$scratch/a/run.csv")," ,way, ,memory, ,bytes, \
    ,time_median_s, ,time_ci_lo_s, ,gbps, ,batch,
short=$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    { sub(/"[^"]*"/, "label") } $c["time_median_s"] * $c["batch"] < 50e-6' "$scratch/a/run.csv")
nothing "no timed interval is shorter than 50 us" "$short"

run transfer "${quick[@]}" --out "$scratch/a" --json -
same "--json - is the run file" "$(cat "$scratch/a/run.jsonl")" "$out"
contains "and the table goes to stderr" "$err" "1 MiB"
run transfer "${quick[@]}" --out "$scratch/a" --csv - --quiet
same "--csv - is the CSV" "$(cat "$scratch/a/run.csv")" "$out"
run transfer --bytes 100003 --min-time 10ms --timeout 200ms --no-plots --out "$scratch/a"
contains "a size that is no power of two" "$out" "97.7 KiB"
if gnuplot --version >/dev/null 2>&1; then
    run transfer --bytes 4K:1M:x16 --min-time 10ms --timeout 200ms --out "$scratch/p"
    check "the picture is drawn" test -s "$scratch/p/plots/transfer.png" -a -s "$scratch/p/plots/transfer.svg"
    check "and says what it shows" grep -q "$label" "$scratch/p/plots/transfer.svg"
else
    skip "the picture is drawn" "gnuplot is not here"
fi

refuses 2 'bytes|why:|next:' transfer --bytes 4X
refuses 2 'takes no argument' transfer gemm
refuses 2 'no option --n' transfer --n 512
refuses 2 'why:|next:' transfer --out /proc/nowhere
refuses 2 'not a device' transfer --device gpu
refuses 77 'why:|next:' transfer --device cuda
unset DUEL_PLUGIN_DIR
if "$duel" devices | grep -qE '^emulated +.*ready'; then
    refuses 77 'no transfer times|next:' transfer --device emulated
else
    skip "the emulated GPU has no transfer times" "it is not built here"
fi
done_testing
