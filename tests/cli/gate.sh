#!/usr/bin/env bash
# duel baseline and duel gate: what is kept and refused, what is measured again, and the exit codes. The times of
# baselines are rewritten: what is slower or faster does not depend on this machine. Time limit: 240 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh && . tests/cli/made_runs.sh

export XDG_DATA_HOME=$scratch/data
cd "$scratch" || exit 1
store=$XDG_DATA_HOME/duel/baselines

# kept NAME SED...: a baseline of the quick run below, rewritten.
kept() {
    local name=$1
    shift
    sed -E "$@" quick/run.jsonl >"$name.jsonl"
    run baseline save "$name" --from "$name.jsonl" --quiet
    [ "$status" = 0 ] || echo "# baseline $name: $err"
}
# times S: the script that gives all medians this value, and calls them undisturbed.
times() { echo "s/\"kernel_median_s\":[0-9.e-]+/\"kernel_median_s\":$1/; s/\"clean\":false/\"clean\":true/"; }

# ---- what may be a baseline ----
made good.jsonl a
run baseline save good --from good.jsonl
same "sessions that are good are kept" 0 "$status"
contains "and it says what they are good for" "$out" "5 sessions of 4 cases" "differs by" "duel gate --baseline good"
check "every sample is there" cmp good.jsonl "$(find "$store" -path '*/good/run.jsonl')"
contains "with the noise floor of each case" "$(cat "$store"/*/good/baseline.json)" \
    '"noise_floors":[{"case":"gpu/gemm' \
    '"noise_floor":0.00' '"machine":"Test CPU, 8 cores, x86_64, at most 16 GiB"'
refuses 2 'there is a baseline|next:' baseline save good --from good.jsonl
made hot.jsonl b limited=0.4
refuses 4 'thermal slowdown|40 %|next:' baseline save x --from hot.jsonl
made warm.jsonl b limited=0.05
run baseline save warm --from warm.jsonl --quiet
same "a short ramp is no throttling" "0 " "$status $out"
made capped.jsonl b limited=0.9 reason='power cap'
run baseline save capped --from capped.jsonl --quiet && run baseline rm capped
same "nor is a card at its power cap" 0 "$status"
made busy.jsonl b clean=false
refuses 4 'other work interrupted it in 5 of 5|next:' baseline save x --from busy.jsonl
made loose.jsonl b noise=0.3
refuses 4 'the same code differs by|next:' baseline save x --from loose.jsonl
made wrong.jsonl b status=FAILED
refuses 3 'off by one|next:' baseline save x --from wrong.jsonl
made few.jsonl b sessions=2
refuses 6 '2 of 3 sessions|next:' baseline save x --from few.jsonl
made stopped.jsonl b end=interrupted
refuses 6 'was interrupted|next:' baseline save x --from stopped.jsonl
sed '$d' good.jsonl >crashed.jsonl
refuses 6 'has no end|next:' baseline save x --from crashed.jsonl
for name in ../x .x 'a b' a/b; do refuses 2 'is no name of a baseline' baseline save "$name" --from good.jsonl; done
refuses 2 'next:' baseline
refuses 2 'next:' baseline rename good better
refuses 2 'at least 3' baseline save x cpu/gemm/serial --sessions 2
refuses 2 'together with --from' baseline save x gemm --from good.jsonl
refuses 2 'there is no baseline' baseline show x
nothing "what was refused has left nothing" "$(find "$store" -mindepth 2 -maxdepth 2 ! -name good ! -name warm)"
run baseline list
contains "the list has them" "$out" "good" "warm" "Test CPU"
run baseline show good
contains "one of them, case by case" "$out" "gpu/gemm/made fp32, n = 64" "noise floor" " %"
run compare good warm
same "they can be compared by name" "0" "$status"
run baseline rm warm
same "and removed" "0 Removed the baseline warm." "$status $out"
check "altogether" test ! -e "$(echo "$store"/*/warm)"
run baseline list --dir "$scratch/elsewhere"
contains "--dir names another place" "$out" "There is no baseline in $scratch/elsewhere"

# ---- an identity does not drift ----
made newer.jsonl c kernel=6.9 driver=600 memory=15900000000 mhz=1500
run baseline save newer --from newer.jsonl --quiet
same "kernel, driver, clocks and a little memory change no machine" 1 "$(find "$store" -mindepth 1 -maxdepth 1 | wc -l)"
made bigger.jsonl d memory=34000000000
run baseline save bigger --from bigger.jsonl --quiet
same "twice the memory does" 2 "$(find "$store" -mindepth 1 -maxdepth 1 | wc -l)"

# ---- measured here ----
run run cpu/gemm/serial cpu/gemm/interchanged --n 32 --precision fp32 --device cpu --samples 6 --sessions 3 --no-plots \
    --out quick --seed 7
