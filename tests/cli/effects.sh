#!/usr/bin/env bash
# Options that contradict each other are refused; options that change nothing are told. Time limit: 60 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

serial=(cpu/gemm/serial --device cpu --n 8)

refuses 2 '--samples together with --min-samples|why:|next:' run "${serial[@]}" --samples 5 --min-samples 5
refuses 2 '--samples together with --min-time|why:|next:' run "${serial[@]}" --min-time=1s --samples 5
refuses 2 '--samples together with --target-ci|why:|next:' run "${serial[@]}" --samples 5 --target-ci 2%
refuses 2 '--no-plots together with --terminal|why:|next:' run "${serial[@]}" --terminal --no-plots
refuses 2 '--no-plots together with --terminal|why:|next:' transfer --terminal --no-plots
refuses 2 '--no-plots together with --terminal|why:|next:' roofline --terminal --no-plots
refuses 2 '--input together with --data|why:|next:' run --input a.npy b.npy --data zeros
refuses 2 '--output together with --sessions 2|why:|next:' run --input a.npy b.npy --output c.npy --sessions 2
refuses 2 '--min-time 5 s with --timeout 1 s|why:|next:' run "${serial[@]}" --min-time 5s --timeout 1s
refuses 2 '--min-time 5 s with --budget 2 s|why:|next:' run "${serial[@]}" --min-time 5s --budget 2s
refuses 2 '--min-time 5 s with --timeout 1 s|why:|next:' transfer --min-time 5s --timeout 1s
refuses 2 '--min-time 5 s with --timeout 1 s|why:|next:' roofline --min-time 5s --timeout 1s

# told WORDS ARGUMENT...: the plan is told all the same, and each of the words stands in a line of its own on stderr.
told() {
    local words word
    IFS='|' read -ra words <<<"$1"
    shift
    run run "$@" --dry-run
    same "duel run $* is done" 0 "$status"
    for word in "${words[@]}"; do contains "and told is '$word'" "$err" "$word"; done
    same "one line each" "${#words[@]}" "$(grep -c . <<<"$err")"
}
told '--precision bf16 gives no row' "${serial[@]}" --precision fp32,bf16
told '--threads has no effect: no selected' "${serial[@]}" --threads 3
told '--host-memory has no effect: no row|--reuse has no effect: no row' "${serial[@]}" \
    --host-memory overlapped --reuse 3
told '--host-memory has no effect' "${serial[@]}" --host-memory pinned
told '--order has no effect: no two rows' "${serial[@]}" --order abba
told 'given more than once is measured once' "${serial[@]}" --n 8 --shape 8x8x8
same "and there is one case of it" 1 "$(grep -c 'cpu/gemm/serial.*fp32' <<<"$out")"
told '--json has no effect: --dry-run|--csv has no effect|--out has no effect|--terminal has no effect' "${serial[@]}" \
    --json "$scratch/a" --csv "$scratch/b" --out "$scratch/c" --terminal
told '--open has no effect: --dry-run' "${serial[@]}" --open
run run "${serial[@]}" --dry-run --reuse 3 --quiet
same "--quiet leaves them out" "" "$err"
run run cpu/gemm/serial cpu/gemm/interchanged --device cpu --n 8 --order abba --precision fp32 --seed 3 --dry-run
same "what has an effect is not told" "" "$err"
run run "${serial[@]}" --min-time 8s --dry-run
contains "the time limit leaves room for --min-time" "$out" "16 s sampling per case"
run run "${serial[@]}" --reuse 3 --sessions 2 --samples 3 --no-plots --out "$scratch/sessions"
same "sessions tell it once" 1 "$(grep -c 'reuse has no effect' <<<"$err")"
run verify cpu/gemm/serial --device cpu --precision fp32,bf16 --threads 2
contains "duel verify tells as well" "$err" "--precision bf16 gives no row" "--threads has no effect"
if [ -e "${BUILD:-build}/lib/duel-emulated.so" ]; then
    told '--samples has no effect: no row of this run is timed|--cache has no effect' gpu/gemm/naive \
        --device emulated --n 8 --samples 5 --cache hot
else
    skip "the emulated GPU is never timed" "it is not built"
fi
done_testing
