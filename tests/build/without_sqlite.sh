#!/usr/bin/env bash
# Without SQLite and zlib: no history, which is said with a remedy, and everything else as before. Time limit: 900 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without sqlite
contains "the report says what is missing and what it costs" "$(grep '✗ sqlite' "$log")" "no history" libsqlite3-dev
check "the program is not linked with it" test -z "$(ldd "$duel" | grep sqlite)"
measures cpu/gemm/serial
refuses 77 'no history|can be read all the same|libsqlite3-dev' import "$scratch/measured" --db "$scratch/x.db"
refuses 77 'no history|why:|next:' history --db "$scratch/x.db"
check "nothing was made" test ! -e "$scratch/x.db"
done_testing
