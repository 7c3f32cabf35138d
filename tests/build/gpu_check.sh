#!/usr/bin/env bash
# scripts/gpu-check without a GPU says so; with stand-ins for nvidia-smi, make and duel it runs all steps, keeps what
# each said, goes on after one that fails, and tells the shares of the library from the run's own rows.
cd "$(dirname "$0")/../.." && . tests/tap.sh

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir -p "$work/none" "$work/some" "$work/build/bin"
# script NAME TEXT: a stand-in.
script() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }

script "$work/none/nvidia-smi" 'echo "NVIDIA-SMI has failed" >&2; exit 9'
output=$(PATH=$work/none:$PATH scripts/gpu-check 2>&1)
same 'without a GPU the status is 77' 77 $?
contains 'and it says so' "$output" 'no usable GPU here' 'Nothing was checked'

# shellcheck disable=SC2016 # the stand-in's own variables
script "$work/some/nvidia-smi" 'case $1 in *gpu_name*|*=name) echo "NVIDIA Test 9000";; *compute_cap) echo 9.0;; esac'
script "$work/some/make" 'echo "make $*"'
script "$work/some/compute-sanitizer" 'echo "sanitizer $*"'
# shellcheck disable=SC2016 # the stand-in's own variables
script "$work/build/bin/duel" 'echo "duel $*"
case $1 in
transfer) exit 6 ;;
run) while [ "$1" != --out ]; do shift; done
    echo implementation,device,status,reason,m,n,k,precision,gflops >"$2/run.csv"
    echo gpu/gemm/pipelined,cuda:0,ok,,4096,4096,4096,fp32,46000 >>"$2/run.csv"
    echo gpu/gemm/pipelined,cuda:0,ok,,1024,1024,1024,fp32,1 >>"$2/run.csv"
    echo gpu/gemm/cublas,cuda:0,ok,,4096,4096,4096,fp32,50000 >>"$2/run.csv"
    echo gpu/gemm/mma_fp16,cuda:0,ok,,4096,4096,4096,fp16,250000 >>"$2/run.csv"
    echo gpu/gemm/cublas_fp16,cuda:0,ok,,4096,4096,4096,fp16,500000 >>"$2/run.csv"
    echo gpu/gemm/cublas_bf16,cuda:0,failed,wrong,4096,4096,4096,bf16,1 >>"$2/run.csv" ;;
esac'
output=$(PATH=$work/some:$PATH BUILD=$work/build scripts/gpu-check --out "$work/out" 2>&1)
same 'a step that fails makes the status 1' 1 $?
contains 'the failed step is named, and why' "$output" 'FAILED with status 6' 'not as it should be: transfer'
contains 'all others ran' "$(cat "$work"/out/logs/*.txt)" 'make -j' 'duel devices' 'duel verify gpu/*' \
    'duel run gpu/gemm/*' \
    'sanitizer --tool memcheck' 'sanitizer --tool racecheck' 'duel roofline' 'duel selftest'
contains 'the build is for this GPU' "$(cat "$work/out/logs/build.txt")" 'CUDA_ARCH=native'
summary=$(cat "$work/out/gpu-check.txt")
contains 'shares come from the largest size that both have' "$summary" '92.0 % of gpu/gemm/cublas (fp32, n = 4096)'
contains 'what stays below expectation is told' "$summary" \
    '50.0 % of gpu/gemm/cublas_fp16 (fp16, n = 4096): below the expected 60 %'
contains 'what failed is not measured' "$summary" 'gpu/gemm/mma_bf16 beside gpu/gemm/cublas_bf16, bf16: not measured'
contains 'the limit of mma.sync is told on such cards' "$summary" 'takes wgmma or tcgen05'
limits=$(sed -nE 's/^step [a-z]+ ([0-9]+) .*/\1/p' scripts/gpu-check)
check 'there are limits of steps' test "$(wc -l <<<"$limits")" -ge 8
check 'together they stay within 8 minutes' test $(($(paste -sd + <<<"$limits"))) -le 480
done_testing
