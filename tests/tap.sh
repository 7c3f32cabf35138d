# shellcheck shell=bash
# tap.sh: how the test scripts print their results (TAP). Source it, call check, skip and at the end done_testing.

tap_count=0 tap_failed=0

# report ok|not DESCRIPTION [TEXT]: one line, and on failure TEXT as comment lines below it.
report() {
    tap_count=$((tap_count + 1))
    if [ "$1" = ok ]; then
        echo "ok $tap_count - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $2"
        head -n 40 <<<"${3:-}" | sed 's/^/# /'
    fi
}

# check DESCRIPTION COMMAND...: passes if the command succeeds; what it printed explains a failure.
check() {
    local description=$1 output
    shift
    if output=$("$@" 2>&1); then report ok "$description"; else report not "$description" "exit status $? of: $*
$output"; fi
}

# nothing DESCRIPTION TEXT: passes if TEXT is empty; for searches whose hits are the faults.
nothing() { if [ -z "$2" ]; then report ok "$1"; else report not "$1" "$2"; fi; }

# same DESCRIPTION WANTED GOT
same() { if [ "$2" = "$3" ]; then report ok "$1"; else report not "$1" "wanted: $2
got:    $3"; fi; }

# contains DESCRIPTION TEXT WORD...: passes if every word is in TEXT.
contains() {
    local description=$1 text=$2 word
    shift 2
    for word in "$@"; do
        [[ $text == *"$word"* ]] || { report not "$description" "not found: $word
in: $text" && return; }
    done
    report ok "$description"
}

# skip DESCRIPTION REASON
skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

done_testing() {
    echo "1..$tap_count"
    exit $((tap_failed > 0))
}
