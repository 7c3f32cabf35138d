#!/usr/bin/env bash
# The gallery of broken kernels: each is found for its own reason in three orders, the right versions are clean in these
# and in twenty random ones, and the lesson says what happened. Time limit: 600 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

build=${BUILD:-build}
if [ ! -e "$build/lib/duel-gallery.so" ]; then
    echo "1..0 # SKIP this build has no gallery: it needs clang"
    exit 0
fi

# ---- what there is ----

files=0 faults=''
run gallery
same "the list: exit status" "$status" 0
for file in tests/gallery/*.cu; do
    name=$(basename "$file" .cu | tr _ -)
    files=$((files + 1))
    grep -q "^$name  " <<<"$out" || faults+="$name is not in the list"$'\n'
    [ "$(head -c $((4 + ${#name})) "$file")" = "/* $name:" ] || faults+="$file does not open with '/* $name: ...'"$'\n'
    grep -q "    .name = \"$name\"," "$file" || faults+="$file does not name itself $name"$'\n'
    grep -qE '^#ifn?def BUG' "$file" || faults+="$file has no bug"$'\n'
done
nothing "a file is named after its bug" "$faults"
check "there are at least 24: $files" test "$files" -ge 24

# ---- all are found, and nothing else ----

run gallery all
same "all are found, in three orders" "$status" 0
same "a row for each" "$(grep -cE ' +found +found +found +clean$' <<<"$out")" "$files"
check "and the sum says so" grep -qE "^$files of $files broken .* 0 of the right versions were not clean" <<<"$out"
for seed in $(seq 20); do
    run gallery all --schedule random --seed "$seed"
    same "random order $seed" "$status $(grep -cE ' found +clean$' <<<"$out")" "0 $files"
done
run gallery all --json -
same "the same for programs" "$(grep -c '"found":true,"clean":true' <<<"$out")" "$files"

# ---- one of them ----

run gallery race-in-tile --show
same "one exhibit: exit status" "$status" 0
check "shows what only the right version has" grep -qE '^\+ +[0-9]+ +__syncthreads\(\);' <<<"$out"
check "names both lines" grep -qE 'race_in_tile\.cu:1[0-9].*race_in_tile\.cu:1[0-9]' <(tr '\n' ' ' <<<"$out")
check "says what a real GPU would do" grep -q '^On a real GPU, probably: ' <<<"$out"
check "compares with the right version" grep -q '^  random 1 *0  all 2304 values are right' <<<"$out"
run gallery sum-without-atomic
check "values can be right all the same" grep -q 'never find this bug' <(tr '\n' ' ' <<<"$out")
run gallery tile-without-padding
check "a slow kernel is counted" grep -qE '4224 rounds .* all 4096 values are right' <<<"$out"
run gallery 'race-*'
same "a pattern" "$(grep -c '^race-' <<<"$out")" 2
refuses 2 "did you mean race-in-tile" gallery race-in-tiles

mkdir "$scratch/none"
export DUEL_PLUGIN_DIR=$scratch/none
refuses 77 "install clang" gallery
refuses 77 "install clang" gallery race-in-tile --show

# ---- a verdict that can fail: the two versions of one kernel exchanged ----

read -ra compile <"$build/gen/hooked.flags"
read -ra objects <"$build/gen/gallery.list"
mkdir -p "$scratch/lib"
sed 's/^#ifndef BUG/#ifdef BUG/' tests/gallery/race_in_tile.cu >"$scratch/race_in_tile.cu"
"${compile[@]}" -x c++ -c "$scratch/race_in_tile.cu" -o "$scratch/right.o" &&
    "${compile[@]}" -DBUG -x c++ -c "$scratch/race_in_tile.cu" -o "$scratch/wrong.o"
objects=("${objects[@]/*\/right\/*\/race_in_tile.cu.o/$scratch/right.o}")
objects=("${objects[@]/*\/wrong\/*\/race_in_tile.cu.o/$scratch/wrong.o}")
"${compile[0]}" -shared "${objects[@]}" -lpthread -o "$scratch/lib/duel-gallery.so"
DUEL_PLUGIN_DIR=$scratch/lib run gallery race-in-tile race-on-next-tile
same "a bug that is not found, and a right version that is not clean: exit status" "$status" 3
check "both are told" grep -qE '^race-in-tile .* NOT +NOT +NOT +NOT CLEAN' <<<"$out"
check "and no other" grep -qE '^race-on-next-tile .* found +found +found +clean' <<<"$out"
DUEL_PLUGIN_DIR=$scratch/lib run gallery race-in-tile
check "also in the lesson" grep -q '^NOT FOUND' <<<"$out"
check "with the false finding" grep -q '^FALSE FINDING' <<<"$out"
done_testing
