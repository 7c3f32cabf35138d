#!/usr/bin/env bash
# The scripts that a person starts: they explain themselves, refuse nonsense, and pass static analysis.
cd "$(dirname "$0")/../.." && . tests/tap.sh

mapfile -t scripts < <(find scripts tests .ci -type f -exec grep -lE '^(#!.*bash|# shellcheck shell=bash)' {} + | sort)
for script in "${scripts[@]}"; do
    check "$script has the syntax of bash" bash -n "$script"
    case $script in *.sh) continue ;; esac
    check "$script can be started" test -x "$script"
done
for script in quickstart test setup new-kernel; do
    contains "scripts/$script --help starts with its usage" "$(scripts/$script --help)" "usage: scripts/$script"
done
for script in test setup new-kernel; do
    scripts/$script --nonsense >/dev/null 2>&1
    same "scripts/$script refuses an unknown option with status 2" 2 $?
done
check ".ci/run calls scripts/test" grep -q scripts/test .ci/run
if command -v shellcheck >/dev/null; then
    check "shellcheck has nothing to say" shellcheck -x "${scripts[@]}"
else
    skip "shellcheck has nothing to say" "shellcheck is not here"
fi
done_testing
