#!/usr/bin/env bash
# `duel predict`, `duel advise` and `duel score`: what they say, that nothing predicted looks measured, and what they
# refuse.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
recorded=$PWD/reports/recorded/amd-epyc-2-cpus
workloads=$(sed -nE 's/^const struct duel_workload ([a-z0-9_]+)_workload = .*/\1/p' bench/workload/*.c | sort |
    paste -sd' ')
cd "$scratch" || exit 1
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }'; }

# ---- predict ----
run predict gemm --n 4096 --precision fp32,fp16 --card 'RTX 4090,H100 SXM5 80GB' --card L4
contains "predictions say what they are" "$out" "predicted, not measured" "RTX 4090" "H100 SXM5" "L4" "cublas_fp16" \
    "published measurements" "95 % bar" "n = 4096" "no program is"
run predict gemm --n 2048,4096,8192 --precision fp32,fp16 --card 'RTX 4090,H100 SXM5 80GB,RTX PRO 6000 Blackwell WS'
same "one table for each type, whatever the sizes" 2 "$(grep -c 'predicted, not measured' <<<"$out")"
same "with all cards and sizes below each other" 18 "$(grep -c '^  n = ' <<<"$out")"
same "within 100 columns" "" "$(awk 'length($0) > 100' <<<"$out")"
same "a basis stands there once" 1 "$(grep -c '^  \[.*gpu/gemm/cublas_fp16: ' <<<"$out")"
table=$("$duel" predict gemm axpy --n 8192 --precision fp16 --card 'L4' --csv -)
same "every row is predicted" predicted "$(column kind <<<"$table" | sort -u)"
same "the bound is arithmetic over rate (2 x 8192^3 / 121 TFLOP/s)" 0.00908 \
    "$(column bound_kernel_s <<<"$table" | tail -1 | cut -c1-7)"
same "what nobody measured has no prediction" "" "$(column predicted_kernel_s <<<"$table" | head -1)"
contains "and says so" "$table" "uncalibrated"
"$duel" predict --card A10 --csv - >"$scratch/all.csv"
same "without a name: every workload" "$workloads" "$(column workload <"$scratch/all.csv" | sort -u | paste -sd' ')"
refuses 2 "no card" predict gemm
refuses 2 "RTX 4090" predict gemm --card 'RTX 4900'
refuses 2 "3 cards" predict gemm --card H100
refuses 2 "0 cards" predict gemm --card 'L4,'
refuses 2 "gemm" predict gem --card L4
refuses 2 "extent of 0" predict gemm --shape 8x8x0 --card L4
refuses 2 "neither a workload nor a run file" predict "$scratch/none.jsonl" --card L4
echo '{"record":"run"' >"$scratch/broken.jsonl"
refuses 2 "broken.jsonl" predict gemm "$scratch/broken.jsonl" --card L4
refuses 2 "both go to stdout" predict gemm --card L4 --csv - --json -

# ---- advise: a language model ----
run advise --model 8B --quant q4 --context 8k --no-plots
contains "a model" "$out" "8B" "Q4_K_M" "weights 4.92 GB" "KV cache of 8192 tokens x 1 text 1.07 GB" "H100 NVL" \
    "bound: uncalibrated" "CPU only" "Assumed:" "No prices" "more: --where and --card"
same "no more candidates than a screen holds" 12 \
    "$(grep -cE ' (bound|predicted|measured|unknown) \[[0-9]+\]$' <<<"$out")"
same "a reason stands there once" 1 "$(grep -c 'only FP16 weights were measured' <<<"$out")"
same "no power of ten among the numbers" 0 "$(grep -cE '[0-9]e[+-][0-9]' <<<"$out")"
run advise --model 70B --quant q4 --context 4k --card 'RTX 4090,RTX 4060' --no-plots
contains "several cards are capacity alone, and crossings are shown" "$out" "2 x RTX 4090" "capacity alone" \
    "each token crosses 1 link" "7 x RTX 4060"
table=$("$duel" advise --model 8B --context 512 --card 'RTX 4090' --no-plots --csv -)
same "FP16 on a card like those measured is predicted" predicted "$(column kind <<<"$table" | head -1)"
cat >"$scratch/prices.csv" <<'CSV'
card,price,rent_per_hour,currency,date
RTX 4090,2190,0.5,EUR,2026-11-01
L4,2500,0.0001,EUR,2026-11-30
CSV
table=$("$duel" advise --model 8B --context 512 --card 'RTX 4090,L4' --no-plots --csv - --json "$scratch/advice.json" \
    --prices "$scratch/prices.csv" --electricity 0.4 --hours 2 --years 3)
same "the cheapest comes first, and the CPU last" "L4 RTX 4090 CPU only" \
    "$(column candidate <<<"$table" | paste -sd' ')"
table=$(grep -E '^(candidate|RTX 4090),' <<<"$table")
# 2190 EUR over 3 x 365 x 2 h is 1 EUR an hour; 450 W at 0.40 EUR are 0.18. 2190 / (0.5 - 0.18) h.
same "rent or buy" "6843.75" "$(column break_even_hours <<<"$table" | head -1 | cut -c1-7)"
check "costs follow from the speed" awk -v cost="$(column own_cost <<<"$table" | head -1)" \
    -v speed="$(column results_per_s <<<"$table" | head -1)" \
    'BEGIN { want = 1.18 * 1e6 / speed / 3600; exit !(cost > want * 0.999 && cost < want * 1.001) }'
contains "rent below the price of electricity never pays to avoid" "$(cat "$scratch/advice.json")" "never: an hour"

# ---- advise: a workload ----
run advise --workload gemm --n 128 --runs-per-day 1000 --no-plots --card T4 "$recorded"
contains "few runs need no GPU" "$out" "measured: cpu/gemm/" "for that alone you do not need" "would be copies"
sed 's/"kernel_median_s":[^,]*/"kernel_median_s":1e-06/; /"n":128,/!{/"result"/d}' "$recorded/run.jsonl" \
    >"$scratch/fast.jsonl"
run advise --workload gemm --n 128 --no-plots --card T4 "$scratch/fast.jsonl"
contains "nor does work that copies would slow down" "$out" "You do not need a GPU for this" "% of the time" \
    "would be copies" "this CPU"
run advise gemm --n 8192 --no-plots "$recorded"
contains "large work is faster on a card" "$out" "times as fast as this CPU" "CPU only: AMD EPYC" \
    "at the rate that it had at n = 2048"
run advise gemm --n 200000 --card 'RTX 4060' --no-plots "$recorded"
contains "what does not fit is said" "$out" "do not fit" "No card of these"
run advise axpy --n 1000000 --no-plots
contains "a CPU that nobody measured is unknown" "$out" "unknown: no run file has this workload"
if command -v gnuplot >/dev/null; then
    run advise gemm --n 4096 "$recorded" --prices "$scratch/prices.csv" --out "$scratch/advice"
    check "the picture of cost and speed is drawn" test -s "$scratch/advice/plots/pareto.png"
    contains "and says that it is predicted" "$(cat "$scratch/advice/plots/pareto.svg")" "predicted" "RTX 4090" \
        "EUR for 1000 runs"
else
    skip "the picture of cost and speed" "no gnuplot"
fi
refuses 2 "9B|8B" advise --model 9B
refuses 2 "-8B" advise --model -8B
refuses 2 "" advise --model ''
refuses 2 "--hours 0" advise --model 8B --hours 0
refuses 2 "--years 0" advise --model 8B --years 0
refuses 2 "--context" advise --model 8B --context 0
refuses 2 "--context" advise --model 8B --context 1x
refuses 2 "--batch 0" advise --model 8B --batch 0
refuses 2 "--electricity -1" advise --model 8B --electricity -1
refuses 2 "--quant q7" advise --model 8B --quant q7
refuses 2 "0 pieces" advise
refuses 2 "2 pieces" advise gemm --model 8B
refuses 2 "0 sizes" advise gemm
refuses 2 "2 sizes" advise gemm --n 64,128
refuses 2 "--quant without --model" advise gemm --n 64 --quant q4
refuses 2 "--n together with --model" advise --model 8B --n 64
refuses 2 "no card of" advise --model 8B --where 'memory_gb>1000'
refuses 2 "3 cards" advise --model 8B --card H100

# ---- score ----
run score "$recorded"
contains "a scorecard" "$out" "AMD EPYC" "cpu/gemm/openblas" "burst" "sustained" "Measured." "[1]"
same "several files are one table" 2 "$("$duel" score "$recorded" "$recorded/run.jsonl" --csv - | tail -n +2 | wc -l)"
refuses 2 "no run file" score
refuses 2 "cannot be opened" score "$scratch/none"
refuses 2 "no row with a time" score <(head -3 "$recorded/run.jsonl")
done_testing
