#!/usr/bin/env bash
# duel compare: what a driver tester sees, the exit codes, the files for other programs, and run files that are strange.
# The runs are made up: no number here was measured. Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh && . tests/cli/made_runs.sh

export XDG_DATA_HOME=$scratch/data
cd "$scratch" || exit 1

# last: the answer, which stands at the end.
last() { tail -n 2 <<<"$out" | tr "\n" " "; }
answer() { last | sed "s/^ *\([A-Z ,]*\):.*/\1/"; }

made a.jsonl a
made same.jsonl bb
made slow.jsonl ccc factor=1.1 driver=555.42 kernel=6.5
made one.jsonl dd worst=34
made clocks.jsonl ee factor=1.0753 mhz=1841
made hash.jsonl ff hash=b

# ---- verdicts and their exit codes ----
run compare a.jsonl same.jsonl
same "nothing changed: 0" 0 "$status"
contains "and it says so" "$(last)" "THE SAME: of 4 timings 0 slower, 0 faster, 4 the same within 3 %"
contains "nothing else changed either" "$out" "Nothing else that is recorded changed"
run compare a.jsonl slow.jsonl
same "slower: 1" 1 "$status"
contains "the answer names the worst" "$(last)" \
    "SLOWER: of 4 timings 4 slower" "the most: gpu/gemm/made fp32, n = " "+1"
contains "the driver comes before the kernel" "$(tr '\n' ' ' <<<"$out")" "driver  cuda:0  550.54 -> 555.42   kernel" \
    "could come from: driver of cuda:0 (not from: kernel)"
run compare slow.jsonl a.jsonl
same "the other way round it is faster: 0" 0 "$status"
contains "and says so" "$(last)" "FASTER: of 4 timings 0 slower, 4 faster"
run compare a.jsonl one.jsonl
same "one shape 34 times slower: 1" 1 "$status"
contains "it is named" "$out" "SLOWER" "x 3" "3 the same"
run compare a.jsonl clocks.jsonl
same "slower because of clocks: 1" 1 "$status"
contains "and says that it is the clock" "$out" "because of clocks, -7.0 %" \
    "SLOWER BECAUSE OF CLOCKS" "1980 MHz -> 1841 MHz"
run compare a.jsonl hash.jsonl
same "other answers in the same time: 0" 0 "$status"
contains "but they are a finding" "$out" "Other answers than before" "another hash" "4 other answers"
run compare a.jsonl hash.jsonl --on-numeric fail
same "unless one wants them to fail: 1" 1 "$status"
run compare a.jsonl slow.jsonl --threshold 20%
same "a threshold of one's own" "0 THE SAME" "$status $(answer)"
run compare a.jsonl slow.jsonl --floor 1ms
same "a floor of one's own" "0 THE SAME" "$status $(answer)"

# ---- sessions that say little ----
made noisy.jsonl gg noise=0.06
made two.jsonl hh sessions=2 noise=0.02
made single.jsonl ii sessions=1
for strange in noisy two single; do
    run compare a.jsonl $strange.jsonl
    same "$strange: inconclusive passes unless told otherwise: 0" 0 "$status"
    contains "$strange: and says how many sessions may tell" "$out" "inconclusive" "more session"
    run compare a.jsonl $strange.jsonl --on-inconclusive fail
    same "$strange: 4 with --on-inconclusive fail" 4 "$status"
done
refuses 2 'rerun|gate|why:|next:' compare a.jsonl noisy.jsonl --on-inconclusive rerun
made still.jsonl jj noise=0
made exact.jsonl kk noise=0
run compare still.jsonl exact.jsonl
same "all times identical: the same, 0" "0 THE SAME" "$status $(answer)"
made outlier.jsonl ll && sed -i '0,/"kernel_median_s":0.00[0-9]*/s//"kernel_median_s":7/' outlier.jsonl
run compare a.jsonl outlier.jsonl
same "one huge outlier proves nothing: 0" 0 "$status"
contains "and is named" "$out" "one session of B stands apart: it took" "inconclusive"

