#!/usr/bin/env bash
# Reading, writing and rounding against NumPy itself: DUEL_PYTHON=python3 names an interpreter that has it.
cd "$(dirname "$0")/../.." && . tests/tap.sh

python=${DUEL_PYTHON:-python3}
tool=${BUILD:-build}/tests/npy
if [ ! -x "$tool" ]; then
    skip "round trips with NumPy" "$tool is not built"
    done_testing
fi
if ! "$python" -c 'import numpy' 2>/dev/null; then
    skip "round trips with NumPy" "NumPy is not installed"
    done_testing
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

for type in f2 f4 f8; do
    for version in 1 2 3; do
        for order in C F; do
            check "float of ${type#f} bytes, format $version.0, $order order: same elements in NumPy's own file" \
                "$python" tests/unit/npy_numpy.py "$tool" "$dir" copy "$type" "$version" "$order"
        done
    done
    check "float of ${type#f} bytes rounds to float16 as NumPy does" \
        "$python" tests/unit/npy_numpy.py "$tool" "$dir" halves "$type"
done
for kind in '>f4' '<i4' '<c8' '|b1' '|O' '<U3' 'i4,f4' 0-d 1-d 3-d empty npz; do
    check "NumPy's file of $kind is refused" "$python" tests/unit/npy_numpy.py "$tool" "$dir" refuse "$kind"
done
done_testing
