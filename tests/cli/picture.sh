#!/usr/bin/env bash
# Pictures through `duel run conv2d --input FILE.png`: every kind of PNG, filters with known results, alpha, and files
# that lie. Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

if ! python3 -c 'import zlib' 2>/dev/null; then
    skip "pictures" "no Python to make them"
    done_testing
fi
python3 tests/cli/picture.py make "$scratch" || exit 1
show() { python3 tests/cli/picture.py show "$scratch/$1.png"; }

# filter NAME FILTER [IMPLEMENTATION]: NAME.png through the filter into answer.png; false with the message when not.
filter() {
    rm -f "$scratch/answer.png"
    run run "${3:-cpu/conv2d/direct}" --input "$scratch/$1.png" --output "$scratch/answer.png" --filter "$2" \
        --samples 1 --out "$scratch/out" --no-plots --quiet
    [ "$status" = 0 ] || { echo "exit status $status: $err" && return 1; }
}

if ! filter point blur >"$scratch/said"; then
    if grep -q 'without libpng' "$scratch/said"; then
        check "without libpng it says so" grep -q libpng-dev "$scratch/said"
        skip "pictures" "this build has no libpng"
        done_testing
    fi
    report not "a picture can be filtered" "$(cat "$scratch/said")"
    done_testing
fi

# A single white pixel shows the filter itself; 255 / 256 of a weight is rounded.
same "blur is the binomial filter" "7 7 8 0
0 0 0 0 0 0 0
0 1 4 6 4 1 0
0 4 16 24 16 4 0
0 6 24 36 24 6 0
0 4 16 24 16 4 0
0 1 4 6 4 1 0
0 0 0 0 0 0 0" "$(show answer)"
filter point sharpen
same "sharpen leaves a point and is never below black" "7 7 8 0
0 0 0 0 0 0 0
0 0 0 0 0 0 0
0 0 0 0 0 0 0
0 0 0 255 0 0 0
0 0 0 0 0 0 0
0 0 0 0 0 0 0
0 0 0 0 0 0 0" "$(show answer)"
filter point sobel
same "sobel is the length of both slopes" "7 7 8 0
0 0 0 0 0 0 0
0 0 0 0 0 0 0
0 0 90 128 90 0 0
0 0 128 0 128 0 0
0 0 90 128 90 0 0
0 0 0 0 0 0 0
0 0 0 0 0 0 0" "$(show answer)"

# The left half is black, the right half white: an edge in the middle and no frame around the picture.
for name in grey1 grey2 grey4 grey8 palette1 palette2 palette4 palette8 rgb8 interlaced8; do
    filter "$name" sobel
    same "sobel of $name finds its one edge" "0 0 0 0 255 255 0 0 0 0" \
        "$(show answer | sed -n 3p | tr ' ' '\n' | awk -v step="$([ "${name#grey}" = "$name" ] && echo 3 || echo 1)" \
            'NR % step == 1 || step == 1' | paste -sd ' ')"
done
filter grey16 sobel
same "16 bits stay 16 bits" "10 6 16 0" "$(show answer | sed -n 1p)"
same "and reach white" "0 0 0 0 65535 65535 0 0 0 0" "$(show answer | sed -n 2p)"

for kind in greyalpha8:4:2 greyalpha16:4:2 rgba8:6:4 rgba16:6:4 palettealpha:6:4 interlaced16:6:4; do
    IFS=: read -r name colour channels <<<"$kind"
    filter "$name" blur
    same "$name keeps its kind" "$colour" "$(show answer | sed -n 1p | cut -d ' ' -f 4)"
    case $name in palettealpha) continue ;; esac
    most=$(show answer | sed -n 1p | awk '{ print $3 == 16 ? 65535 : 255 }')
    rows=$(show answer | sed -n 1p | cut -d ' ' -f 2)
    same "$name keeps its alpha" "$(for ((i = 0; i < rows; i++)); do echo $((i * most / (rows - 1))); done)" \
        "$(show answer | tail -n +2 | cut -d ' ' -f "$channels")"
done
filter palettealpha blur
same "the palette's alpha is kept" "255 128" "$(show answer | sed -n 2p | cut -d ' ' -f 4,40)"

for filter in blur sharpen; do
    filter flat "$filter"
    same "$filter leaves an even picture as it is, to its rim" "$(show flat)" "$(show answer)"
    filter one "$filter"
    same "a picture of one pixel through $filter" "1 1 8 2
77 130 200" "$(show answer)"
done
filter one sobel
same "a picture of one pixel has no edge" "1 1 8 2
0 0 0" "$(show answer)"
filter oneinterlaced blur
same "nor trouble with seven passes" "1 1 8 0
77" "$(show answer)"
filter wide blur
same "a picture of one row" "$(show wide)" "$(show answer)"

for implementation in cpu/conv2d/serial cpu/conv2d/openmp; do
    filter whole blur && cp "$scratch/answer.png" "$scratch/first.png"
    filter whole blur "$implementation"
    same "$implementation gives the same picture" "$(show first)" "$(show answer)"
done

# What cannot be a picture is refused, quickly and without much memory, and leaves the older answer alone.
cp "$scratch/one.png" "$scratch/old.png"
for kind in truncated:damaged headonly:damaged noend:damaged corrupt:damaged badheader:damaged nowidth:damaged \
    huge:pixels hugest:damaged 'liar:cut off' empty:'no PNG file' text:'no PNG file' missing:'cannot be opened'; do
    name=${kind%%:*}
    (ulimit -v 3000000 && timeout 20 "$duel" run conv2d --input "$scratch/$name.png" --output "$scratch/old.png" \
        --samples 1 --out "$scratch/out" --no-plots >"$scratch/said" 2>&1 </dev/null)
    same "$name is refused with status 2" 2 $?
    contains "$name is told from others" "$(cat "$scratch/said")" "${kind#*:}"
done
check "nothing replaced the older answer" cmp -s "$scratch/one.png" "$scratch/old.png"
(ulimit -v 3000000 && filter bomb blur)
same "a comment of 300 MB does no harm" "10 6 8 0" "$(show answer | sed -n 1p)"
same "no temporary file is left" "" "$(find "$scratch" -name '*.tmp*')"

run run cpu/conv2d/direct --input "$scratch/one.png" --sessions 2 --samples 2 --no-plots --quiet --out "$scratch/twice"
same "sessions are given the picture and what stands behind it" 2 \
    "$(grep -c '^{"record":"result"' "$scratch/twice/run.jsonl")"

refuses 2 '.png' run conv2d --input "$scratch/one.png" --output "$scratch/x.npy"
refuses 2 'is also an --input' run conv2d --input "$scratch/one.png" --output "$scratch/one.png"
refuses 2 'no picture to filter|--filter' run conv2d --filter blur
refuses 2 'pattern all' run all --input "$scratch/one.png"
refuses 2 'gemm takes no --input|conv2d' run gemm --input "$scratch/one.png"
refuses 2 '--filter' run conv2d --input "$scratch/one.png" --filter emboss
refuses 2 'decide the size' run conv2d --input "$scratch/one.png" --n 64
done_testing
