#!/usr/bin/env bash
# duel import, history and history export: what goes in comes out, once, and nothing strange is let in.
# Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/history/lib.sh

make_runs "$scratch/runs" 40 4
db=$scratch/new/folder/history.db

refuses 2 'no history to read|duel import' history --db "$db"
run import "$scratch"/runs/*.jsonl --db "$db"
same "run files are imported" 0 "$status"
contains "and counted" "$out" "40 runs with 160 results imported" "$db"
run import "$scratch/runs" --db "$db"
contains "a second time they are known" "$out" "0 runs with 0 results imported, 40 there already"
same "and nothing is doubled" 40 "$(rows 'SELECT count(*) FROM run')"
same "neither are their rows" 160 "$(rows 'SELECT count(*) FROM point')"

run history --db "$db" --no-plots
contains "the trends are shown" "$out" "gpu/gemm/cublas fp32 64 x 64 x 64, rotated, pinned" "Test GPU"
contains "with what changed besides the time" "$out" "driver 550.54.14 -> 555.42.02"
contains "and the change of level" "$out" "% slower" "together with: driver"
run history cublas --db "$db" --no-plots
same "a pattern that matches nothing is refused" 2 "$status"
run history gpu/gemm/cublas --n 64 --db "$db" --no-plots --csv "$scratch/trend.csv"
same "one series has one change" 1 "$(grep -c ',true,' "$scratch/trend.csv")"
same "at the first session with the new driver" "2026-01-01 10:00,2026-01-01T10:00:00Z-0000000a" \
    "$(grep ',true,' "$scratch/trend.csv" | grep -oE '2026[^,]*,2026[^,]*')"
same "of about 8 %" yes "$(awk -F, '/,true,/ { print ($NF > 1.07 && $NF < 1.09) ? "yes" : $NF }' "$scratch/trend.csv")"
run history gpu/gemm/naive --db "$db" --no-plots --csv -
same "a series that stayed the same has none" 0 "$(grep -c ',true,' <<<"$out")"
contains "--csv - leaves the talk to stderr" "$err" "No change of level"
refuses 2 'no series in the history|next:' history --n 65 --db "$db"
refuses 2 'no series in the history|next:' history --device cpu --db "$db"
run history --precision fp32 --device cuda --db "$db" --quiet --no-plots
same "--quiet is quiet" "0:" "$status:$out$err"

# ---- rows that failed, and other answers in the same time ----
sed '1s/"id": "[^"]*"/"id": "failed"/; s/"started": "[^"]*"/"started": "2026-03-01T00:00:00Z"/
    /naive/s/"status": "ok"/"status": "FAILED", "cause": "answer", "reason": "wrong"/
    /tiled/s/fnv1a:eb18/fnv1a:0000/' "$scratch/runs/run-39.jsonl" >"$scratch/failed.jsonl"
cp "$db" "$scratch/failed.db"
run import "$scratch/failed.jsonl" --db "$scratch/failed.db"
contains "rows that failed are imported" "$out" "1 run with 4 results imported"
run history gpu/gemm/naive --n 64 --db "$scratch/failed.db" --no-plots
contains "they belong to the series that they failed in" "$out" "FAILED" "41 sessions"
same "and have no time" 1 "$(db=$scratch/failed.db rows 'SELECT count(*) FROM point WHERE median IS NULL')"
run history gpu/gemm/tiled --n 64 --db "$scratch/failed.db" --no-plots
contains "another output is told" "$out" "output changed"

# ---- back again ----
run history export --db "$db" --out "$scratch/back" --quiet
same "all run files come back" 0 "$status"
for file in "$scratch"/runs/*.jsonl; do
    cmp -s "$file" "$scratch/back/$(run_id "$file").jsonl" || echo "$file"
done >"$scratch/differ"
nothing "byte for byte" "$(cat "$scratch/differ")"
one=$(run_id "$scratch/runs/run-7.jsonl")
run history export "$one" --db "$db" --out "$scratch/one" --quiet
same "one run alone" "$one.jsonl" "$(ls "$scratch/one")"
refuses 2 'no run nobody|history runs' history export nobody --db "$db" --out "$scratch/one" --quiet
run import "$scratch/back" --db "$db"
contains "what came back is what is there" "$out" "0 runs with 0 results imported, 40 there already"
run history runs --db "$db"
same "runs lists them" 40 "$(wc -l <<<"$out")"
run history check --db "$db"
contains "check finds it whole" "$out" "is whole"

# ---- lines of every kind ----
printf '\r\n\n  \n{"record":"run","schema":"1.9","id":"odd","started":"2026-02-01T00:00:00Z"}\r\n\n%s' \
    '{"record":"unknown","x":[1,{"y":null}],"text":"\u00e9"}' >"$scratch/odd.jsonl"
run import "$scratch/odd.jsonl" --db "$db"
same "blank lines, unknown records and a missing end are no obstacle" 0 "$status"
contains "a missing end is told" "$err" "no \`end\`"
run history export odd --db "$db" --out "$scratch/back" --quiet
check "and come back" cmp "$scratch/odd.jsonl" "$scratch/back/odd.jsonl"
cp "$db" "$scratch/foreign.db" && old=$db db=$scratch/foreign.db
rows "UPDATE run SET name = '../outside' WHERE name = 'odd'" && db=$old
refuses 2 'outside of the directory' history export --db "$scratch/foreign.db" --out "$scratch/foreign" --quiet
check "no data base writes beside the directory" test ! -e "$scratch/outside.jsonl"
run import <(cat "$scratch/runs/run-0.jsonl") --db "$scratch/pipe.db"
contains "a pipe is read" "$out" "1 run with 4 results imported"

# ---- runs that were cut short ----
whole=$scratch/runs/run-3.jsonl cut=$scratch/cut.jsonl db=$scratch/cut.db
head -c $(($(wc -c <"$whole") - 700)) "$whole" >"$cut"
run import "$cut" --db "$db"
same "a truncated run file is imported" 0 "$status"
contains "with its complete rows" "$out" "1 run with 3 results imported"
contains "and that is said" "$err" "$cut" "cut off"
run import "$whole" --db "$db"
contains "the whole file takes its place" "$out" "1 replaced by a longer copy"
same "with all rows, once" 4 "$(rows 'SELECT count(*) FROM point')"
same "and the counts of the series agree" 4 "$(rows 'SELECT sum(sessions) FROM series')"
run import "$cut" --db "$db"
contains "the shorter copy changes nothing then" "$out$err" "1 there already" "shorter copy"
run history export --db "$db" --out "$scratch/cut" --quiet
check "and the whole text is there" cmp "$whole" "$scratch/cut/$(run_id "$whole").jsonl"
sed 's/"fp32"/"fp64"/' "$whole" >"$scratch/changed.jsonl"
refuses 2 'is not what is there under its id|why:|next:' import "$scratch/changed.jsonl" --db "$db" --quiet
run history export --db "$db" --out "$scratch/cut" --quiet
check "the first one stays" cmp "$whole" "$scratch/cut/$(run_id "$whole").jsonl"

# ---- run files that are refused ----
bad() {
    printf '%s' "$2" >"$scratch/bad.jsonl"
    refuses 2 "$1|why:|next:" import "$scratch/bad.jsonl" --db "$scratch/bad.db" --quiet
}
head='{"record":"run","schema":"1.0","id":"bad","started":"2026-02-01T00:00:00Z"}'
bad 'ends before its first record' ''
bad 'schema' "${head/1.0/2.0}"
bad 'no id' "${head/bad/../../evil}"
bad 'no id' "${head/bad/.hidden}"
bad 'when it started' "${head/2026-02/2026-22}"
bad 'several files in one' "$head"$'\n'"$head"$'\n'
bad 'line 2' "$head"$'\nnonsense\n'
bad 'threads' "$head"$'\n{"record":"result","implementation":"cpu/gemm/serial","threads":"two"}\n'
rm "$scratch/bad.jsonl"
refuses 2 'cannot be opened|why:|next:' import "$scratch/bad.jsonl" --db "$scratch/bad.db" --quiet
refuses 2 'no file was named' import --db "$scratch/bad.db"
same "not one of them left anything behind" 0 "$(db=$scratch/bad.db rows 'SELECT (SELECT count(*) FROM run) +
    (SELECT count(*) FROM part) + (SELECT count(*) FROM point) + (SELECT count(*) FROM series)')"
run import "$scratch/bad.jsonl" "$whole" --db "$scratch/bad.db" --quiet
same "a bad file among good ones ends with 2" 2 "$status"
same "and the good one is there" 1 "$(db=$scratch/bad.db rows 'SELECT count(*) FROM run')"

# ---- data bases that are refused, and left as they are ----
# left_alone DESCRIPTION WORDS FILE
left_alone() {
    local before after
    before=$(sha256sum <"$3")
    refuses 2 "$2|why:|next:" import "$whole" --db "$3" --quiet
    refuses 2 "$2|why:|next:" history --db "$3" --no-plots
    after=$(sha256sum <"$3")
    same "$1 is left as it is" "$before" "$after"
}
db=$scratch/cut.db
echo "these are my notes" >"$scratch/notes.db"
left_alone "a text file" 'not a database' "$scratch/notes.db"
head -c 5000 "$scratch/cut.db" >"$scratch/short.db"
left_alone "a truncated data base" 'damaged|short.db' "$scratch/short.db"
cp "$scratch/cut.db" "$scratch/newer.db" && db=$scratch/newer.db rows 'PRAGMA user_version = 2' >/dev/null
left_alone "a newer data base" 'version 2|newer duel' "$scratch/newer.db"
db=$scratch/other.db rows 'CREATE TABLE x(y); PRAGMA user_version = 1' >/dev/null
left_alone "another program's data base" 'another program' "$scratch/other.db"
damage "$scratch/cut.db" "$scratch/damaged.db"
left_alone "a damaged data base" 'damaged' "$scratch/damaged.db"
flipped=$("$python" - "$scratch/new/folder/history.db" "$scratch/flip.db" "$duel" <<'PYTHON'
import random, subprocess, sys
whole, draw, wrong = open(sys.argv[1], "rb").read(), random.Random(1), []
for i in range(60):
    text = bytearray(whole)
    for _ in range(draw.choice([1, 3, 100])):
        text[draw.randrange(len(text))] ^= 1 << draw.randrange(8)
    open(sys.argv[2], "wb").write(text)
    for words in ["history gpu/gemm/naive --no-plots", "history runs", "history check"]:
        code = subprocess.run([sys.argv[3], *words.split(), "--db", sys.argv[2]], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=60).returncode
        if code not in (0, 2, 6):
            wrong.append(f"{i} {words}: {code}")
    if open(sys.argv[2], "rb").read() != text:
        wrong.append(f"{i} was written to")
print(*wrong, sep=", ")
PYTHON
)
nothing "flipped bits end in an answer or a refusal, never in a crash or a change" "$flipped"
refuses 2 'no regular file' import "$whole" --db "$scratch"
refuses 2 'why:|next:' import "$whole" --db "$scratch/notes.db/x.db"
done_testing