check "a run to begin with" test "$status" = 0 -o "$status" = 4
kept slow "$(times 1.0)"
run gate --baseline slow --sessions 3 --out g1
check "faster than the baseline: 0" test "$status" = 0
contains "and says so" "$out" "FASTER: of 2 timings 0 slower, 2 faster" "cpu/gemm/serial fp32 1 thread, n = 32"
check "nothing was suspect" test ! -e g1/suspects
contains "it was measured as the baseline was" "$(head -n 1 g1/run.jsonl)" '"seed":7' "--samples 6"
kept fast "$(times 1e-7)"
run gate --baseline fast --sessions 3 --out g2 --junit g2.xml --json g2.json --floor 0.001us
same "slower than the baseline: 1" 1 "$status"
contains "and confirmed" "$out" "SLOWER: of 2 timings 2 slower" "confirmed"
contains "it says that it measures again" "$err" "2 suspects are measured again"
same "both in one run of the same size" 1 "$(find g2/suspects -mindepth 1 -maxdepth 1 | wc -l)"
same "in sessions of their own" 6 "$(grep -c '"record":"result"' g2/suspects/1/run.jsonl)"
contains "JUnit fails" "$(cat g2.xml)" 'failures="2"'
contains "JSON says that it is confirmed" "$(cat g2.json)" '"exit_code":1' '"confirmed":true'
# The times of this baseline are right for one case and wrong for the other: only that is a suspect.
kept half "/serial\",\"device\"/{$(times 1e-7)};/interchanged\",\"device\"/{$(times 1)}"
run gate --baseline half --sessions 3 --out g3 --quiet --floor 0.001us
same "one of two slower: 1, and --quiet says nothing" "1 " "$status $out"
same "only the suspect is measured again" "cpu/gemm/serial" \
    "$(sed -nE 's/.*"record":"result","implementation":"([^"]*)".*/\1/p' g3/suspects/1/run.jsonl | sort -u)"
run gate --baseline slow --sessions 3 --out g3 --quiet
check "suspects of an earlier gate are not left" test ! -e g3/suspects
kept answers "$(times 1);s/\"output_hash\":\"fnv1a:[0-9a-f]{4}/\"output_hash\":\"fnv1a:0000/"
run gate --baseline answers --sessions 3 --out g4
check "other answers: 0" test "$status" = 0
contains "and a finding" "$out" "Other answers than before" "another hash"
run gate --baseline answers --sessions 3 --out g4 --on-numeric fail --quiet
same "1 with --on-numeric fail" 1 "$status"
# Slower once, and then it cannot be measured again: no directory can be made where a file is.
mkdir g9 && : >g9/suspects
run gate --baseline fast --sessions 3 --out g9 --floor 0.001us
same "what cannot be confirmed is neither slower nor a pass: 5" 5 "$status"
contains "and says so" "$out" "NOT COMPARABLE" "could not be measured a second time"
# A case that is in the baseline, and that its words do not measure.
kept more "$(times 1);/\"record\":\"result\"/{p;s/\"m\":32,\"n\":32,\"k\":32/\"m\":33,\"n\":33,\"k\":33/}"
run gate --baseline more --sessions 3 --out g5
same "a case of the baseline that is not there: 5" 5 "$status"
contains "and which" "$out" "INCOMPLETE" "n = 33" "only in A"
kept moved "$(times 1);s/\"cpu_model\":\"[^\"]*\"/\"cpu_model\":\"Another\"/"
run gate --baseline moved --out g6
same "a baseline of another machine: 5" 5 "$status"
contains "before anything is measured" "$err" "another machine" "Another, " "why:" "next:"
check "nothing was" test ! -e g6
refuses 2 'no --baseline|next:' gate
refuses 2 'there is no baseline|next:' gate --baseline none
refuses 2 'does not tell which|next:' gate --baseline good --out g7
refuses 2 'cannot be written' gate --baseline slow --junit no/dir.xml --out g8
check "nothing was measured for it" test ! -e g8

# ---- saved from this machine, by the command itself ----
run baseline save here cpu/gemm/serial --n 16 --precision fp32 --device cpu --samples 6 --sessions 3
case $status in
0) contains "sessions of this machine are kept" "$out" "Saved the baseline here: 3 sessions of 1 case" ;;
*) contains "or it says why not" "$err" "no baseline was saved" "why:" "next:" ;; # a busy machine is no baseline
esac
nothing "no traces of measuring" "$(find "$store" -name '.*')"
refuses 2 'serail|next:' baseline save y cpu/gemm/serail

# ---- interrupted ----
kept long "$(times 1);s/--samples 6/--min-time 2s --target-ci 0.01%/"
env --default-signal=INT "$duel" gate --baseline long --sessions 3 --out g9 >/dev/null 2>interrupted &
process=$!
for _ in $(seq 100); do [ -s g9/sessions/1/run.jsonl ] || sleep 0.1; done
kill -s INT $process
wait $process
same "Ctrl-C ends the gate with 130" 130 $?
done_testing
