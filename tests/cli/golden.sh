#!/usr/bin/env bash
# What duel prints where no machine can make a difference: help, versions, lessons, refusals.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

# Without plug-ins every machine shows the same.
mkdir "$scratch/none" && export DUEL_PLUGIN_DIR=$scratch/none
golden help --help
golden version --version
for command in run verify list devices explain trace transfer roofline cards predict advise score \
    soak baseline compare gate import history; do
    golden "help-$command" "$command" --help
done
golden explain-serial explain cpu/gemm/serial
golden explain-interchanged explain cpu/gemm/interchanged
golden list-serial list cpu/gemm/serial
golden no-command
golden unknown-command rnu
golden unknown-option run --presicion fp32
golden unknown-implementation run cpu/gemm/serail
golden bad-size run --n 64,-1

same "-h is --help" "$("$duel" --help)" "$("$duel" -h)"
done_testing
