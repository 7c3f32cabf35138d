#!/usr/bin/env bash
# The house has floors: a file includes only what stands below it. And the harness knows no CUDA, kernels no harness.
cd "$(dirname "$0")/../.." && . tests/tap.sh

# floor FOLDER-OF-BENCH-OR-FILE: its number; higher floors may include lower ones, a folder may include itself.
floor() {
    case $1 in
    duel.h | inspect.h | inspect_trace.h | inspect_gallery.h | options | stats) echo 0 ;;
    cards | matrix | telemetry) echo 1 ;;
    record) echo 2 ;;
    workload | registry | history) echo 3 ;;
    verify | report | judge | doctor) echo 4 ;;
    harness | trace | buyer | page) echo 5 ;;
    selftest | gallery) echo 6 ;;
    commands) echo 7 ;;
    main.c) echo 8 ;;
    *) echo unknown ;;
    esac
}

# "FILE INCLUDED" for every quoted include below the given folders.
includes() { grep -rnoE --include='*.[ch]' --include='*.cu*' --include='*.cc' '^ *# *include "[^"]+"' "$@" |
    sed -E 's/^([^:]+):[0-9]+: *# *include "([^"]+)"/\1 \2/'; }

upward=''
while read -r file included; do
    from=$(cut -d / -f 2 <<<"$file") to=$(cut -d / -f 2 <<<"$included")
    case $included in
    bench/*) ;;
    *) upward+="$file includes $included, which is not written from the top as bench/..."$'\n' && continue ;;
    esac
    [ "$from" = "$to" ] && continue
    from_floor=$(floor "$from") to_floor=$(floor "$to")
    if [ "$from_floor" = unknown ] || [ "$to_floor" = unknown ]; then
        upward+="$file includes $included: one of them stands on no floor of tests/style/floors.sh"$'\n'
    elif [[ $to =~ ^(duel|inspect(_trace|_gallery)?)\.h$ ]]; then
        continue
    elif [ "$to_floor" -ge "$from_floor" ]; then
        upward+="$file (floor $from_floor) includes $included (floor $to_floor)"$'\n'
    fi
done < <(includes bench)
nothing "bench/ includes only what stands below" "$upward"

kernels=$(includes cpu gpu | grep -vE ' bench/duel\.h$' |
    grep -vE '^gpu/[^ ]+ gpu/(kernel|vector|ptx|device/cu(blas(lt)?|dnn|solver)|gemm/mma(_tiles)?)\.cuh$' |
    grep -vE '^(gpu/[a-z]+/[a-z0-9]+)_[0-9]+x[0-9]+\.cu \1\.cu$' |
    grep -vE '^cpu/[a-z_]+\.[ch] cpu/(device|isa)\.h$' |
    grep -vE '^cpu/[a-z_]+/[a-z_]+\.c cpu/(openblas|team|vector)\.h$' |
    grep -vE '^cpu/[a-z0-9/_]+\.[ch] cpu/[a-z0-9_]+/micro/micro\.h$' |
    grep -vE '^cpu/[a-z0-9_]+/micro/[a-z]+\.c cpu/(device|isa)\.h$' |
    grep -vE '^cpu/[a-z_]+/[a-z_]+\.c cpu/(openblas|team|vector)\.h$' |
    grep -vE '^gpu/emulator/[^ ]+ bench/inspect(_trace)?\.h$' |
    grep -vE '^gpu/(device|emulator)/[^ ]+ (gpu/(device|emulator)/|[^b])')
nothing "cpu/ and gpu/ include only duel.h, the kernels' headers, and headers of their own device" "$kernels"

# Without comments and strings: "cuda" as the name of a device in a message or a table is data, not code.
cuda=''
while read -r file; do
    hits=$(gcc -fpreprocessed -dD -E -P "$file" 2>/dev/null | sed -E 's/"([^"\\]|\\.)*"//g' |
        grep -niE 'cuda|cublas|nvml')
    [ -z "$hits" ] || cuda+="$file: $hits"$'\n'
done < <(find bench -name '*.[ch]')
nothing "no code in bench/ names CUDA, cuBLAS or NVML" "$cuda"

# registry/trial.c ends a child process of its own.
exits=$(grep -rnE '\b(exit|_exit|abort|assert)\(' bench cpu gpu --include='*.[ch]' --include='*.cu' |
    grep -vE '^bench/(main|registry/trial)\.c:|static_assert|^[^:]*:[0-9]+: *(/?\*|//)')
nothing "only main.c ends the program, and nothing asserts on input" "$exits"

done_testing
