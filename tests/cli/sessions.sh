#!/usr/bin/env bash
# duel run --sessions: fresh processes one after the other, and what they say together. Time limit: 180 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

quick=(cpu/gemm/serial cpu/gemm/interchanged --n "16,32" --precision fp32 --device cpu --samples 6)
long=(cpu/gemm/serial --n 64 --precision fp32 --device cpu --min-time 1s --target-ci 0.01% --no-plots)

# records KIND FILE: how many there are.
records() { grep -c "^{\"record\":\"$1\"" "$2"; }
# column NAME FILE: its values.
column() {
    awk -F , -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$2"
}
# wait_for FILE: until it holds something, 20 s at most.
wait_for() { for _ in $(seq 200); do [ -s "$1" ] || sleep 0.1; done; }

# ---- what three sessions leave behind ----
dir=$scratch/three
run run "${quick[@]}" --sessions 3 --no-plots --out "$dir" --json - --seed 5
# A busy machine may leave no clean samples: the exit status then says so, and the rows are there all the same.
check "three sessions end well" test "$status" = 0 -o "$status" = 4
same "stdout is the run file" "$(cat "$dir/run.jsonl")" "$out"
nothing "and nothing else" "$(grep -vE '^\{.*\}$' <<<"$out")"
same "every session has all cases" 12 "$(records result "$dir/run.jsonl")"
same "each case has one record of all sessions" 4 "$(records sessions "$dir/run.jsonl")"
same "run, host, device and end are there once" "1 1 1 1" \
    "$(for kind in run host device end; do records $kind "$dir/run.jsonl"; done | paste -sd ' ')"
same "the sessions are numbered" "4 1,4 2,4 3" \
    "$(column session "$dir/run.csv" | sort | uniq -c | awk '{ print $1, $2 }' | paste -sd ,)"
same "every session kept its six samples, and those repeated for them" 12 \
    "$(grep -cE '"kernel_s":\[([^],]+,){5,}[^],]+\]' "$dir/run.jsonl")"
same "an interval over sessions is given" 4 "$(grep -c '"sessions":3.*"kernel_ci_lo_s":.*"kernel_ci_hi_s":' \
    "$dir/run.jsonl")"
same "so is a verdict, but for the base" 2 "$(grep -c '"speedup_kernel_verdict":"' "$dir/run.jsonl")"
contains "the command is recorded as it was typed" "$(head -n 1 "$dir/run.jsonl")" "--sessions 3" '"seed":5'
contains "the table says what its medians are of" "$err" "medians of 3 sessions" "95 % interval over sessions"
for session in 1 2 3; do
    contains "session $session has a run of its own" "$(cat "$dir/sessions/$session/run.jsonl")" '"record":"end"' \
        '"seed":5'
    same "its results are those of the whole, as they were" \
        "$(grep '"record":"result"' "$dir/sessions/$session/run.jsonl")" \
        "$(grep '"record":"result"' "$dir/run.jsonl" | grep "\"session\":$session,\|\"session\":$session}" |
            sed "s/\"session\":$session,//")"
done
check "they are different processes" test \
    "$(sed -sn '1s/.*"id":"\([^"]*\)".*/\1/p' "$dir"/sessions/*/run.jsonl | sort -u | wc -l)" = 3

# ---- the run after it ----
run run "${quick[@]}" --sessions=2 --quiet --out "$dir" -- cpu/gemm/serial
check "an option with = is understood, and so is --" test "$status" = 0 -o "$status" = 4
same "--quiet says nothing" "" "$out"
check "the sessions of the run before are kept with it" test -s "$dir/previous/sessions/3/run.jsonl"
check "and do not lie among the new ones" test ! -e "$dir/sessions/3" -a -s "$dir/sessions/2/run.jsonl"
same "two sessions have an interval too" 4 "$(grep -c '"sessions":2.*"kernel_ci_lo_s":' "$dir/run.jsonl")"
before=$(cat "$dir/run.jsonl")
run run "${quick[@]}" --sessions 1 --no-plots --out "$scratch/one"
check "one session is an ordinary run" test ! -e "$scratch/one/sessions"

# ---- refused before anything happens ----
refuses 2 'why:|next:|serail' run cpu/gemm/serail --sessions 3 --out "$dir"
refuses 2 'why:|next:' run "${quick[@]}" --sessions 0 --out "$dir"
refuses 77 'why:|next:' run cpu/gemm/serial --n 16 --device cuda:77 --sessions 3 --out "$dir"
refuses 2 'writes anyway' run "${quick[@]}" --sessions 2 --out "$dir" --json "$dir/run.jsonl"
same "the earlier run lies where it lay" "$before" "$(cat "$dir/run.jsonl")"
run run "${quick[@]}" --sessions 5 --dry-run --out "$scratch/dry"
contains "--dry-run only tells" "$out" "all fresh processes together" "Nothing was run"
check "and writes nothing" test ! -e "$scratch/dry"

# ---- two runs in one directory ----
"$duel" run "${long[@]}" --sessions 2 --out "$scratch/two" >/dev/null 2>&1 &
first=$!
wait_for "$scratch/two/sessions/1/run.jsonl"
refuses 2 'why:|next:|is writing to' run "${quick[@]}" --sessions 2 --out "$scratch/two"
wait $first
status=$?
check "and the first one goes on undisturbed" test "$status" = 0 -o "$status" = 4
same "with both sessions" "2 1" "$(records result "$scratch/two/run.jsonl") $(records end "$scratch/two/run.jsonl")"

# ---- interrupted in the second of three ----
for signal in INT TERM; do
    dir=$scratch/$signal
    # A shell without job control starts background jobs with SIGINT ignored; env sets it back.
    env --default-signal=INT "$duel" run "${long[@]}" --sessions 3 --out "$dir" >"$scratch/.out" 2>"$scratch/.err" &
    process=$!
    wait_for "$dir/sessions/2/run.jsonl"
    sleep 0.3
    kill -s $signal $process
    wait $process
    status=$?
    same "SIG$signal ends all sessions with status $((128 + $(kill -l $signal)))" $((128 + $(kill -l $signal))) $status
    nothing "all lines of the run file are whole" "$(grep -vE '^\{.*\}$' "$dir/run.jsonl")"
    contains "the run file says that it was interrupted" "$(tail -n 1 "$dir/run.jsonl")" '"record":"end"' interrupted
    contains "so does that of the session" "$(tail -n 1 "$dir/sessions/2/run.jsonl")" '"record":"end"' interrupted
    contains "what the first session measured is kept" "$(cat "$dir/run.jsonl")" '"session":1,' '"record":"sessions"'
    check "there is no third one" test ! -e "$dir/sessions/3"
    same "it says so once" 1 "$(grep -c interrupted "$scratch/.err")"
done

# ---- a session that dies ----
dir=$scratch/dies
"$duel" run "${long[@]}" --sessions 2 --out "$dir" >"$scratch/.out" 2>"$scratch/.err" &
process=$!
wait_for "$dir/sessions/1/run.jsonl"
kill -s KILL "$(cat "$dir/sessions/1/.lock")"
wait $process
same "a session that was killed makes the run fail" 6 $?
contains "the message names the signal" "$(cat "$scratch/.err")" "signal 9" "why:" "next:"
contains "the other session has measured" "$(cat "$dir/run.jsonl")" '"session":2,' '"sessions":1'
contains "one session gives no interval, and says why" "$(grep '"record":"sessions"' "$dir/run.jsonl")" \
    '"kernel_ci_lo_s_why":'
done_testing
