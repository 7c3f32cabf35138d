/* isa.c: which vector instructions this processor has. The program is compiled for the machine that builds it, its
 * vector kernels for each of these sets: the same file then shows what a set is worth. */
#include "cpu/isa.h"

#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
/* The compiler's own question asks the operating system too: without its help wide registers are lost at a switch. */
static bool avx512_here(void)
{
    return __builtin_cpu_supports("avx512f");
}

static bool avx2_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* SSE2 belongs to every x86-64, NEON to every aarch64. */
static bool sse2_here(void)
{
    return true;
}
#elif defined __aarch64__
static bool neon_here(void)
{
    return true;
}
#else
static bool generic_here(void)
{
    return true;
}
#endif

enum { avx512_bytes = 64, avx2_bytes = 32, sse2_bytes = 16, neon_bytes = 16, generic_bytes = 16 };
#define ENTRY(isa) {#isa, isa##_bytes, isa##_here},
static const struct cpu_isa isa_table[] = {CPU_ISA_EACH(ENTRY)};
enum { ISAS = sizeof isa_table / sizeof isa_table[0] };

const struct cpu_isa *cpu_isa_best(void)
{
    const struct cpu_isa *isa = isa_table;
    while (!isa->here())
        isa++;
    return isa;
}

const struct cpu_isa *cpu_isa_chosen(struct duel_why *why)
{
    const char *wanted = getenv(CPU_ISA_VARIABLE);
    if (!wanted || !*wanted)
        return cpu_isa_best();
    char known[64] = "";
    for (int i = 0; i < ISAS; i++) {
        if (!isa_table[i].here())
            continue;
        if (strcmp(isa_table[i].name, wanted) == 0)
            return &isa_table[i];
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "", isa_table[i].name);
    }
    char next[96];
    snprintf(next, sizeof next, "unset " CPU_ISA_VARIABLE ", or set it to one of: %s", known);
    duel_fail(why, DUEL_SKIP, "another instruction set than the one asked for would be measured", next,
              CPU_ISA_VARIABLE "=%s names no instruction set of this processor and this program", wanted);
    return NULL;
}

int cpu_isa_place(struct duel_why *why)
{
    const struct cpu_isa *isa = cpu_isa_chosen(why);
    return isa ? (int)(isa - isa_table) : -1;
}
