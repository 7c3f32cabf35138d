#!/usr/bin/env bash
# scripts/driver-update-check: which commands it runs, when it asks, and what it ends with. Time limit: 200 s
cd "$(dirname "$0")/../.." && . tests/examples/lib.sh

# try WORD...: the script with the fake and no terminal; leaves $status and the first two words of each call in $called.
try() {
    rm -f "$calls"
    DUEL=$scratch/fake scripts/driver-update-check --reports "$scratch/reports" "$@" </dev/null >"$scratch/.out" \
        2>"$scratch/.err"
    status=$?
    called=$(cut -d ' ' -f 1-2 "$calls" 2>/dev/null | sed -E 's/^(doctor|gate|import).*/\1/' | tr '\n' ',')
}

fake_doctor=4 try
same "a machine that is not fit ends it" "4 doctor," "$status $called"
export fake_show=2
try gemm --n 64
same "without a baseline it saves one and ends, to be started again" "0 doctor,baseline show,baseline save," \
    "$status $called"
contains "and says so" "$(cat "$scratch/.err")" "Update the driver"
check "the baseline is of what was named" grep -qx 'baseline save before-update gemm --n 64' "$calls"
fake_save=4 try
same "a baseline that is refused ends it" "4 doctor,baseline show,baseline save," "$status $called"
try --now --baseline other
same "--now goes on to the gate" "0 doctor,baseline show,baseline save,gate,import," "$status $called"
check "with the other name" grep -q '^gate --baseline other ' "$calls"
export fake_show=0
for code in 0 1 3 4 5 6; do
    fake_gate=$code try
    same "with a baseline it compares, and a gate that ends with $code decides" \
        "$code doctor,baseline show,gate,import," "$status $called"
done
same "the verdict is shown" "the verdict" "$(cat "$scratch/.out")"
same "and kept" "the verdict" "$(cat "$scratch/reports/verdict.txt")"
fake_gate=1 fake_import=77 try
same "without a history the verdict is the same" 1 "$status"
try --baseline
same "an option without its value is refused" 2 "$status"
DUEL=$scratch/none PATH=/usr/bin:/bin scripts/driver-update-check >/dev/null 2>"$scratch/.err"
same "so is a program that is not there" 2 $?
contains "with what to do" "$(cat "$scratch/.err")" "DUEL="
contains "--help explains" "$(scripts/driver-update-check --help)" "duel gate" "cron"

# On a terminal it waits for Enter.
terminal='import os, pty, sys
pid, fd = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while b"Enter" not in seen:
    seen += os.read(fd, 4096)
os.write(fd, b"\n")
try:
    while os.read(fd, 4096): pass
except OSError: pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))'
rm -f "$calls"
fake_show=2 fake_gate=1 DUEL=$scratch/fake timeout 30 "${DUEL_PYTHON:-python3}" -c "$terminal" \
    scripts/driver-update-check --reports "$scratch/reports" </dev/null >/dev/null 2>&1
same "on a terminal it asks, and compares after Enter" 1 $?
check "after the baseline" grep -q '^gate' "$calls"

# The real thing, small; only whether this machine is fit is not asked.
cat >"$scratch/real" <<REAL
#!/usr/bin/env bash
[ "\$1" = doctor ] && exit 0
exec "$duel" "\$@"
REAL
chmod +x "$scratch/real"
real() {
    DUEL=$scratch/real scripts/driver-update-check --reports "$scratch/real-reports" cpu/gemm/blocked --n 96 \
        --threads 1 --precision fp32 --samples 40 >"$scratch/.out" 2>"$scratch/.err" </dev/null
}
real
status=$?
if [ $status = 4 ]; then
    skip "a real update check" "this machine is too noisy for a baseline just now"
else
    same "a real baseline is saved" 0 $status
    real
    status=$?
    check "and a real gate ends with a verdict ($status)" grep -qx "[014]" <<<"$status"
    for file in verdict.txt gate.xml gate.md gate.json run/run.jsonl; do
        check "it leaves $file" test -s "$scratch/real-reports/$file"
    done
    if "$duel" history --db "$scratch/none" 2>&1 | grep -q 'this build has no history'; then
        skip "both are in the history" "this build has none"
    else
        run history runs
        check "both are in the history" test "$(wc -l <<<"$out")" -ge 2
    fi
fi
done_testing
