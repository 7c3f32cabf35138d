# Completion of duel for bash. Commands, options, choices and names are asked of the program itself.
_duel() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} words
    if ((COMP_CWORD == 1)); then
        words=$("$program" --help 2>/dev/null | awk '/^Commands:/ { on = 1; next } on && !NF { exit } on { print $1 }')
        words+=' --help --version'
    elif [[ $before == --device ]]; then
        words=$("$program" devices 2>/dev/null | awk '/^[a-z]/ { print $1 } END { print "all" }')
    elif [[ $before == --* ]] && words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null |
        awk -v option="$before" '$1 == option && $2 ~ /^[a-z]+(\|[a-z]+)+$/ { gsub(/\|/, " ", $2); print $2 }') &&
        [[ -n $words ]]; then
        : # an option with a fixed set of words
    elif [[ $word == -* ]]; then
        words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE '^ +(-h, )?--[a-z-]+' |
            grep -oE -e '--[a-z-]+')
    elif [[ $before != --* ]]; then
        words=$("$program" list 2>/dev/null | grep -oE '^ *[a-z0-9_]+(/[a-z0-9_]+)+|^[a-z0-9_]+')
    else
        COMPREPLY=()
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _duel duel
