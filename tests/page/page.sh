#!/usr/bin/env bash
# `duel report` and `duel replay` from the command line: what they write, how fast, how large, and what they refuse.
cd "$(dirname "$0")/../.." && . tests/page/lib.sh
drawn=$(command -v gnuplot)

page_of() { run report "$@" --out "$scratch/page" && cat "$scratch/page/report.html"; }
bytes() { stat -c %s "$1"; }
letters() { "$python" -c 'import html, re, sys
print(html.unescape(re.sub("<[^>]*>", "", open(sys.argv[1]).read())))' "$1"; }

# ---- one file
run report "$made/one.jsonl" --out "$scratch/one"
same "a report is written, and its path told" "0 Report:  $scratch/one/report.html" "$status $out"
text=$(cat "$scratch/one/report.html")
contains "its story is whole" "$text" 'id="where"' 'id="steps"' 'id="speedup"' 'id="ladder"' 'id="precision"' \
    'id="energy"' 'id="method"' 'pays from 256 on' 'Three nested loops' '#source-cpu-gemm-serial'
order=$(grep -oE '<section id="[a-z]+"' <<<"$text" | cut -d '"' -f 2 | tr '\n' ' ')
same "and in order" "where steps speedup ladder precision energy method sources " "$order"
contains "energy is what was recorded, 90 J in 2 s" "$text" '<td>90</td><td>45.0</td>'
contains "Markdown tells the same" "$(cat "$scratch/one/report.md")" \
    '## How many times faster' '| gpu/gemm/tiled fp32 |'
same "the CSV has a line per row, and where it was recorded" "$(grep -c '"result"' "$made/one.jsonl")" \
    "$(grep -c '^"Test CPU, 8 CPUs",2026-01-02,' "$scratch/one/report.csv")"
if [ -n "$drawn" ]; then
    contains "pictures say where and when they were recorded" "$(cat "$scratch"/one/plots/*.svg)" \
        'recorded on Test CPU, 8 CPUs, 2026-01-02'
    nothing "all of them" "$(grep -L 'recorded on Test CPU, 8 CPUs, 2026-01-02' "$scratch"/one/plots/*.svg)"
    contains "and hovering shows numbers" "$text" '<g><title>GPU tiled'
else
    skip "pictures" "there is no gnuplot"
fi
run report "$made/one.jsonl" --no-plots --out "$scratch/tables"
same "--no-plots leaves tables only" "0 0" "$status $(grep -c '<svg' "$scratch/tables/report.html")"
err=$(PATH=$scratch/empty "$duel" report "$made/one.jsonl" --out "$scratch/without" 2>&1 >/dev/null)
contains "without gnuplot the page comes all the same" "$? $err $(ls "$scratch/without")" "0 " "gnuplot" report.html

# ---- sizes and time
began=$(date +%s%N)
run report "$made/rows.jsonl" --out "$scratch/rows"
took=$((($(date +%s%N) - began) / 1000000))
check "504 rows take less than 2 s (took $took ms; times ${TIME_FACTOR:-1})" \
    test "$took" -lt $((2000 * ${TIME_FACTOR:-1}))
check "and less than 1 MiB ($(bytes "$scratch/rows/report.html") bytes)" \
    test "$(bytes "$scratch/rows/report.html")" -lt 1048576

# ---- several files
run report "$made"/machine-{0,1,2}.jsonl --out "$scratch/three"
contains "three machines stand side by side" "$(cat "$scratch/three/report.html")" 'id="side"' \
    '<th scope="col">Processor 0, 8 CPUs, 2026-01-02</th>' 'Processor 1, 8 CPUs + Test GPU' 'not in this run'
run report "$made"/machine-*.jsonl --out "$scratch/twelve"
check "twelve stay below 1 MiB ($(bytes "$scratch/twelve/report.html") bytes)" \
    test "$(bytes "$scratch/twelve/report.html")" -lt 1048576
rate=$("$python" - "$made" <<'CODE'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1] + "/machine-1.jsonl")]
row = next(r for r in rows if r.get("implementation") == "gpu/gemm/tiled" and r["n"] == 512)
rate = row["gflops"]
print(f"{rate:.0f}" if rate >= 99.95 else f"{rate:.1f}")
CODE
)
cell=$(grep -F '| gpu/gemm/tiled fp32, n = 512 |' "$scratch/three/report.md" | head -1 | cut -d '|' -f 4)
same "each case stands in the column of its machine" " $rate GFLOP/s " "$cell"

