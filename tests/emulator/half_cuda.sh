#!/usr/bin/env bash
# Compares the emulated GPU's half precision, bit for bit, with the host conversions of CUDA's own cuda_fp16.h. Skipped
# where CUDA's headers or a C++ compiler are missing.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

for compiler in "${CXX:-}" c++ g++ clang++; do
    [ -n "$compiler" ] && command -v "$compiler" >/dev/null && break
    compiler=
done
cat >"$work/headers.cc" <<<'#include <cuda_fp16.h>'
include=
toolkit=$(dirname "$(command -v nvcc || echo /nowhere/bin/nvcc)")/..
for directory in /usr/include "${CUDA_HOME:-/nowhere}/include" "$toolkit/include"; do
    [ -n "$compiler" ] &&
        "$compiler" -std=c++17 -w -idirafter "$directory" -fsyntax-only "$work/headers.cc" 2>/dev/null &&
        include=$directory && break
done
if [ -z "$include" ]; then
    echo '1..0 # SKIP no cuda_fp16.h, or no C++ compiler that takes it'
    exit 0
fi

cat >"$work/compare.cc" <<'CODE'
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

#include "gpu/emulator/include/emulated/half_bits.h"

static unsigned short bits_of(__half value)
{
    unsigned short bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void report(int number, unsigned long long wrong, unsigned long long compared, const char *what)
{
    printf("%sok %d - %s: %llu of %llu differ\n", wrong || !compared ? "not " : "", number, what, wrong, compared);
}

int main()
{
    unsigned long long wrong[3] = {}, compared[3] = {};
    for (unsigned int i = 0; i < 0x10000; i++, compared[0]++) {
        const unsigned short bits = static_cast<unsigned short>(i);
        __half value;
        memcpy(&value, &bits, sizeof value);
        const float theirs = __half2float(value), ours = emulated::half_to_float(bits);
        wrong[0] += memcmp(&theirs, &ours, sizeof ours) != 0;
    }
    for (unsigned long long i = 0; i < 1ULL << 32; i += 397, compared[1]++) {
        const unsigned int bits = static_cast<unsigned int>(i);
        float value;
        memcpy(&value, &bits, sizeof value);
        wrong[1] += bits_of(__float2half_rn(value)) != emulated::half_from_double(value);
    }
    unsigned long long state = 88172645463325252ULL;
    for (int i = 0; i < 5000000; i++, compared[2]++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        /* Exponents from below the smallest half to above the largest. */
        unsigned long long bits = (state & 0x800fffffffffffffULL) | (1023 - 28 + (state >> 52) % 48) << 52;
        if (i % 3 == 0)
            bits &= ~0x3ffffffffffULL; /* many exact ties */
        double value;
        memcpy(&value, &bits, sizeof value);
        wrong[2] += bits_of(__double2half(value)) != emulated::half_from_double(value);
    }
    report(1, wrong[0], compared[0], "half to float");
    report(2, wrong[1], compared[1], "float to half");
    report(3, wrong[2], compared[2], "double to half");
    puts("1..3");
    return wrong[0] || wrong[1] || wrong[2];
}
CODE
if ! "$compiler" -std=c++17 -O2 -w -idirafter "$include" -I. "$work/compare.cc" -o "$work/compare"; then
    echo 'not ok 1 - the comparison compiles'
    echo 1..1
    exit 1
fi
"$work/compare"
