#!/usr/bin/env bash
# Without hwloc: caches and NUMA nodes come from sysfs, and what only hwloc knows is not told. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without hwloc
contains "the report says what is missing and what it costs" "$(grep '✗ hwloc' "$log")" \
    "no cores or packages" libhwloc-dev
check "the program is not linked with it" test -z "$(ldd "$duel" | grep hwloc)"
run devices
same "duel devices ends well" 0 "$status"
check "it says who told" grep -qE '^ +topology_source +sysfs$' <<<"$out"
check "what nobody told is not there" test -z "$(grep -E '^ +(cores|packages|smt_threads) ' <<<"$out")"
if [ -r /sys/devices/system/cpu/cpu0/cache/index0/size ]; then
    check "the first cache is there" grep -qE '^ +l1d?_kib +[1-9]' <<<"$out"
else
    skip "the first cache is there" "this kernel tells nothing about caches"
fi
still_right cpu/gemm/blocked
measures cpu/gemm/serial
check "the run file says who told" grep -q '"topology_source":"sysfs"' "$scratch/measured/run.jsonl"
run doctor --json "$scratch/doctor.json" --quiet
check "duel doctor still counts the CPUs" grep -q '"affinity"' "$scratch/doctor.json"
done_testing
