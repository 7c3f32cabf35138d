#!/usr/bin/env bash
# Without libpng: pictures are refused with a clear message; convolutions of numbers are as they were. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without libpng
contains "the report says what is missing and what it costs" "$(grep '✗ libpng' "$log")" "no pictures" libpng-dev
check "the program is not linked with it" test -z "$(ldd "$duel" | grep libpng)"
printf '\x89PNG\r\n\x1a\n' >"$scratch/photo.png"
run run conv2d --input "$scratch/photo.png"
same "a picture is refused" 2 "$status"
contains "with the reason and the way out" "$err" "without libpng" libpng-dev
still_right cpu/conv2d/serial
done_testing
