/* isa.h: the instruction sets that vector code of this program is compiled for, and which of them runs here. */
#ifndef DUEL_CPU_ISA_H
#define DUEL_CPU_ISA_H

#include "bench/duel.h"

/* In the environment: a lesser set than the best one, to see what a step is worth or to test the code for it. */
#define CPU_ISA_VARIABLE "DUEL_ISA"

struct cpu_isa {
    const char *name;   /* "avx512", "avx2" (with FMA), "sse2", "neon" or "generic" */
    int vector_bytes;   /* of one vector */
    bool (*here)(void); /* does this processor, under this operating system, have it? */
};

/* X(isa) for each set that kernels are compiled for here (scripts/build/isa.mk), the best one first. */
#if defined __x86_64__
#define CPU_ISA_EACH(X) X(avx512) X(avx2) X(sse2)
#elif defined __aarch64__
#define CPU_ISA_EACH(X) X(neon)
#else
#define CPU_ISA_EACH(X) X(generic) /* vectors of GCC and Clang exist everywhere, if only as single elements */
#endif

/* The best one that this processor has: never NULL. */
const struct cpu_isa *cpu_isa_best(void);
/* The one to use: the best, or the one that DUEL_ISA names. NULL with *why filled when that one is not here. */
const struct cpu_isa *cpu_isa_chosen(struct duel_why *why);
/* Its place in CPU_ISA_EACH: a number for tables of kernels. -1 with *why filled when there is none. */
int cpu_isa_place(struct duel_why *why);

#endif
