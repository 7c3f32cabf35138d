/* language.h: CUDA's words that are no C++. */
#ifndef EMULATED_LANGUAGE_H
#define EMULATED_LANGUAGE_H

#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

/* `#pragma unroll` is for GPUs: no word when the host's compiler does not obey. g++ does not know it at all and is told
 * by -Wno-unknown-pragmas, since it heeds no pragma about that. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* Where kernels are watched, the file says which functions are kernels, and which variables are shared arrays: some
 * are declared by functions that kernels call (kernel.cc). g++ ignores sections of what templates declare. */
#ifdef DUEL_HOOKED
#define __global__ __attribute__((section("duel_kernel")))
#define EMULATED_SHARED_ARRAY __attribute__((section("duel_shared")))
#else
#define __global__
#define EMULATED_SHARED_ARRAY
#endif

/* Blocks run one after another, so one static array serves them all. `used` keeps the compiler from concluding that an
 * array which nobody writes must be zero: the machine fills it with NaN behind the compiler's back (launch.cc). */
#ifdef __clang__
/* clang adds AddressSanitizer's red zones to the size of a symbol, and the machine would take them for the kernel's. */
#define __shared__ static __attribute__((used, no_sanitize("address"))) EMULATED_SHARED_ARRAY
#else
#define __shared__ static __attribute__((used))
#endif

/* Of functions in which threads meet: an optimiser may not give some of them a copy of the code that follows. */
#ifdef __clang__
#define EMULATED_MEETING __attribute__((convergent))
#else
#define EMULATED_MEETING
#endif

/* The call site, which messages name. As a default argument it is evaluated where the call stands. */
#define EMULATED_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

#endif
