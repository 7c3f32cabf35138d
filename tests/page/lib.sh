# shellcheck shell=bash
# lib.sh: made run files for the tests of the report. Sourced from the top of the tree by tests/page/*.sh.
. tests/cli/lib.sh

python=${DUEL_PYTHON:-python3}
"$python" -c '' 2>/dev/null || {
    skip "the report" "there is no Python to make run files with"
    done_testing
}
made=$scratch/made
mkdir "$made"
check "run files are made" "$python" tests/page/runs.py "$made"
