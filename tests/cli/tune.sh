#!/usr/bin/env bash
# --tune needs a device with times; tile shapes are named, verified and kept out of ordinary runs. Time limit: 60 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
export XDG_CACHE_HOME=$scratch/cache

run run gpu/gemm/warptiled --tune --device cpu --n 64 --dry-run
same "--tune on the CPU is refused" 2 "$status"
run run cpu/gemm/serial --tune --n 64 --dry-run
same "--tune without tile shapes has nothing to do" 77 "$status"
contains "and says so" "$err" "has nothing to time"

if [ -e "${BUILD:-build}/lib/duel-emulated.so" ]; then
    run run gpu/gemm/warptiled --tune --device emulated --n 64
    same "the emulated GPU has nothing to time" 77 "$status"
    contains "and says so" "$err" "has nothing to time" "the emulated GPU has no times" "--device cuda"
    check "and nothing is remembered" test ! -e "$scratch/cache"
    run run gpu/gemm/warptiled gpu/gemm/block2d --device emulated --n 64 --dry-run
    same "an ordinary run has no tile shapes" 0 "$(grep -c _64x <<<"$out$err")"
    run verify 'gpu/gemm/warptiled_*x*' --device emulated --quiet
    same "a shape is verified by its name" 0 "$status"
    mkdir -p "$scratch/cache/duel" && echo '{' >"$scratch/cache/duel/tiles.json"
    run run gpu/gemm/warptiled --device emulated --n 64 --dry-run
    contains "a damaged file is told" "$err" "tiles.json is damaged" "their own tile shapes"
fi
done_testing
