/* vector.h: how wide the vectors are that this program was compiled for (ARCH_FLAGS). Kernels that must choose when the
 * program runs are compiled several times instead: cpu/gemm/micro/. */
#ifndef DUEL_CPU_VECTOR_H
#define DUEL_CPU_VECTOR_H

#if defined __AVX512F__
#define CPU_VECTOR_BYTES 64
#elif defined __AVX__
#define CPU_VECTOR_BYTES 32
#else
#define CPU_VECTOR_BYTES 16 /* SSE2 of every x86-64, NEON of every aarch64 */
#endif

/* A vector of `real` at an address that only suits its elements. may_alias: it reads memory of type real. */
#define CPU_VECTOR(real) real __attribute__((vector_size(CPU_VECTOR_BYTES), aligned(sizeof(real)), may_alias))

#endif
