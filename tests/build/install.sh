#!/usr/bin/env bash
# make install puts a program where it works by itself, and make uninstall takes all of it away. Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

to="$scratch/a folder with spaces"
check "make install" quiet_make BUILD="$built" install DESTDIR="$to" PREFIX=/usr
# Moved, so that nothing can be found through the path it was installed with.
mv "$to" "$scratch/moved"
duel=$scratch/moved/usr/bin/duel
cd / || exit 1
run --version
same "the installed program runs" 0 "$status"
run devices
contains "it finds its plug-ins" "$out" "emulated"
check "the emulated GPU can be used" grep -qE '^emulated .*ready' <<<"$out"
run run cpu/gemm/serial --n 32,64 --budget 5s --out "$scratch/run"
same "it measures and plots" "0 yes" "$status $([ -s "$scratch/run/plots/gflops.gp" ] && echo yes)"
if [ -e "$scratch/moved/usr/lib/duel/duel-gallery.so" ]; then
    run gallery race-in-tile --show
    same "the broken kernels run" 0 "$status"
    contains "and their sources are shown" "$out" "__syncthreads(); /* nobody reads"
else
    skip "the broken kernels run and are shown" "this build has no gallery: it needs clang"
fi
page=$scratch/moved/usr/share/man/man1/duel.1 completion=$scratch/moved/usr/share/bash-completion/completions/duel
contains "the manual page has the help of all commands" "$(cat "$page")" "Usage: duel run" "Usage: duel explain"
# shellcheck disable=SC2016  # expanded by the inner shell
offered=$(bash -c '. "$1"; COMP_WORDS=("$2" run --cache ""); COMP_CWORD=3; _duel; echo "${COMPREPLY[*]}"' \
    - "$completion" "$duel")
same "the completion knows the words of an option" "auto hot flushed rotated" "$offered"
cd - >/dev/null || exit 1
mv "$scratch/moved" "$to"
check "make uninstall" quiet_make BUILD="$built" uninstall DESTDIR="$to" PREFIX=/usr
nothing "no file is left" "$(find "$to" -type f)"
done_testing
