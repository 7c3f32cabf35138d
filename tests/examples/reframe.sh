#!/usr/bin/env bash
# scripts/examples/reframe_duel.py in ReFrame itself, from its package registry, on the local scheduler.
# Time limit: 300 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

if ! python3 -m venv "$scratch/venv" >"$scratch/log" 2>&1 ||
    ! timeout 200 "$scratch/venv/bin/pip" install --quiet ReFrame-HPC >"$scratch/log" 2>&1; then
    skip "the ReFrame test" "ReFrame cannot be installed here: $(tail -n 1 "$scratch/log" | cut -c 1-120)"
    done_testing
fi
cd "$scratch" || exit 1
export TMPDIR=$scratch
reframe() {
    DUEL=$duel "$scratch/venv/bin/reframe" --prefix "$scratch/rfm" -c "$OLDPWD/scripts/examples/reframe_duel.py" "$@"
}
reframe -l >"$scratch/list" 2>&1
contains "ReFrame finds the test" "$(cat "$scratch/list")" "DuelGemm"
reframe -r --performance-report >"$scratch/run" 2>&1
status=$?
same "and it passes" 0 $status
contains "with a rate for each implementation" "$(cat "$scratch/run")" "cpu/gemm/blocked" "GFLOP/s" "PASSED"
# A duel whose rows are not right must fail: ReFrame reads the rows, not only the exit status.
printf '#!/bin/sh\nprintf "implementation,status,gflops\\ncpu/gemm/openblas,FAILED,\\n" >run.csv\n' >"$scratch/wrong"
chmod +x "$scratch/wrong"
duel=$scratch/wrong
reframe -r >"$scratch/run" 2>&1
check "a wrong result fails it" test $? != 0
done_testing
