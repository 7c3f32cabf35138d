#!/usr/bin/env bash
# `duel cards`: which cards a condition leaves, in which order, with sources; the user's prices; and what is refused.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
names() { "$duel" cards --csv - "$@" | awk -F, 'NR > 1 { print $1 }' | paste -sd' '; }

same "all cards of the table" "$(tail -n +2 reports/gpu-specs.csv | wc -l)" \
    "$("$duel" cards --csv - | tail -n +2 | wc -l)"
same "a condition" "A10 A30 L4" "$(names --where 'memory_gb>=24 and tdp_w<=200 and not name~jetson and not name~A10G')"
same "highest first" "L4 A30 A10" "$(names --where 'memory_gb=24 and tdp_w<=200' --sort fp16/tdp_w)"
same "lowest first" "A10 A30 L4" "$(names --where 'memory_gb=24 and tdp_w<=200' --sort 'fp16/tdp_w asc')"
same "by name" "A10 A30 L4" "$(names --where 'memory_gb=24 and tdp_w<=200' --sort name)"
same "what is not known comes last" "T4" "$(names T4 A10 A30 --sort tf32 | awk '{ print $3 }')"
same "a whole name is no part of others" "A10" "$(names A10)"
same "PCIe, SXM and NVL are three cards" 3 "$("$duel" cards H100 --csv - | tail -n +2 | wc -l)"

run cards A10 'RTX 4090'
contains "the table has its sources, its grades and its warnings" "$out" "NVIDIA A10 datasheet" "grade" \
    "not what was measured" "AWS A10G is a different" "330" "sums in FP32" "dense"
same "the A10G has half the tensor rate of the A10" "125 70" \
    "$("$duel" cards A10 A10G --csv - | grep -E '^A10G?,' | cut -d, -f16 | paste -sd' ')"
run cards --where 'nvlink>0'
contains "cards with unknown values are counted" "$out" "left out because a value"

"$duel" cards --write-prices "$scratch/prices.csv"
same "the template has every card, and no price" 0 "$(tail -n +2 "$scratch/prices.csv" | grep -cv ',,,,$')"
refuses 2 "prices.csv|would be lost" cards --write-prices "$scratch/prices.csv"
refuses 2 "has no price" cards --prices "$scratch/prices.csv"
cat >"$scratch/own.csv" <<'CSV'
card,price,rent_per_hour,currency,date
A10,2000,,EUR,2026-11-01
L4,2500,0.5,EUR,2026-11-30
CSV
same "per euro" "A10 L4" "$(names A10 L4 --prices "$scratch/own.csv" --sort fp16/price --where 'price>0')"
run cards L4 --prices "$scratch/own.csv"
contains "prices have their dates" "$out" "2500" "EUR" "2026-11-30" "Prices are yours"

refuses 2 "no card of|memory_gb>=24 alone leaves|memory_gb<10 alone leaves" cards \
    --where 'memory_gb>=24 and memory_gb<10'
refuses 2 "memory_gb?|no such column" cards --where 'memory_gbb>3'
refuses 2 "RTX 4090" cards 'RTX 4900'
refuses 2 "asks for a price|--write-prices" cards --sort fp16/price
refuses 2 "both go to stdout" cards --json - --csv -
refuses 2 "cannot be read" cards --prices "$scratch/none.csv"
refuses 2 "--csv" cards --csv "$scratch/none/a.csv"
truncate -s 1G "$scratch/big.csv"
SECONDS=0
refuses 2 "longer than 1 MiB" cards --prices "$scratch/big.csv"
check "a file of 1 GiB is refused at once" test "$SECONDS" -lt 5
if python3 -c '' 2>/dev/null; then
    check "JSON holds the same" python3 - "$duel" <<'CODE'
import csv, io, json, subprocess, sys
out = lambda *more: subprocess.run([sys.argv[1], "cards", *more], capture_output=True, text=True, check=True).stdout
rows = list(csv.DictReader(io.StringIO(out("--csv", "-"))))
records = [json.loads(line) for line in out("--json", "-").splitlines()]
assert len(rows) == len(records)
for row, record in zip(rows, records):
    assert record["record"] == "card" and record["kind"] == "published"
    for name, cell in row.items():
        assert (name in record) == (cell != ""), (row["name"], name)
        if cell:
            assert record[name] == (float(cell) if isinstance(record[name], float) else cell), (row["name"], name)
CODE
fi
if python3 -c '' 2>/dev/null; then
    check "published shares are of the peaks of the table" python3 - <<'CODE'
import csv
cards = {row["name"]: row for row in csv.DictReader(open("reports/gpu-specs.csv"))}
rows = list(csv.DictReader(open("reports/published.csv")))
seen = 0
for row in rows:
    assert row["evidence"] in ("A", "A*", "B") and row["as_of"] and row["source"], row
    card, peak = cards.get(row["card"]), float(row["peak"])
    if not card or "clock locked" in row["note"] or row["unit"] == "%":
        continue
    kind = row["implementation"]
    wanted = {"gpu/gemm/cublas_*": lambda: float(card["fp16_tensor_tflops_dense"]),
              "gpu/gemm/cublas": lambda: float(card["fp32_tflops"]),
              "llm/decode": lambda: float(card["memory_bandwidth_gb_s"]) / 16.06,
              "llm/prefill": lambda: peak,
              "link/pcie3": lambda: 15.75, "link/pcie4": lambda: 31.5, "link/pcie5": lambda: 63}[kind]()
    assert abs(peak / wanted - 1) < 1e-3, (row["card"], kind, peak, wanted)
    seen += 1
assert seen >= 25, seen
CODE
fi
done_testing
