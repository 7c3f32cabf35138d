#!/usr/bin/env bash
# What the text of the project may not hold: paths of one machine, unfinished work, stray characters.
cd "$(dirname "$0")/../.." && . tests/tap.sh

files=()
while read -r file; do files+=("$file"); done < <(find bench cpu gpu reports scripts tests Makefile README.md .ci \
    -type f ! -path 'reports/latest/*' | grep -vE '\.(png|svg|npy|csv|jsonl)$' | sort)
check "there are files to look at" test ${#files[@]} -gt 20

# The words are put together here, so that this file does not hold them.
markers="TO""DO|FIX""ME|XX""X|HA""CK"
nothing "no unfinished work is named" \
    "$(grep -nIE "\\b($markers)\\b|not (yet )?implemente""d|\\bstu""b(bed)?\\b" "${files[@]}")"
nothing "no path of one machine" "$(grep -nIE '(^|[^a-z$}.])/(home|root|work|Users|mnt)/[a-z]' "${files[@]}")"

code=()
for file in "${files[@]}"; do
    case $file in *.[ch] | *.cu | *.cuh | *.cc | *.sh | *.gp | scripts/* | tests/run) code+=("$file") ;; esac
done
nothing "lines have at most 120 characters" \
    "$(LC_ALL=C.UTF-8 awk 'length($0) > 120 { print FILENAME ":" FNR " has " length($0) }' "${code[@]}")"
nothing "no tabs in code" "$(printf '%s\0' "${code[@]}" | grep -zv '\.mk$' | xargs -0 grep -nIP '\t')"
nothing "no space at the end of a line" "$(grep -nIE ' +$' "${files[@]}" | grep -v '^tests/cli/golden/')"
nothing "every file ends with a line end" \
    "$(for file in "${files[@]}"; do [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ] && echo "$file"; done)"
nothing "nothing else at the top level" "$(git ls-files 2>/dev/null | cut -d / -f 1 | sort -u |
    grep -vxE 'bench|cpu|gpu|reports|scripts|tests|Makefile|README\.md|LICENSE|\..*')"
done_testing
