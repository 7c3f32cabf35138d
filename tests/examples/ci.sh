#!/usr/bin/env bash
# scripts/examples/: the examples for CI are read, and their script steps are run, with a real duel on small sizes;
# timer and service are checked by systemd. Time limit: 200 s
cd "$(dirname "$0")/../.." && . tests/examples/lib.sh

python=${DUEL_PYTHON:-python3}
for candidate in "$python" python3 /usr/bin/python3; do
    "$candidate" -c 'import yaml' 2>/dev/null && python=$candidate && break
done

# A tree in which `make` has been run, and a duel that measures little.
tree=$scratch/tree
mkdir -p "$tree/build/bin" "$scratch/bin"
cat >"$scratch/bin/make" <<MAKE
#!/bin/sh
echo "make \$*" >>"$calls"
MAKE
cat >"$tree/build/bin/duel" <<SMALL
#!/usr/bin/env bash
echo "\$*" >>"$calls"
if [ "\$1 \$2" = "baseline save" ]; then
    exec "$duel" baseline save "\$3" cpu/gemm/blocked --n 96 --threads 1 --precision fp32 --samples 40
fi
exec "$duel" "\$@"
SMALL
chmod +x "$scratch/bin/make" "$tree/build/bin/duel"

# steps FILE JOB: the script of each step of a job, one a file in $scratch/steps.
steps() {
    rm -rf "$scratch/steps" && mkdir "$scratch/steps"
    "$python" - "$1" "$2" "$scratch/steps" <<'PYTHON'
import sys, yaml
text = yaml.safe_load(open(sys.argv[1]))
job = text.get("jobs", text)[sys.argv[2]]
scripts = [step["run"] for step in job["steps"] if "run" in step] if "steps" in job else job["script"]
for number, script in enumerate(scripts):
    open(f"{sys.argv[3]}/{number:02}", "w").write(script)
PYTHON
}
# job FILE JOB: runs its steps until one fails, as a runner does; $status is that of the last.
job() {
    steps "$1" "$2"
    : >"$calls"
    local step
    for step in "$scratch"/steps/*; do
        (cd "$tree" && PATH=$scratch/bin:$PATH GITHUB_STEP_SUMMARY=$scratch/summary bash -e "$step") \
            >"$scratch/.out" 2>"$scratch/.err" </dev/null
        status=$?
        [ $status = 0 ] || break
    done
}

if ! "$python" -c 'import yaml' 2>/dev/null; then
    skip "the examples for CI" "no Python with PyYAML is here"
else
    for file in scripts/examples/github-actions.yml scripts/examples/gitlab-ci.yml; do
        name=$(basename "$file")
        rm -rf "$XDG_DATA_HOME" "$tree/reports"
        job "$file" baseline
        if [ "$status" = 4 ]; then
            skip "$name" "this machine is too noisy for a baseline just now"
            continue
        fi
        same "$name: the job baseline ends well" 0 "$status"
        job "$file" baseline
        [ "$status" = 4 ] || same "$name: also when there is a baseline already" 0 "$status"
        job "$file" gate
        check "$name: the job gate ends with a verdict ($status)" grep -qx "[014]" <<<"$status"
        check "$name: its report is XML" "$python" -c \
            'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$tree/reports/gate-files/gate.xml"
        check "$name: it compared with what was saved" grep -q '^gate --baseline main' "$calls"
    done
    check "github-actions.yml: the verdict can be shown" test -s "$tree/reports/gate-files/gate.json"
    steps scripts/examples/gitlab-ci.yml build
    contains "gitlab-ci.yml builds" "$(cat "$scratch"/steps/00)" "make -j"
fi

if command -v systemd-analyze >/dev/null; then
    mkdir -p "$scratch/units"
    cp scripts/examples/duel-update-check.* "$scratch/units"
    verify() { XDG_RUNTIME_DIR=$scratch systemd-analyze verify --user --recursive-errors=no "$scratch"/units/*; }
    check "service and timer are ones that systemd takes" verify
    check "the timer names a time" systemd-analyze calendar \
        "$(sed -n 's/^OnCalendar=//p' scripts/examples/duel-update-check.timer)"
else
    skip "service and timer" "systemd-analyze is not here"
fi

# The line of the crontab, by the shell that cron uses, in a home where duel lies.
mkdir -p "$scratch/home" && ln -s "$PWD" "$scratch/home/duel.tree"
mkdir -p "$scratch/home/duel/scripts" && cp scripts/driver-update-check "$scratch/home/duel/scripts"
line=$(grep -v '^#' scripts/examples/crontab | cut -d ' ' -f 6-)
same "the crontab has one line, with a time" 1 "$(grep -cE '^([0-9*]+ ){5}cd ' scripts/examples/crontab)"
HOME=$scratch/home DUEL=$scratch/fake sh -c "$line" >"$scratch/.out" 2>&1
same "the line of the crontab prints nothing when all is well" "0:" "$?:$(cat "$scratch/.out")"
HOME=$scratch/home DUEL=$scratch/fake fake_gate=1 sh -c "$line" >"$scratch/.out" 2>&1
contains "and what was found when it is not" "$(cat "$scratch/.out")" "the verdict"
done_testing
