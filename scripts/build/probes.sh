# shellcheck shell=bash disable=SC2034,SC2154 # variables are shared with the script that sources this
# probes.sh: the questions that scripts/build/probe and scripts/setup ask this machine. Each compiles and links a tiny
# program and answers by its exit status; never by the name of a file or a package. Words in HIDE count as absent.
#
# Sourced. `work` must be an empty directory; CC names the C compiler. The compiler's last words are in $work/log.

read -ra cc <<<"${CC:-gcc}"

hidden() { [[ " ${HIDE:-} " == *" $1 "* ]]; }

# compiles LANGUAGE SOURCE COMMAND...: the command, with the source file and "-o PROGRAM" added, makes $work/a.out.
# Libraries come after the source: they are taken from the array `libs`.
libs=()
compiles() {
    local file=$work/probe.$1
    printf '%s\n' "$2" >"$file"
    shift 2
    "$@" "$file" -o "$work/a.out" "${libs[@]}" >"$work/log" 2>&1
}
first_error() { grep -m1 -iE 'error|not found|fatal|unsupported' "$work/log" || head -n1 "$work/log"; }

has_compiler() {
    libs=()
    compiles c $'#include <stdio.h>\nint main(void) { return puts("") < 0; }' "${cc[@]}" -std=c17
}

# Prints the first of the given C++ compilers that works.
cxx_that_works() {
    local candidate
    libs=()
    for candidate in "$@"; do
        [[ $candidate == *clang* ]] && hidden clang && continue
        compiles cc $'#include <vector>\nint main() { return !std::vector<int>().empty(); }' "$candidate" -std=c++17 ||
            continue
        echo "$candidate" && return
    done
    return 1
}

# Prints the first of the given compilers that can make every memory access of a file call us.
cxx_that_hooks() {
    local candidate
    libs=()
    for candidate in "$@"; do
        [[ $candidate == *clang* ]] && hidden clang && continue
        compiles cc 'static int calls;
extern "C" void __sanitizer_cov_trace_pc() {}
extern "C" void __sanitizer_cov_store4(const int *) { calls++; }
extern "C" void __sanitizer_cov_load4(const int *) { calls++; }
__attribute__((noinline)) static void kernel(int *x, const int *y) { *x = *y; }
int main(int count, char **) { int x, y = count; kernel(&x, &y); return x - count; }' "$candidate" -std=c++17 -O1 \
            -fsanitize-coverage=bb,no-prune,trace-pc,trace-loads,trace-stores || continue
        echo "$candidate" && return
    done
    return 1
}

has_jansson() {
    libs=(-ljansson)
    ! hidden jansson &&
        compiles c $'#include <jansson.h>\nint main(void) { json_decref(json_object()); return 0; }' "${cc[@]}"
}

has_openmp() {
    libs=()
    ! hidden openmp &&
        compiles c $'#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }' "${cc[@]}" -fopenmp
}

