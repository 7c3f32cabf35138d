#!/usr/bin/env bash
# A few of the mutants of scripts/mutants: broken kernels are noticed, and the mistake is named. All: make mutants.
# Time limit: 300 s
cd "$(dirname "$0")/../.." && . tests/tap.sh

build=${BUILD:-build}
if ! [ -e "$build/lib/duel-emulated.so" ] || ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP this build has no emulated GPU, or there is no python3"
    exit 0
fi
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT

out=$(scripts/mutants --jobs 2 naive-k-early block2d-rows-side-by-side tiled-tile-turned tiled-no-barrier-after-fetch \
    mma-swizzle-left-out serial-minus-beta 2>&1)
status=$?
# row NAME COLUMN: what the table says of a mutant.
row() { awk -v name="$1" -v column="$2" '$1 == name { print $column }' <<<"$out"; }
check "none of the sample survives, and all are named" test "$status" = 0
contains "all were counted but one" "$out" "5 mutants, 5 killed, 0 survive" "not counted: mma-swizzle-left-out"
same "a loop over k that ends early" "sum-end first" "$(row naive-k-early 3) $(row naive-k-early 5)"
same "rows that two formulas put in two places" "row first" \
    "$(row block2d-rows-side-by-side 3) $(row block2d-rows-side-by-side 5)"
same "a tile read across" "read-a first" "$(row tiled-tile-turned 3) $(row tiled-tile-turned 5)"
same "beta with the wrong sign" "beta first" "$(row serial-minus-beta 3) $(row serial-minus-beta 5)"
if [ -e "$build/lib/duel-emulated-hooked.so" ]; then
    contains "a missing barrier is for strict mode" "$(grep tiled-no-barrier <<<"$out")" "race in a block"
else
    skip "a missing barrier is for strict mode" "this build has no strict mode"
fi

# A mutant that changes nothing must be called a survivor, or the audit could not fail.
printf '%s\n' 'same gpu/gemm/naive.cu sum-end' '- i < k; i++' '+ k > i; i++' >"$scratch/table.txt"
out=$(scripts/mutants --table "$scratch/table.txt" 2>&1)
same "a survivor: exit status" 1 "$?"
contains "is listed" "$out" "1 survive: same"
printf '%s\n' 'gone gpu/gemm/naive.cu sum-end' '- this is not in the kernel' '+ ;' >"$scratch/table.txt"
out=$(scripts/mutants --table "$scratch/table.txt" 2>&1)
same "a table that does not fit the sources: exit status" 2 "$?"
done_testing
