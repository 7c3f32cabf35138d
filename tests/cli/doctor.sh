#!/usr/bin/env bash
# duel doctor: verdict, advice, exit status and --json, on this machine and on the copy of another one.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
python=${DUEL_PYTHON:-python3}

# fields EXPRESSION: evaluates a Python expression over the JSON object r in $scratch/.json.
fields() { "$python" -c "import json; r = json.load(open('$scratch/.json')); c = {x['name']: x for x in r['checks']}
print($1)"; }

# Whether this machine is fit is not for a test to say; that verdict, status and JSON agree is.
run doctor --json "$scratch/.json"
said=$(grep -c '^Fit to measure on' <<<"$out")
same "the exit status says what the text says" "$((said ? 0 : 4))" "$status"
same "and so does the JSON" "$([ "$said" = 1 ] && echo True || echo False)" "$(fields "r['fit']")"
same "the JSON counts its checks" True "$(fields "len(r['checks']) == r['good'] + r['warn'] + r['bad'] + r['unknown']")"
same "every check says what it saw, and every one that is not good all three parts" True \
    "$(fields "all(x['seen'] and (x['verdict'] == 'good' or (x['why'] and x['next'])) for x in r['checks'])")"
same "no line is wider than 100 columns" 0 "$(awk 'length($0) > 100' <<<"$out" | wc -l)"
run doctor --quiet
same "--quiet says nothing" "" "$out"
run doctor --json -
check "--json - leaves stdout to the data" "$python" -c 'import json, sys; json.loads(sys.argv[1])' "$out"
contains "and talks to stderr" "$err" "measure on"

# A copy of a machine in a container with half a CPU, on a powersave governor.
machine=$scratch/machine
put() { mkdir -p "$machine/$(dirname "$1")" && printf '%s\n' "$2" >"$machine/$1"; }
put proc/self/cgroup '0::/'
put sys/fs/cgroup/cpu.max '50000 100000'
put proc/self/status 'Cpus_allowed_list: 0-7'
put sys/devices/system/cpu/online 0-7
put sys/devices/system/cpu/cpu0/cpufreq/scaling_governor powersave
DUEL_ROOT=$machine run doctor --json "$scratch/.json"
same "a machine that is not fit ends with status 4" 4 "$status"
same "the quota is bad" "bad 0.5" "$(fields "c['cpu_quota']['verdict'], c['cpu_quota']['value']" | tr -d "(',)")"
same "the governor is bad" bad "$(fields "c['governor']['verdict']")"
contains "and the advice names what to do" "$out" "docker run --cpus" "cpupower" "Not fit to measure on"

refuses 2 'takes no argument' doctor everything
refuses 2 'why:|next:' doctor --quiet --json "$scratch/nowhere/x.json"
golden help-doctor doctor --help
done_testing
