# shellcheck shell=bash disable=SC2154 # scratch, db and duel are variables of the tests
# lib.sh: data bases of the history in a test. Sourced from the top of the tree by tests/history/*.sh.
. tests/cli/lib.sh

python=${DUEL_PYTHON:-python3}
if ! "$python" -c 'import sqlite3' 2>/dev/null; then
    skip "the history" "no Python with sqlite3 is here to look into the data base"
    done_testing
elif "$duel" history --db "$scratch/none" 2>&1 | grep -q 'this build has no history'; then
    skip "the history" "this build has none"
    done_testing
fi

make_runs() { "$python" tests/history/runs.py "$@"; }
run_id() { grep -m1 -oE '"id": "[^"]*"' "$1" | cut -d'"' -f4; }

# rows QUERIES: what the data base $db answers, one value a line.
rows() {
    "$python" - "$db" "$1" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=60) as data_base:
    for query in sys.argv[2].split(";"):
        for row in data_base.execute(query):
            print(*row)
PYTHON
}

# damage FROM TO: a copy in which the middle of each page but the first is overwritten.
damage() {
    "$python" - "$1" "$2" <<'PYTHON'
import sys
text = bytearray(open(sys.argv[1], "rb").read())
for page in range(4096, len(text), 4096):
    text[page:page + 64] = b"\xff" * 64
open(sys.argv[2], "wb").write(text)
PYTHON
}
