#!/usr/bin/env bash
# Every header stands alone: it compiles by itself, twice in a row, and its guard is its name.
cd "$(dirname "$0")/../.." && . tests/tap.sh

unit=$(mktemp) && echo 'extern int nothing;' >"$unit"
trap 'rm -f "$unit"' EXIT
for header in $(find bench cpu tests -name '*.h' | sort); do
    guard=$(basename "$header" .h | tr 'a-z-' 'A-Z_')_H
    check "$header compiles alone and twice" gcc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -I. \
        -fsyntax-only -include "$header" -include "$header" -x c "$unit"
    check "$header has a guard named after it" grep -qE "^#ifndef (DUEL_)?([A-Z]+_)?$guard$" "$header"
done
check "duel.h is valid C++17 too" g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only -x c++ \
    -include bench/duel.h /dev/null
done_testing
