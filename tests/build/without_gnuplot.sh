#!/usr/bin/env bash
# Without gnuplot: data and scripts are written, and the message says how to draw them. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without gnuplot
contains "the report says what is missing and what it costs" "$(grep '✗ gnuplot' "$log")" "data and scripts only"

# The program finds gnuplot through PATH: one that leads nowhere is a machine without it.
mkdir "$scratch/empty"
printf '#!/bin/bash\nPATH=%q exec %q "$@"\n' "$scratch/empty" "$duel" >"$scratch/duel" && chmod +x "$scratch/duel"
duel=$scratch/duel
run run cpu/gemm/serial --n 32,64 --budget 5s --out "$scratch/run"
same "duel run ends well" 0 "$status"
contains "the message says how to draw the plots later" "$out$err" gnuplot
check "the row is measured" grep -qE '^cpu/gemm/serial,cpu,ok,' "$scratch/run/run.csv"
check "data and scripts are there" test -s "$scratch/run/plots/gflops.dat" -a -s "$scratch/run/plots/gflops.gp"
check "no picture is there" test -z "$(find "$scratch/run" -name '*.png' -o -name '*.svg')"
if gnuplot --version >/dev/null 2>&1; then
    check "the script that was left draws the picture where gnuplot is" \
        bash -c "cd '$scratch/run/plots' && gnuplot gflops.gp && ls -- *.png"
else
    skip "the script that was left draws the picture where gnuplot is" "gnuplot is not here"
fi
done_testing
