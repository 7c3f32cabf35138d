#!/usr/bin/env bash
# duel run cholesky --input A.npy: a matrix that has a factor, and those that have none: each is told, none "verified".
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

command -v python3 >/dev/null || {
    skip "the user's own matrix" "python3 is not here to make one"
    done_testing
    exit
}

# matrix FILE EXPRESSION: n = 30, element (i, j) in FP64.
matrix() {
    python3 - "$scratch/$1.npy" "$2" <<'END'
import struct
import sys
rows = [[float(eval(sys.argv[2], {"i": i, "j": j})) for j in range(30)] for i in range(30)]
header = "{'descr': '<f8', 'fortran_order': False, 'shape': (30, 30), }"
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for row in rows:
        file.write(struct.pack("<30d", *row))
END
}
own() { run run "$1" --input "$scratch/$2.npy" --no-plots --quiet --out "$scratch/out" --timeout 0.1s "${@:3}"; }

matrix good '10 if i == j else 1 / (1 + i + j)'
own cholesky good --device cpu --output "$scratch/L.npy"
same "a matrix with a factor is factored" 0 "$status"
check "and the factor is kept" test -s "$scratch/L.npy"
matrix hilbert '1 / (1 + i + j) + (1e-9 if i == j else 0)'
own cholesky hilbert --device cpu --precision fp64
same "one that is nearly singular too, in fp64" 0 "$status"

matrix not '-1 if i == j == 12 else 10 if i == j else 1 / (1 + i + j)'
own cholesky not --device cpu --precision fp32,fp64
same "one that is not positive definite ends with 2" 2 "$status"
told=$(grep -c "info = 13" "$scratch/out/run.csv")
rows=$(grep -c "cpu/cholesky/" "$scratch/out/run.csv")
same "every one of $rows rows says LAPACK's info" "$rows" "$told"
check "and there are two at least" test "$rows" -ge 2
if [ -f "${BUILD:-build}/lib/duel-emulated.so" ]; then
    own 'cholesky' not --device emulated
    same "the same on the emulated GPU" "2 2" "$status $(grep -c 'emulated.*info = 13' "$scratch/out/run.csv")"
else
    skip "the same on the emulated GPU" "it was not built"
fi

matrix asymmetric '7 if (i, j) == (3, 4) else 10 if i == j else 0'
refuses 2 'not symmetric: (4, 3) is 0 and (3, 4) is 7|why:|next:' run cholesky --input "$scratch/asymmetric.npy"
matrix nan 'float("nan") if i == j == 3 else 10 if i == j else 0'
refuses 2 'holds nan at row 3, column 3|why:|next:' run cholesky --input "$scratch/nan.npy"
refuses 2 'one matrix is factored' run cholesky --input "$scratch/good.npy" "$scratch/good.npy"
refuses 2 'a product needs two matrices' run gemm --input "$scratch/good.npy"
refuses 2 'mlp_train takes no --input|duel train' run mlp_train --input "$scratch/good.npy"
refuses 2 'one workload' run gemm cholesky --input "$scratch/good.npy" "$scratch/good.npy"
done_testing