# ---- strange files ----
made other.jsonl mm cpu='Other_CPU' gpu=bb
run compare a.jsonl other.jsonl
same "another machine and card: 5" 5 "$status"
contains "and says which" "$out" "fnv1a:aa" "fnv1a:bb" "NOT COMPARABLE" "Other_CPU"
# cards FILE ID FIRST SECOND: a run on two cards, of which the second takes twice as long, under these numbers.
cards() {
    made card.aa "$2" gpu=aa && made card.bb "$2" gpu=bb factor=2
    grep -v '"record":"end"' card.aa | sed "s/cuda:0/$3/" >"$1"
    grep -E '"record":"(device","id":"cuda|telemetry|result)' card.bb | sed "s/cuda:0/$4/" >>"$1"
    tail -n 1 card.aa >>"$1"
}
cards one-way.jsonl xx cuda:0 cuda:1
cards other-way.jsonl yyy cuda:1 cuda:0
run compare one-way.jsonl other-way.jsonl
same "two cards that changed their numbers: 0" 0 "$status"
contains "each is compared with itself" "$out" "of 8 timings 0 slower, 0 faster, 8 the same"
run compare one-way.jsonl a.jsonl
same "a card that is gone: what both have decides, 0" 0 "$status"
contains "its cases are on one side only" "$out" "of 8 timings 0 slower, 0 faster, 4 the same"
made part.jsonl nn cases=2
run compare a.jsonl part.jsonl
same "cases on one side only: what both have decides, 0" 0 "$status"
contains "and the others are counted" "$out" "only in A: 2 cases; only in B: 0"
run compare part.jsonl a.jsonl
contains "on either side" "$out" "only in A: 0 cases; only in B: 2"
made later.jsonl oo from=5 cases=8
run compare a.jsonl later.jsonl
same "no case in common: 5" 5 "$status"
made wrong.jsonl pp status=FAILED
run compare a.jsonl wrong.jsonl
same "a wrong answer: 3" 3 "$status"
contains "with its reason" "$out" "WRONG RESULT" "off by one"
made broken.jsonl ww status=FAILED cause=device
run compare a.jsonl broken.jsonl --junit broken.xml
same "a row that ended in an error: 6" 6 "$status"
contains "with its reason" "$out" "FAILED: " "off by one"
contains "JUnit calls it an error" "$(cat broken.xml)" 'failures="0" errors="1" skipped="0"' '<error message='
made lost.jsonl qq status=skipped
run compare a.jsonl lost.jsonl
same "a case that B could not measure: 5" 5 "$status"
contains "with its reason" "$out" "INCOMPLETE" "no room"
made cut.jsonl rr && truncate -s -400 cut.jsonl
run compare a.jsonl cut.jsonl
same "a truncated file is used as far as it goes: 0" 0 "$status"
contains "and that is said" "$out" "was cut off after" "the complete lines before it are used"
made future.jsonl ss schema=2.0
refuses 2 'schema 2.0|this program reads 1.x|why:|next:' compare a.jsonl future.jsonl
: >empty.jsonl
refuses 2 'empty.jsonl|ends before its first record|next:' compare a.jsonl empty.jsonl
head -n 4 a.jsonl >bare.jsonl
refuses 2 'holds no result|next:' compare a.jsonl bare.jsonl
refuses 2 'the same run|next:' compare a.jsonl a.jsonl
echo '{"record":' >bad.jsonl && echo '{}' >>bad.jsonl
refuses 2 'line 1 of bad.jsonl|next:' compare bad.jsonl a.jsonl
refuses 2 'nowhere is neither a file|next:' compare a.jsonl nowhere
refuses 2 'two sides|next:' compare a.jsonl
mkdir run && cp same.jsonl run/run.jsonl
run compare a.jsonl run
same "a directory of a run" 0 "$status"

