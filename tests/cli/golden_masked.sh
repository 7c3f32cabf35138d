#!/usr/bin/env bash
# The layout and the words of what duel prints about this machine: every number is masked, and what only some machines
# have is left out. Time limit: 200 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

cpu=$("$duel" devices 2>/dev/null | sed -nE '1s/^cpu +(.*): ready.*/\1/p')

# Numbers become #, units <unit>, columns are one space apart, empty lines go. Other work on the machine is no part of
# the layout, nor are first calls, which are told when they took long.
mask() {
    sed -E -e "s#${cpu:-nothing}#<cpu>#g" -e '/^duel: (other work took|[0-9]+ of [0-9]+ rows have)/d' \
        -e '/^ +once, before the samples/d' |
        sed -E -e '/^(\$ duel|\[exit)/b' -e 's/[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/#/g' \
            -e 's/# ?(ns|µs|ms|s|KiB|MiB|GiB|MB|GB)\b/# <unit>/g' -e 's/#([,-]#)+/#/g' -e 's/ +/ /g; s/ $//; /^$/d'
}
# Facts of a CPU differ from machine to machine.
without_facts() { grep -vE '^    [a-z0-9_]+ ' | mask; }
# Where the line through so few sizes leads, and what cannot be told for that reason.
without_fit() { mask | sed -E '/^ host pageable: /,/^Results/{/^Results/!d}; s/^( host pageable # [^ ]+) .*/\1/'; }
# Which levels of memory there are, and what was left unknown.
without_levels() {
    sed -nE '/^(\$|cpu|Results|\[| *(multiply-adds|fp32|memory level|implementation|cpu\/gemm)\b)/p' | mask
}
# Topics and titles alone: whether a check is good is the machine's affair.
titles() { sed -E '/^What to do/,$d; s/^(.{13})(good|warn|BAD|unknown) */\1/' | cut -c1-30 | mask; }

golden_filter=mask
if [ -e "${duel%/bin/duel}/lib/duel-emulated.so" ]; then
    golden run-emulated run gpu/gemm/naive --device emulated --n 16 --no-plots --out "$scratch/run"
    golden verify-emulated verify gpu/gemm/naive --device emulated --precision fp32
else
    skip "the emulated GPU" "this build has none"
fi

mkdir "$scratch/none" && export DUEL_PLUGIN_DIR=$scratch/none
golden run-cpu run cpu/gemm/serial --n 16 --samples 20 --precision fp32 --no-plots --out "$scratch/run"
golden run-several run cpu/axpy/serial cpu/gemm/serial --n 16 --samples 20 --precision fp32 --no-plots \
    --out "$scratch/run"
golden verify-cpu verify cpu/gemm/serial --precision fp32
golden selftest-some selftest timer_step timer_cost accepts
golden_filter=without_fit
golden transfer-cpu transfer --device cpu --bytes 4K:16K:x2 --no-plots --out "$scratch/run"
golden_filter=without_facts
golden devices-cpu devices
golden_filter=without_levels
golden roofline-cpu roofline cpu/gemm/serial --n 32 --threads 1 --precision fp32 --budget 20s --no-plots \
    --out "$scratch/run"
golden_filter=titles
golden doctor-titles doctor
done_testing
