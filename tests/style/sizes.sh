#!/usr/bin/env bash
# Small files and small functions: headers under 120 lines, sources under 300, the Makefile under 200.
cd "$(dirname "$0")/../.." && . tests/tap.sh

# longer LIMIT FILE...: those of the files with LIMIT lines or more.
longer() {
    local limit=$1
    shift
    wc -l "$@" /dev/null | awk -v limit="$limit" '$2 != "total" && $1 >= limit { print $2 " has " $1 " lines" }'
}
# duel.h holds every contract that an implementer needs, in one place on purpose.
mapfile -t headers < <(find bench cpu gpu tests \( -name '*.h' -o -name '*.cuh' \) ! -path bench/duel.h)
mapfile -t sources < <(find bench cpu gpu tests scripts reports -type f ! -name '*.h' ! -name '*.cuh' \
    \( -name '*.c' -o -name '*.cu' -o -name '*.cc' -o -name '*.sh' -o -name '*.gp' -o -path 'scripts/*' \))
nothing "headers have fewer than 120 lines" "$(longer 120 "${headers[@]}")"
nothing "sources have fewer than 300 lines" "$(longer 300 "${sources[@]}")"
nothing "the Makefile has fewer than 200 lines" "$(longer 200 Makefile)"

# A function reaches from a brace in column one to the next closing one; the name stands on the lines before.
# shellcheck disable=SC2016 # awk's own $0
functions=$(find bench cpu gpu \( -name '*.c' -o -name '*.cu' -o -name '*.cc' \) -print0 | xargs -0 awk '
    FNR == 1 { open = 0 }
    /^{/ { open = FNR; name = above }
    /^}/ && open { print FNR - open - 1, FILENAME, name; open = 0 }
    !/^[{}]/ && NF { above = $0 }')
check "there are functions to measure" test "$(wc -l <<<"$functions")" -gt 50
nothing "no function has more than 90 lines" "$(awk '$1 > 90' <<<"$functions")"
long=$(awk '$1 > 40' <<<"$functions")
check "at most one function in twenty has more than 40 lines: $(wc -l <<<"$functions") functions
# $(tr '\n' ';' <<<"$long")" test $(($(grep -c . <<<"$long") * 20)) -le "$(wc -l <<<"$functions")"

comments=$(cat cpu/*/*.c gpu/*/*.cu |
    awk '/^ *(\/\*|\*|\/\/)/ || /\/\*.*\*\// { c++ } END { printf "%d", 100 * c / NR }')
check "about a fifth of the lines of kernels teach, beside their .doc: $comments %" test "$comments" -ge 16
done_testing
