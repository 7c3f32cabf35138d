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

/* The best one that this processor has: never NULL. */
const struct cpu_isa *cpu_isa_best(void);
/* The one to use: the best, or the one that DUEL_ISA names. NULL with *why filled when that one is not here. */
const struct cpu_isa *cpu_isa_chosen(struct duel_why *why);

#endif
