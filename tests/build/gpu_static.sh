#!/usr/bin/env bash
# The kernels' registers, shared memory, occupancy and instructions, for one architecture (`make check-gpu-static` looks
# at all of them), and that the check can fail: for a kernel that spills, one whose instructions are missing, and one
# that has changed unannounced. Skipped where nvcc is missing.
#
# Time limit: 600 s
cd "$(dirname "$0")/../.." && . tests/tap.sh

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
output=$(scripts/build/gpu-static --no-install 80 2>&1)
status=$?
if [ $status = 77 ]; then
    skip 'kernels are as gpu/static.csv says' "$output"
    done_testing
fi
check "kernels are as gpu/static.csv says
# $(tail -n 3 <<<"$output" | tr '\n' ' ')" test $status = 0

# A copy of the sources with one small workload of kernels that break a rule each.
mkdir -p "$work/gpu/bad" "$work/bench" "$work/scripts/build"
cp -r bench/duel.h bench/cards "$work/bench/"
cp gpu/*.cuh "$work/gpu/" && cp scripts/build/gpu-static "$work/scripts/build/"
kernel() {
    printf '/* %s\n *\n * PTX      %s\n */\n#include "gpu/kernel.cuh"\n%s\n' "$1" "$2" "$3" >"$work/gpu/bad/$1.cu"
}
kernel spills st.global 'extern "C" __global__ void __launch_bounds__(1024) spills(float *x)
{
    float sum[128];
    _Pragma("unroll") for (int i = 0; i < 128; i++) sum[i] = x[i * threadIdx.x];
    __syncthreads();
    _Pragma("unroll") for (int i = 0; i < 128; i++) x[i * threadIdx.x + i] = sum[127 - i] * sum[i];
}'
kernel lacks cp.async.cg 'extern "C" __global__ void __launch_bounds__(32) lacks(float *x) { *x = 1; }'
kernel changes st.global 'extern "C" __global__ void __launch_bounds__(64) changes(float *x) { *x = 1; }'
{
    head -n 1 gpu/static.csv
    echo "gpu/bad/changes,changes,80,64,99,0,1,2,3,registers,$(sed -n '2s/.*,//p' gpu/static.csv)"
} >"$work/gpu/static.csv"
cp "$work/gpu/static.csv" "$work/table"
output=$("$work/scripts/build/gpu-static" --no-install 80 2>&1)
same 'faults are failures' 1 $?
contains 'a spill is told with its bytes' "$output" 'gpu/bad/spills, sm_80' 'bytes of stack and spills'
contains 'an instruction that is missing is named' "$output" 'gpu/bad/lacks.cu, sm_80: no cp.async.cg in the PTX'
contains 'a change is shown as it was and as it is' "$output" \
    'was   gpu/bad/changes,changes,80,64,99' 'is    gpu/bad/changes' 'gpu-static --accept'
same 'and the table is left alone' "$(cat "$work/table")" "$(cat "$work/gpu/static.csv")"
rm "$work"/gpu/bad/{spills,lacks}.cu
check 'what is accepted' "$work/scripts/build/gpu-static" --no-install --accept 80
check 'is right from then on' "$work/scripts/build/gpu-static" --no-install 80
done_testing