# ---- what is missing is told
run report "$made/missing.jsonl" --out "$scratch/missing"
contains "failed and skipped rows have their reason, and a crash is told" "$(cat "$scratch/missing/report.html")" \
    'reason number 3' FAILED 'stopped from outside'
run report "$made/no-gpu.jsonl" --out "$scratch/no-gpu"
contains "no GPU: the reason" "$(cat "$scratch/no-gpu/report.html")" 'there is no driver' 'cpu/gemm/openblas'

# ---- names that would be markup
run report "$made/hostile.jsonl" --out "$scratch/hostile"
text=$(cat "$scratch/hostile/report.html")
nothing "no script gets into the page" "$(grep -iE '<script|<img|<[a-z]+[^>]* on[a-z]+=' <<<"$text")"
contains "but its letters do" "$(letters "$scratch/hostile/report.html")" "<script>alert(1)</script> \"q\" 'a' & | \`"
cp "$made/one.jsonl" "$scratch/<b>\"'&.jsonl"
text=$(page_of "$scratch/<b>\"'&.jsonl")
contains "a file's name is text too" "$text" '&lt;b&gt;&quot;&#39;&amp;.jsonl'

# ---- refused
refuses 2 "no run file|reports/latest" report
refuses 2 "2 files" replay "$made/one.jsonl" "$made/no-gpu.jsonl"
refuses 2 "cannot be opened" report "$scratch/nowhere"
head -c 3000 "$made/one.jsonl" >"$scratch/cut.jsonl"
run report "$scratch/cut.jsonl" --no-plots --out "$scratch/cut"
contains "a run that was cut off is shown as far as it goes" "$status $(cat "$scratch/cut/report.html")" \
    "0 " "was cut off"
for fault in '{"record":"result","m":NaN}' '{"record":"result","m":1,"m":2}' '{"record":"result","m":"x"}' \
    '[1,2]' 'x'; do
    { head -1 "$made/one.jsonl"; echo "$fault"; } >"$scratch/bad.jsonl"
    refuses 2 "line 2" report "$scratch/bad.jsonl" --out "$scratch/bad"
done
{ head -1 "$made/one.jsonl" && printf '%0100000d' 0 | tr 0 '['  && echo; } >"$scratch/bad.jsonl"
refuses 2 "deep" report "$scratch/bad.jsonl" --out "$scratch/bad"
echo '{"record":"run","schema":"2.0"}' >"$scratch/bad.jsonl"
refuses 2 "schema 2.0" report "$scratch/bad.jsonl" --out "$scratch/bad"
check "nothing is written for what is refused" test ! -e "$scratch/bad"

# ---- replay, and a browser
run replay "$made/one.jsonl" --out "$scratch/replay"
contains "replay shows tables and the report" "$status $out" "0 " "recorded on Test CPU, 8 CPUs" "gpu/gemm/tiled" \
    "The fastest GPU row" "Report:  $scratch/replay/report.html"
mkdir "$scratch/bin"
# shellcheck disable=SC2016 # for the stand-in
printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$scratch" >"$scratch/bin/xdg-open"
chmod +x "$scratch/bin/xdg-open"
PATH=$scratch/bin:$PATH run report "$made/one.jsonl" --no-plots --open --out "$scratch/opened page"
same "--open opens it" "$(realpath "$scratch/opened page")/report.html" "$(cat "$scratch/opened")"
run run cpu/gemm/serial --n 16 --budget 5s --out "$scratch/run"
contains "duel run writes it and tells its path" "$out $(cat "$scratch/run/report.html")" \
    "Report:  $scratch/run/report.html" 'id="ladder"'
run run cpu/gemm/serial --n 16 --budget 5s --no-plots --out "$scratch/run"
check "and not with --no-plots" test ! -e "$scratch/run/report.html"
done_testing
