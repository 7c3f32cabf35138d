#!/usr/bin/env bash
# A gnuplot that hangs, or that says it has drawn and has not, costs little and is told. Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

mkdir "$scratch/none" "$scratch/bin" && export DUEL_PLUGIN_DIR=$scratch/none
real=$PATH
export PATH=$scratch/bin:$PATH
# fake LINE...: what gnuplot is from now on.
fake() { printf '%s\n' '#!/bin/sh' "$@" >"$scratch/bin/gnuplot" && chmod +x "$scratch/bin/gnuplot"; }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
quick=(run cpu/gemm/serial --n "16,32" --precision fp32 --budget 5s --out "$scratch/out")

fake 'exit 0'
run "${quick[@]}"
same "no picture and no error is an error" 6 "$status"
contains "that names the file" "$err" "gnuplot reported success but wrote no picture" "speedup.png" "why:" "next:"
lacks=$(grep -o 'pictures: ' <<<"$out")
nothing "and no pictures are promised" "$lacks"
# shellcheck disable=SC2016 # the fake gnuplot expands it
fake 'echo no picture >"${4%.gp}.png"'
run "${quick[@]}"
same "a file that is no picture is none" 6 "$status"

# It is given 10 s once, not once for each of three pictures.
fake "date >>'$scratch/started'" 'exec sleep 60'
started=$(milliseconds)
run "${quick[@]}"
took=$(($(milliseconds) - started))
check "a hung gnuplot ends after $took ms, of 10 s and what a run takes" test "$took" -lt 22000
same "it is an error" 6 "$status"
same "told once" 1 "$(grep -c 'gnuplot did not end within 10 s' <<<"$err")"
same "and it was started once" 1 "$(wc -l <"$scratch/started")"
check "the scripts are there" test -s "$scratch/out/plots/gflops.gp"

rm "$scratch/started"
env --default-signal=INT "$duel" "${quick[@]}" >/dev/null 2>"$scratch/.err" </dev/null &
duel_pid=$!
for _ in $(seq 300); do
    [ -e "$scratch/started" ] && break
    sleep 0.1
done
started=$(milliseconds)
kill -INT "$duel_pid"
wait "$duel_pid"
same "Ctrl-C while gnuplot hangs is an interrupt" 130 $?
took=$(($(milliseconds) - started))
check "which ends it at once, after $took ms" test "$took" -lt 4000
contains "and is told" "$(cat "$scratch/.err")" "interrupted"

fake 'exec >&- 2>&-' 'exec sleep 60'
started=$(milliseconds)
run "${quick[@]}"
took=$(($(milliseconds) - started))
check "closed pipes are no end either: $took ms" test "$took" -lt 22000 -a "$status" = 6
PATH=$real
done_testing