# Sets openblas_flags, openblas_libs, openblas_config and openblas_threading (2 OpenMP, 1 pthread, 0 serial) to the best
# build there is. The OpenMP build is asked for by its folder first: the plain name follows the system's alternatives,
# which may point to the pthread build today or tomorrow.
find_openblas() {
    local multiarch folder candidate answer program
    multiarch=$("${cc[@]}" -print-multiarch 2>/dev/null)
    [ -n "$multiarch" ] || multiarch=$("${cc[@]}" -dumpmachine 2>/dev/null)
    folder=/usr/lib/$multiarch/openblas-openmp
    program='#include <cblas.h>
#include <stdio.h>
int openblas_get_parallel(void);
char *openblas_get_config(void);
int main(void)
{
    double x = 1;
    return cblas_ddot(1, &x, 1, &x, 1) != 1 || printf("%d %s", openblas_get_parallel(), openblas_get_config()) < 0;
}'
    openblas_threading=-1
    hidden openblas && return 1
    for candidate in "-I/usr/include/$multiarch/openblas-openmp -L$folder -Wl,-rpath,$folder -lopenblas" "-lopenblas" \
        "-I/usr/include/openblas -lopenblaso" "-I/usr/include/openblas -lopenblas"; do
        read -ra libs <<<"$candidate"
        compiles c "$program" "${cc[@]}" "${libs[@]}" || continue
        answer=$("$work/a.out" 2>/dev/null) || continue
        if [ "${answer%% *}" -gt "$openblas_threading" ]; then
            openblas_threading=${answer%% *} openblas_config=${answer#* }
            openblas_flags=$(grep -oE -- '-I[^ ]+' <<<"$candidate")
            openblas_libs=${candidate#-I* }
        fi
        [ "$openblas_threading" = 2 ] && break
    done
    [ "$openblas_threading" -ge 0 ]
}

# Sets blis_flags and blis_libs. The OpenMP build first, as with OpenBLAS: one team for all that is compared.
find_blis() {
    local multiarch folder candidate program
    multiarch=$("${cc[@]}" -print-multiarch 2>/dev/null)
    folder=/usr/lib/$multiarch/blis-openmp
    program=$'#include <blis.h>\nint main(void) { return bli_info_get_enable_openmp() < 0; }'
    hidden blis && return 1
    for candidate in "-isystem /usr/include/$multiarch/blis-openmp -L$folder -Wl,-rpath,$folder -lblis -lm" \
        "-isystem /usr/include/blis -lblis -lm" "-isystem /usr/local/include/blis -lblis -lm" "-lblis -lm"; do
        read -ra libs <<<"$candidate"
        compiles c "$program" "${cc[@]}" || continue
        blis_flags=$(grep -oE -- '-isystem [^ ]+' <<<"$candidate")
        blis_libs=${candidate#-isystem * }
        return 0
    done
    return 1
}

# Version 2 or newer: the first one described caches and memory in other words.
has_hwloc() {
    libs=(-lhwloc)
    ! hidden hwloc && compiles c '#include <hwloc.h>
#if HWLOC_API_VERSION < 0x00020000
#error hwloc is older than 2.0
#endif
int main(void)
{
    hwloc_topology_t topology;
    return hwloc_topology_init(&topology) || !hwloc_obj_type_is_dcache(HWLOC_OBJ_L1CACHE);
}' "${cc[@]}"
}

# Version 1.6 or newer: older ones have no limits for what a file may make them allocate.
has_png() {
    libs=(-lpng)
    ! hidden libpng && compiles c '#include <png.h>
#if PNG_LIBPNG_VER < 10600
#error libpng is older than 1.6
#endif
int main(void) { return png_access_version_number() == 0; }' "${cc[@]}"
}

# The history: SQLite from 3.37 on, which knows sqlite_schema and strict settings, and zlib.
has_history() {
    libs=(-lsqlite3 -lz)
    ! hidden sqlite && compiles c '#include <sqlite3.h>
#include <zlib.h>
#if SQLITE_VERSION_NUMBER < 3037000
#error SQLite is older than 3.37
#endif
int main(void) { return sqlite3_libversion_number() < 3037000 || !zlibVersion(); }' "${cc[@]}" && "$work/a.out"
}

has_cmocka() {
    libs=(-lcmocka)
    ! hidden cmocka && compiles c '#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
int main(void) { return _cmocka_run_group_tests("probe", NULL, 0, NULL, NULL) < 0; }' "${cc[@]}"
}

has_gnuplot() { ! hidden gnuplot && gnuplot -e 'set terminal pngcairo' >"$work/log" 2>&1; }

# Prints the first of the given CUDA compilers that works; $work/nvcc keeps what a broken one said.
nvcc_that_works() {
    local candidate
    libs=()
    hidden nvcc && return 1
    for candidate in "$@"; do
        compiles cu '__global__ void probe() {}
int main() { probe<<<1, 1>>>(); return (int)cudaGetLastError(); }' "$candidate" -cudart static &&
            echo "$candidate" && return
        command -v "$candidate" >/dev/null && echo "$candidate says: $(first_error)" >"$work/nvcc"
    done
    return 1
}

has_cublas() {
    libs=()
    ! hidden cublas && compiles cu $'#include <cublas_v2.h>\nint main() { return sizeof(cublasHandle_t) == 0; }' "$1"
}

has_cudnn() {
    libs=()
    ! hidden cudnn && compiles cu $'#include <cudnn.h>\nint main() { return sizeof(cudnnHandle_t) == 0; }' "$1"
}
