#!/usr/bin/env bash
# `duel trace` and the counted part of `duel explain`: the numbers of the ladder, JSON equal to text, and what is said
# where nothing can be counted.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
libraries=$(dirname "$duel")/../lib
[ -e "$libraries/duel-emulated-hooked.so" ] || {
    skip "traced mode" "this build has no hooked plug-in"
    done_testing
}
work=$scratch
value() { python3 -c 'import json,sys; d=json.loads(open(sys.argv[1]).readline())
for key in sys.argv[2].split("."): d=d[int(key)] if isinstance(d, list) else d[key]
print(d)' "$@"; }

# Two warps' requests per multiply-add and k steps, and one store per element, in sectors of 32 bytes (n = 64).
n=64
warps=$((n * n / 32))
table=$("$duel" trace gpu/gemm/naive gpu/gemm/coalesced gpu/gemm/tiled --n $n --csv - 2>"$work/talk")
sectors() { awk -F, -v name="gpu/gemm/$1" '$1 == name { print $8 }' <<<"$table"; }
same "naive: 32 sectors of A and 1 of B a step, 32 of C" $((warps * (33 * n + 32))) "$(sectors naive)"
same "coalesced: 1 of A and 4 of B, 4 of C" $((warps * (5 * n + 4))) "$(sectors coalesced)"
same "tiled: 8 for each tile, 4 of C" $((warps * (8 * n / 32 + 4))) "$(sectors tiled)"
same "and 2mnk + mn flop each" "$((2 * n * n * n + n * n))" "$(awk -F, 'NR > 1 { print $13 }' <<<"$table" | sort -u)"
fp64=$("$duel" trace gpu/gemm/naive gpu/gemm/tiled --n $n --precision fp64 --csv - 2>"$work/talk")
same "as many in double precision" "$((2 * n * n * n + n * n))" "$(awk -F, 'NR > 1 { print $13 }' <<<"$fp64" | sort -u)"
same "work that was not seen has no number: neither 0 nor any other" ",,," "$(
    awk -F, '$1 == "gpu/gemm/naive" { print $10 "," $11 "," $14 "," $17 }' <<<"$table")"
same "nothing to tell" "" "$(cat "$work/talk")"

text=$("$duel" explain gpu/gemm/tiled --n $n --diff --card 'RTX 4090' --json "$work/tiled.json" \
    --html "$work/tiled.html")
contains "explain shows counts beside the rung below" "$text" "global load" "- gpu/gemm/coalesced" "barrier" \
    "no caches and no" "predicted, not measured" "What changed:" "Why it matters:" "What limits it now:"
if python3 -c '' 2>/dev/null; then
    same "JSON has the sectors of the table" "$(sectors tiled)" "$(value "$work/tiled.json" total.global_sectors)"
    same "and no field is called a time" "" "$(grep -oE '"[a-z_]*(time|_s)"' "$work/tiled.json" |
        grep -vE 'predicted_(least|without_caches)_s' | sort -u)"
    check "the page holds the same record" python3 - "$work" <<'CODE'
import json, re, sys
page = open(sys.argv[1] + "/tiled.html").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))
lines = [json.loads(line) for line in open(sys.argv[1] + "/tiled.json")]
assert len(lines) == 2 and len(data["traces"]) == 2
for line, trace in zip(lines, data["traces"]):
    assert all(trace[key] == line[key] for key in line), line["implementation"]
assert not re.search(r'(src|href)=|https?://(?!www\.w3\.org/)', page), "the page fetches something"
CODE
fi
text=$("$duel" explain cpu/gemm/serial --card 'RTX 4090')
contains "a CPU kernel keeps its lesson" "$text" "cpu/gemm/serial" "Ladder"
refuses 2 "RTX 4090" explain gpu/gemm/tiled --n 32 --card 'RTX 4900'
refuses 2 "runs no CUDA" trace gpu/gemm/tiled --n 32 --card 'Instinct MI210'
refuses 2 "sm_50" trace gpu/gemm/tiled --n 32 --arch sm_50
refuses 2 "2 names" explain gpu/gemm/tiled gpu/gemm/naive --n 32 --json "$work/two.json"
refuses 77 "cuBLAS" trace gpu/gemm/cublas --n 32

text=$("$duel" explain gpu/mlp/tiled --arch sm_89 | grep -E '^layer<float, true> on sm_89: .* [0-9]+ registers')
contains "registers of a template with two arguments" "$text" "registers, none spilled"

mkdir "$work/lib"
cp "$libraries"/duel-emulated.so "$work/lib"
text=$(DUEL_PLUGIN_DIR=$work/lib "$duel" explain gpu/gemm/tiled)
contains "without the hooked plug-in explain says what is missing" "$text" "Not measured" "clang" "Ladder"
export DUEL_PLUGIN_DIR=$work/lib
refuses 77 "clang" trace gpu/gemm/tiled
done_testing
