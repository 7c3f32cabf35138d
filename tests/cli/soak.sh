#!/usr/bin/env bash
# `duel soak`: a short load of the CPU, what it leaves behind, what it refuses, and what `duel score` makes of it.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
cd "$scratch" || exit 1

run soak cpu/gemm/openblas cpu/gemm/packed --n 128 --minutes 0.05 --out load
contains "a load says what was kept and what was checked" "$out" "cpu/gemm/" "n = 128" "burst" "sustained" \
    "% of burst" "checked" "0 wrong" "load/run.jsonl"
summary=$(grep '"record":"soak",' load/run.jsonl)
number() { sed -nE "s/.*\"$1\":([-+0-9.e]+).*/\1/p"; }
contains "its record is whole" "$summary" '"status":"ok"' '"wrong_checks":0' '"repeats":true'
check "kept is the later rate over the earlier one" awk -v burst="$(number burst_gflops <<<"$summary")" \
    -v sustained="$(number sustained_gflops <<<"$summary")" -v kept="$(number kept <<<"$summary")" \
    'BEGIN { exit !(kept > 0 && (sustained / burst - kept) ^ 2 < 1e-12) }'
same "stretches follow each other until the time is up" yes "$(number at_s <load/run.jsonl |
    awk '{ bad += $1 <= last; last = $1 } END { print (NR > 5 && !bad && last >= 3 ? "yes" : "no") }')"
same "what is not known has its reason" "$(grep -c '"soak_point"' load/run.jsonl)" \
    "$(grep '"soak_point"' load/run.jsonl | grep '"power_w' | grep '"clock_mhz' | grep -c '"temperature_c_why"')"
same "every stretch is right" 0 "$(grep -c '"right":false' load/run.jsonl)"
same "the CSV has a row for each stretch" \
    "$(grep -c '"soak_point"' load/run.jsonl)" "$(tail -n +2 load/run.csv | wc -l)"
if command -v gnuplot >/dev/null; then
    check "the picture is drawn" test -s load/plots/soak.png
    contains "and says what it shows" "$(cat load/plots/soak.svg)" "under load" "seconds of load"
else
    skip "the picture" "no gnuplot"
fi
run score load
contains "the scorecard takes sustained from it" "$out" "kept" "cpu/gemm/"
same "with its own length" 1 "$("$duel" score load --csv - |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print ($at["load_s"] >= 3) }')"

run soak cpu/axpy/serial --n 4096 --minutes 0.02 --no-plots --out sums
same "runs that add to their output are right, too" 0 "$status"
contains "and compared bit by bit" "$out" "cpu/axpy/serial" "bit by bit" " 0 wrong"

"$duel" soak --n 64 --minutes 5 --out cut --quiet --no-plots 2>cut.err &
pid=$!
for _ in $(seq 100); do
    if grep -qs '"soak_point"' cut/run.jsonl; then break; fi
    sleep 0.2
done
kill -TERM $pid
wait $pid
same "an interrupt ends it" 143 $?
same "and keeps what was measured" interrupted \
    "$(sed -nE 's/.*"record":"soak",.*"status":"([a-z]+)".*/\1/p' cut/run.jsonl)"

refuses 77 "nothing to heat" soak --device emulated --minutes 0.05
refuses 77 "cuda" soak --device cuda:7 --minutes 0.05
refuses 2 "--minutes 0" soak --minutes 0
refuses 2 "2 sizes" soak --n 64,128 --minutes 0.01 --out two
refuses 2 "2 workloads" soak cpu/gemm/serial cpu/axpy/serial --n 64 --minutes 0.01 --out two
refuses 2 "nothing" soak nothing --minutes 0.01
done_testing
