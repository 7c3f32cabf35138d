#!/usr/bin/env bash
# duel train: the loss falls, the same on the CPU and on the emulated GPU; what cannot be learnt from is refused.
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

if ! command -v python3 >/dev/null; then
    skip "training runs" "python3 is not here to make a data set"
    done_testing
    exit
fi
scripts/make-digits "$scratch/digits.npy" 400 7 2>/dev/null
digits=$scratch/digits.npy

run train --input "$digits" --epochs 15 --seed 3
same "training on the CPU ends with 0" 0 "$status"
contains "and says that the loss fell" "$out" "The loss fell in every row"
first=$(awk '$1 == "0" && NF > 1 { print $2 }' <<<"$out") last=$(awk '$1 == "15" { print $2 }' <<<"$out")
check "from $first to less than half, $last" awk "BEGIN { exit !($last < $first / 2) }"
right=$(awk '$1 == "right" { print int($2) }' <<<"$out")
check "and most of the other samples are right: $right %" test "$right" -gt 60

run train --input "$digits" cpu/mlp_train/serial --epochs 15 --seed 3
again=$(awk '$1 == "15" { print $2 }' <<<"$out")
same "the same seed gives the same curve" "$last" "$again"
run train --input "$digits" cpu/mlp_train/serial --epochs 1 --seed 4
differs=$(awk '$1 == "0" && NF > 1 { print $2 }' <<<"$out")
check "another seed begins elsewhere" test "$differs" != "$first"

if [ -f "${BUILD:-build}/lib/duel-emulated.so" ]; then
    run train --input "$digits" --epochs 2 --device all --quiet
    same "the CPU and the emulated GPU together end with 0" 0 "$status"
    contains "with a row for Tensor Cores" "$out" "tensor_fp16 fp16 on emulated"
    apart=$(awk '$1 == "2" { for (i = 3; i <= NF; i++) { d = $i - $2; if (d < 0) d = -d; if (d > most) most = d } }
        END { print most + 0 }' <<<"$out")
    check "and their losses are $apart apart, less than 0.01" awk "BEGIN { exit !($apart < 0.01) }"
else
    skip "the CPU and the emulated GPU together" "the emulated GPU was not built"
fi

# spoil ROW COLUMN VALUE: a copy of the digits with another number there.
spoil() {
    python3 - "$digits" "$scratch/bad.npy" "$@" <<'END'
import struct
import sys
data = bytearray(open(sys.argv[1], "rb").read())
start = 10 + struct.unpack_from("<H", data, 8)[0]
struct.pack_into("<f", data, start + 4 * (65 * int(sys.argv[3]) + int(sys.argv[4])), float(sys.argv[5]))
open(sys.argv[2], "wb").write(data)
END
}
spoil 17 3 nan
refuses 2 'holds nan in row 17, column 3|why:|next:' train --input "$scratch/bad.npy"
spoil 17 3 inf
refuses 2 'holds inf in row 17, column 3' train --input "$scratch/bad.npy"
spoil 5 64 2.5
refuses 2 'the label 2.5 in row 5, column 64|why:|next:' train --input "$scratch/bad.npy"
spoil 5 64 -1
refuses 2 'the label -1 in row 5' train --input "$scratch/bad.npy"
refuses 2 'not one --input|why:|next:' train
refuses 2 'cannot be opened' train --input "$scratch/none.npy"
refuses 2 'other work|why:|next:' train --input "$digits" cpu/gemm/serial
refuses 2 'not two numbers' train --input "$digits" --shape 32
DUEL_PLUGIN_DIR=$scratch refuses 77 'why:|next:' train --input "$digits" --device cuda
done_testing
