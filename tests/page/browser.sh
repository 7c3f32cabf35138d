#!/usr/bin/env bash
# The page in a browser: nothing overflows, nothing is asked of a network, roles and names, contrast, hovering.
# Time limit: 240 s
cd "$(dirname "$0")/../.." && . tests/page/lib.sh
browser=''
for candidate in "$python" python3 /usr/bin/python3; do
    [ -z "$browser" ] && "$candidate" -c 'import selenium' 2>/dev/null && browser=$candidate
done
if [ -z "$browser" ] || ! command -v chromedriver >/dev/null || ! command -v gnuplot >/dev/null; then
    skip "the page in a browser" "needs gnuplot, chromium-driver and python3-selenium"
    done_testing
fi
pages=()
for name in one no-gpu sizes missing hostile; do
    run report "$made/$name.jsonl" --out "$scratch/$name"
    pages+=("$name=$scratch/$name/report.html")
done
run report "$made"/machine-{0,1,2}.jsonl --out "$scratch/three"
run report "$made"/machine-*.jsonl --out "$scratch/twelve"
pages+=("three=$scratch/three/report.html" "twelve=$scratch/twelve/report.html")
lines=$("$browser" tests/page/browser.py "${pages[@]}" 2>&1)
while IFS= read -r line; do
    case $line in
    'ok '*) report ok "${line#* - }" ;;
    'not ok '*) report not "${line#* - }" "$(grep -A 20 -F -- "$line" <<<"$lines" | sed -n '2,20p' | grep '^#')" ;;
    esac
done <<<"$lines"
contains "all pages were looked at" "$lines" "1..63"
done_testing
