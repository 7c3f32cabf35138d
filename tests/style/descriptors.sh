#!/usr/bin/env bash
# One kernel is one file: its path, its descriptor's symbol and its name are the same thing, and it explains itself.
cd "$(dirname "$0")/../.." && . tests/tap.sh

# The text of a descriptor's field, with the pieces of a C string joined.
field() {
    awk -v field="$2" '
        $1 == "." field && $2 == "=" { on = 1 }
        on && !($1 == "." field) && /^ *\.[a-z_]+ =( |$)|^};/ { on = 0 }
        on {
            while (match($0, /"([^"\\]|\\.)*"/)) {
                text = text substr($0, RSTART + 1, RLENGTH - 2)
                $0 = substr($0, RSTART + RLENGTH)
            }
        }
        END { print text }' "$1"
}

count=0
for file in cpu/*/*.c gpu/*/*.cu; do
    case $file in gpu/device/* | gpu/emulator/*) continue ;; esac
    count=$((count + 1))
    name=${file%.*} faults=''
    grep -q "^DUEL_IMPL(${name//\//_}) = {" "$file" || faults+="no DUEL_IMPL(${name//\//_})"$'\n'
    [ "$(grep -c '^DUEL_IMPL(' "$file")" = 1 ] || faults+="not exactly one descriptor"$'\n'
    [ "$(field "$file" name)" = "$name" ] || faults+=".name is '$(field "$file" name)'"$'\n'
    below=$(field "$file" builds_on)
    [ -z "$below" ] || compgen -G "$below.c*" >/dev/null || faults+=".builds_on names '$below', which is not there"$'\n'
    doc=$(field "$file" doc)
    sentences=$(grep -oE '[.!?]( |$)' <<<"$doc" | wc -l)
    [ "$sentences" -ge 1 ] && [ "$sentences" -le 5 ] || faults+=".doc has $sentences sentences, not 1 to 5"$'\n'
    [ "$(head -c $((3 + ${#name} + 1)) "$file")" = "/* $name:" ] || faults+="does not open with '/* $name: ...'"$'\n'
    opening=$(awk '{ n++ } /\*\// { print n; exit }' "$file")
    [ "$opening" -le 25 ] || faults+="the opening comment has $opening lines, more than 25"$'\n'
    for word in Idea Mapping Traffic Limits; do
        head -n "$opening" "$file" | grep -q "^ \* $word" || faults+="the opening comment says nothing about $word"$'\n'
    done
    nothing "$name describes itself" "$faults"
done
check "there are kernels to look at" test "$count" -gt 0
done_testing
