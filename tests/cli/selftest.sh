#!/usr/bin/env bash
# duel selftest: table, JSON, exit status, and what of it no machine can change. Time limit: 240 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
python=${DUEL_PYTHON:-python3}

# fields EXPRESSION: evaluates a Python expression over the JSON object r in $scratch/.json; t holds its tests by name.
fields() { "$python" -c "import json; r = json.load(open('$scratch/.json')); t = {x['name']: x for x in r['tests']}
print($1)"; }

mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp run selftest --json "$scratch/.json"
names=$(sed -nE 's/^ *\{"([a-z_]+)", "[^"]*", "[^"]*",.*/\1/p' bench/selftest/selftest.c |
    grep -vE '^(rates|coverage|stopping|zoo|negative)$')
same "every test that needs no --full is there" "$(sort <<<"$names" | xargs)" \
    "$(fields "' '.join(sorted(t))")"
same "right answers pass" true "$(fields "t['accepts']['verdict']")"
same "faults are rejected" true "$(fields "t['rejects']['verdict']")"
same "reading the clock costs less than 1 us" True "$(fields "0 < t['timer_cost']['value'] < 1000")"
same "a slow-down is not denied" True "$(fields "t['slowed_code']['verdict'] != 'false'")"
# Noise may keep the other figures from their limits; the exit status must say so.
same "the exit status says what the JSON says" "$(fields "0 if r['truthful'] else 4")" "$status"
same "the JSON counts its tests" True \
    "$(fields "len(r['tests']) == r['true'] + r['false'] + r['noisy'] + r['absent']")"
same "what is false or noisy has all three parts" True \
    "$(fields "all(x['seen'] and (x['verdict'] in 'true absent' or x['why'] and x['next']) for x in r['tests'])")"
same "no line is wider than 100 columns" 0 "$(awk 'length($0) > 100' <<<"$out" | wc -l)"
same "no result is left behind" "" "$(ls -A "$scratch/tmp")"

run selftest accepts 'timer*' --quiet --json -
same "patterns select tests" "accepts timer_cost timer_step" \
    "$("$python" -c 'import json, sys; print(*sorted(x["name"] for x in json.loads(sys.argv[1])["tests"]))' "$out")"
same "and these are true everywhere" 0 "$status"
same "--quiet says nothing" "" "$err"

refuses 2 'there is no test sam_code|same_code|why:|next:' selftest sam_code
refuses 2 'one size|why:|next:' selftest same_code --n 32,64
refuses 2 'one size|why:|next:' selftest same_code --n 100000
refuses 2 'why:|next:' selftest accepts --quiet --json "$scratch/nowhere/x.json"
golden help-selftest selftest --help
done_testing