# ---- files for other programs ----
run compare a.jsonl slow.jsonl --junit j.xml --markdown m.md --json c.json --prometheus p.prom --quiet
same "files change no exit code" "1 " "$status $out"
contains "JUnit counts" "$(cat j.xml)" 'tests="4" failures="4" errors="0" skipped="0"' '<failure message="slower: +' \
    '<property name="driver of cuda:0" value="550.54 -&gt; 555.42"/>'
check "and is XML" "${DUEL_PYTHON:-python3}" -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' j.xml
contains "Markdown" "$(cat m.md)" "### duel: NOT passed" \
    "| **slower** | gpu/gemm/made fp32" "| driver | cuda:0 | 550.54"
check "JSON can be read" "${DUEL_PYTHON:-python3}" -c '
import json, sys
c = json.load(open(sys.argv[1]))
assert c["exit_code"] == 1 and c["slower"] == 4 and len(c["verdicts"]) == 4, c
assert all(v["time_ratio_ci_lo"] < v["time_ratio"] < v["time_ratio_ci_hi"] for v in c["verdicts"])
assert c["differences"][0]["what"] == "driver" and c["differences"][0]["could_explain"] is True' c.json
contains "metrics" "$(cat p.prom)" "# TYPE duel_time_ratio gauge" 'duel_exit_code 1' 'duel_cases{verdict="slower"} 4' \
    'duel_time_ratio{implementation="gpu/gemm/made",device="cuda:0",shape="64",precision="fp32",threads="0"'
nothing "every line of the metrics is one" \
    "$(grep -vE '^(# (HELP|TYPE) .*|duel_[a-z_]+(\{[^}]*\})? [-+0-9.e]+)$' p.prom)"
nothing "nothing is left beside them" "$(compgen -G '*.*.*')"
same "others may read the metrics" "$(umask 022; : >plain; stat -c %a plain)" "$(stat -c %a p.prom)"
mkdir far && ln -s far/metrics.prom link.prom && : >far/metrics.prom
run compare a.jsonl slow.jsonl --prometheus link.prom --quiet
check "a link stays a link, and what it names is replaced" test -L link.prom -a -s far/metrics.prom
run compare a.jsonl slow.jsonl --junit /dev/stderr --quiet
contains "a device is written to" "$err" "</testsuites>"
shm=/dev/shm/duel.$$
if mkdir "$shm" 2>/dev/null; then
    run compare a.jsonl slow.jsonl --junit "$shm/a.xml" --quiet
    run compare a.jsonl slow.jsonl --junit "$shm/a.xml" --quiet
    same "memory that is shared has files as others, and they are replaced" 1 "$(grep -c '</testsuites>' "$shm/a.xml")"
    rm -r "$shm"
else
    skip "files in shared memory" "there is no /dev/shm here"
fi
run compare a.jsonl slow.jsonl --markdown -
contains "Markdown on stdout, talk on stderr" "$out" "### duel"
contains "the tables are on stderr then" "$err" "What else changed"
refuses 2 'stdout|next:' compare a.jsonl slow.jsonl --markdown - --junit -
refuses 2 'no/such/dir.xml cannot be written|next:' compare a.jsonl slow.jsonl --junit no/such/dir.xml
mkdir dir && refuses 2 'cannot be written|next:' compare a.jsonl slow.jsonl --prometheus dir

# ---- a reader never sees half a file ----
echo whole >p.prom
(for _ in 1 2 3 4 5 6 7 8; do "$duel" compare a.jsonl slow.jsonl --prometheus p.prom --quiet; done) 2>/dev/null &
torn=''
while kill -0 $! 2>/dev/null; do
    text=$(cat p.prom)
    case $text in whole | *'threads="0",metric="kernel"}'*[0-9]) ;; *) torn+="$text" ;; esac
done
wait
nothing "metrics are replaced as a whole" "$torn"
done_testing
