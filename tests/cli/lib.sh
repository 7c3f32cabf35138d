# shellcheck shell=bash disable=SC2034 # out, err and status are read by the tests
# lib.sh: running duel in a test. Sourced from the top of the tree by tests/cli/*.sh.
. tests/tap.sh

duel=$PWD/${BUILD:-build}/bin/duel
[[ ${BUILD:-} == /* ]] && duel=$BUILD/bin/duel
unset DUEL_PLUGIN_DIR DUEL_DATA_DIR
export NO_COLOR=1 LC_ALL=C.UTF-8

# Each test script has a folder of its own, removed at its end.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# run ARGUMENT...: runs duel; leaves its output in $out, its messages in $err and its exit status in $status.
run() {
    "$duel" "$@" >"$scratch/.out" 2>"$scratch/.err" </dev/null
    status=$?
    out=$(cat "$scratch/.out")
    err=$(cat "$scratch/.err")
}

# What differs from machine to machine or from run to run becomes a word in angle brackets.
normal() {
    sed -E -e 's/[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z-]+)?( \([0-9a-z-]+\))?/<version>/' -e "s#$scratch#<scratch>#g"
}

golden_filter='cat' # a test may mask more

# golden NAME ARGUMENT...: the output and the messages of duel are those in tests/cli/golden/NAME.txt. After a change
# that is meant: UPDATE_GOLDEN=1 tests/run tests/cli, then read the diff before it is committed.
golden() {
    local name=$1 file=tests/cli/golden/$1.txt got
    shift
    run "$@"
    got=$(printf '$ duel %s\n%s\n%s\n[exit status %s]\n' "$*" "$out" "$err" "$status" | normal | "$golden_filter")
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        mkdir -p tests/cli/golden && printf '%s\n' "$got" >"$file"
    fi
    check "duel $* prints what it used to ($file)" diff -u "$file" <(printf '%s\n' "$got")
}

# refuses STATUS WORDS ARGUMENT...: duel ends with the status, prints nothing on stdout, and its message holds each of
# the words (separated by |). An error that does not say what to do next is no error message: three parts are wanted.
refuses() {
    local want=$1 words=$2 word
    shift 2
    run "$@"
    if [ "$status" != "$want" ]; then
        report not "duel $* ends with status $want" "status $status, said: $err"
        return
    fi
    IFS='|' read -ra words <<<"$words"
    for word in "${words[@]}"; do
        [[ $err == *"$word"* ]] || { report not "duel $* says '$word'" "it said: $err" && return; }
    done
    if [ -z "$out" ]; then report ok "duel $* is refused with status $want"; else
        report not "duel $* prints no data when it refuses" "$out"
    fi
}
