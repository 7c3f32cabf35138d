#!/usr/bin/env bash
# Two files may have a kernel of the same name, as a kernel has that was copied from another one: each has the shared
# arrays of its own file only. Time limit: 120 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

build=${BUILD:-build}
if [ ! -e "$build/lib/duel-emulated-hooked.so" ]; then
    echo "1..0 # SKIP this build counts nothing: it needs clang"
    exit 0
fi
read -ra compile <"$build/gen/hooked.flags"
read -ra objects <"$build/gen/hooked.list"
mkdir -p "$scratch/lib"
sed 's/gpu_gemm_tiled/gpu_gemm_copied/' gpu/gemm/tiled.cu >"$scratch/copied.cu"
"${compile[@]}" -DDUEL_COUNTED -x c++ -c "$scratch/copied.cu" -o "$scratch/copied.o" &&
    "${compile[0]}" -shared "${objects[@]}" "$scratch/copied.o" -lpthread -o "$scratch/lib/duel-emulated-hooked.so"
DUEL_PLUGIN_DIR=$scratch/lib run trace gpu/gemm/tiled --n 32 --json -
same "a trace beside a copy: exit status" "$status" 0
check "two tiles of 32 x 32 floats are 8192 bytes" grep -qE '"shared_bytes": ?8192\b' <<<"$out"
done_testing
