#!/usr/bin/env bash
# The history under fire: killed imports, several importers at once, full disks. Nothing is lost or doubled.
# Time limit: 240 s
cd "$(dirname "$0")/../.." && . tests/history/lib.sh

runs=200
make_runs "$scratch/runs" $runs 8

# whole DESCRIPTION: every run is there once, with all of its rows and its text.
whole() {
    same "$1: every run is there, once" $runs "$(rows 'SELECT count(*) FROM run')"
    same "$1: with its rows" "8 8" "$(rows 'SELECT min(c), max(c) FROM (SELECT count(*) AS c FROM point GROUP BY run)')"
    same "$1: the counts agree" "$((8 * runs)) $((8 * runs)) $((8 * runs))" "$(rows 'SELECT
        (SELECT count(*) FROM point), (SELECT sum(sessions) FROM series), (SELECT sum(results) FROM run)')"
    rm -rf "$scratch/back"
    run history export --db "$db" --out "$scratch/back" --quiet
    local file differ=''
    for file in "$scratch"/runs/*.jsonl; do
        cmp -s "$file" "$scratch/back/$(run_id "$file").jsonl" || differ+="$file "
    done
    nothing "$1: with its text" "$differ"
    run history check --db "$db"
    contains "$1: the data base is whole" "$out" "is whole"
}

# ---- killed at 50 random moments ----
db=$scratch/timed.db
start=$(date +%s%N)
run import "$scratch/runs" --db "$db" --quiet
same "an import without trouble" 0 "$status"
took=$((($(date +%s%N) - start) / 1000))
whole "without trouble"
db=$scratch/killed.db
RANDOM=1 before=0 lost='' killed=0
for ((tries = 0; killed < 50 && tries < 300; tries++)); do
    # What is there is passed by quickly; a moment of the time that is left is drawn.
    "$duel" import "$scratch/runs" --db "$db" --quiet 2>/dev/null &
    pid=$!
    sleep "$(awk -v us=$took -v left=$((runs - before)) -v all=$runs -v r=$RANDOM \
        'BEGIN { printf "%.6f", 1e-6 * us * left / all * r / 32768 }')"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ $? = 137 ] && killed=$((killed + 1))
    [ -s "$db" ] || continue
    after=$(rows 'SELECT count(*) FROM run' 2>/dev/null || echo 0)
    [ "$after" -ge "$before" ] || lost+="$before runs became $after; "
    before=$after
    rows 'SELECT name FROM run LEFT JOIN (SELECT run, count(*) AS c FROM point GROUP BY run) ON run = id
        WHERE c IS NOT 8' >"$scratch/half" 2>/dev/null
    [ ! -s "$scratch/half" ] || lost+="half of $(head -n 1 "$scratch/half") is there; "
    [ "$after" -lt $runs ] || { rm -f "$db"* && before=0; }
done
nothing "no kill lost a run, or left half of one" "$lost"
same "so many imports were killed" 50 $killed
run import "$scratch/runs" --db "$db"
same "an import after all that" 0 "$status"
contains "finds what the killed ones had finished ($before)" "$out" "$before there already"
whole "after 50 kills"

# ---- several importers at once, of the same files, on a data base that none of them finds there ----
db=$scratch/parallel.db
pids=()
for i in 1 2 3 4; do
    "$duel" import "$scratch/runs" --db "$db" >"$scratch/out.$i" 2>&1 &
    pids+=($!)
done
failed=''
for i in 0 1 2 3; do wait "${pids[i]}" || failed+="importer $i ended with $?: $(cat "$scratch/out.$((i + 1))") "; done
nothing "four importers at once all end well" "$failed"
same "together they imported each run once" $runs \
    "$(cat "$scratch"/out.? | awk '/imported/ { sum += $1 } END { print sum }')"
whole "after four importers"

# ---- full disks ----
db=$scratch/full.db
run import "$scratch"/runs/run-1[0-9].jsonl --db "$db" --quiet
count=$(rows 'SELECT count(*) FROM run')
size=$(stat -c %s "$db")
limited() {
    (ulimit -f $((size / 1024 + 8)); trap '' XFSZ; exec "$duel" "$@") >"$scratch/.out" 2>"$scratch/.err" </dev/null
}
limited import "$scratch/runs" --db "$db"
same "a full disk ends an import with 6" 6 $?
contains "and is named" "$(cat "$scratch/.err")" "$db" "why:" "next:"
run history check --db "$db"
contains "the data base is whole" "$out" "is whole"
check "nothing is lost" test "$(rows 'SELECT count(*) FROM run')" -ge "$count"
same "nothing is there by halves" 8 "$(rows 'SELECT DISTINCT c FROM (SELECT count(*) AS c FROM point GROUP BY run)')"
run import "$scratch/runs" --db "$db"
same "with room again it goes on" 0 "$status"
whole "after a full disk"
refuses 2 'no regular file' import "$scratch/runs" --db /dev/full
run history export --db "$db" --out /dev/full/x
same "an export without a place is refused" 2 "$status"
make_runs "$scratch/big" 1 8 2000
run import "$scratch/big" --db "$scratch/big.db" --quiet
(ulimit -f 64; trap '' XFSZ; exec "$duel" history export --db "$scratch/big.db" --out "$scratch/small") \
    >"$scratch/.out" 2>"$scratch/.err"
same "an export onto a full disk ends with 6" 6 $?
nothing "and leaves no half file" "$(ls "$scratch/small")"

# ---- readers meanwhile ----
db=$scratch/readers.db
run import "$scratch/runs/run-0.jsonl" --db "$db" --quiet
"$duel" import "$scratch/runs" --db "$db" --quiet &
pid=$! wrong=''
while kill -0 $pid 2>/dev/null; do
    run history gpu/gemm/naive --n 64 --db "$db" --no-plots
    [ "$status" = 0 ] || wrong+="$status: $err "
done
wait $pid
nothing "trends are shown while an import goes on" "$wrong"
done_testing
