#!/usr/bin/env bash
# Without clang: the emulated GPU is built with g++ and gives the same answers. Time limit: 300 s
cd "$(dirname "$0")/../.." && . tests/build/lib.sh

build_without clang
contains "the report says which compiler is used instead" "$(grep '✓ emulated' "$log")" "g++"
still_right 'gpu/gemm/*' --device emulated
done_testing
