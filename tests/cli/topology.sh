#!/usr/bin/env bash
# What duel devices says about the processor: what the kernel allows, what hwloc knows, and what neither can spoil.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

# told NAME: the value of a property of the CPU in the last output.
told() { awk -v name="$1" '/^cuda/ { exit } $1 == name { $1 = ""; print substr($0, 2) }' <<<"$out"; }
# devices_with NAME=VALUE...: duel devices with these in its environment.
devices_with() { out=$(env "$@" "$duel" devices 2>&1 </dev/null); }

usable=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
run devices
same "the CPUs it may use are those of the kernel" "$allowed" "$(told affinity_cpus)"
check "the memory nodes it may use are told" test -n "$(told affinity_numa_nodes)"
devices_with OMP_PROC_BIND=true
check "a team that is bound does not hide CPUs" grep -qE "^ +$usable CPU threads" <<<"$out"
same "nor does it change their list" "$allowed" "$(told affinity_cpus)"
first=${allowed%%[-,]*}
if command -v taskset >/dev/null; then
    out=$(taskset -c "$first" "$duel" devices)
    check "taskset leaves one CPU" grep -qE '^ +1 CPU threads' <<<"$out"
    same "and it is that one" "$first" "$(told affinity_cpus)"
else
    skip "taskset leaves one CPU" "taskset is not here"
fi

if ! ldd "$duel" | grep -q libhwloc; then
    skip "a machine that hwloc describes" "this build has no hwloc"
    done_testing
    exit
fi
synthetic='pack:2 [numa] l3:3(size=25165824) l2:4(size=2097152) l1d:1(size=49152) core:1 pu:2'
devices_with HWLOC_SYNTHETIC="$synthetic"
same "another machine in hwloc's environment is not taken for this one" sysfs "$(told topology_source)"
devices_with HWLOC_SYNTHETIC="$synthetic" HWLOC_THISSYSTEM=1
same "two packages, 24 cores of two threads, two memory nodes" "2 24 2 2" \
    "$(told packages) $(told cores) $(told smt_threads) $(told numa_nodes)"
same "the caches of one CPU" "48 2048 24576" "$(told l1d_kib) $(told l2_kib) $(told l3_kib)"
same "and who shares them" "2 2 8" "$(told l1d_sharing_threads) $(told l2_sharing_threads) $(told l3_sharing_threads)"
if [ "$allowed" = 0-1 ]; then
    same "the caches of all usable CPUs together" $((48 + 2048 + 24576)) "$(told caches_of_usable_cpus_kib)"
else
    skip "the caches of all usable CPUs together" "the CPUs here are not 0-1"
fi
done_testing
