/* openblas.h: what all implementations that call OpenBLAS have in common: its threads, and which library it is.
 * Included only where <cblas.h> is; the functions are those of OpenBLAS alone, which not every cblas.h declares. */
#ifndef DUEL_CPU_OPENBLAS_H
#define DUEL_CPU_OPENBLAS_H

#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/duel.h"

void openblas_set_num_threads(int wanted);
int openblas_get_num_threads(void);
int openblas_get_parallel(void); /* 0 sequential, 1 pthread, 2 OpenMP */
char *openblas_get_config(void);
char *openblas_get_corename(void);

/* The OpenMP build waits for as many threads as it was told, without end when the run-time library grants fewer: that
 * is what OMP_THREAD_LIMIT and OMP_DYNAMIC do. So the limit is asked first, and the team may not shrink with the load.
 */
static inline int cpu_openblas_threads(int wanted)
{
#ifdef _OPENMP
    omp_set_dynamic(0);
    if (wanted > omp_get_thread_limit())
        wanted = omp_get_thread_limit();
#endif
    openblas_set_num_threads(wanted);
    return openblas_get_num_threads();
}

static inline const char *cpu_openblas_library(void)
{
    static char text[160]; /* the same on every call */
    static const char *const threading[] = {
        "sequential build: one thread",
        "pthread build: a second thread pool, install libopenblas-openmp-dev",
        "OpenMP",
    };
    const int kind = openblas_get_parallel();
    const char *version = openblas_get_config(); /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": two words of it */
    int length = 0;
    for (int spaces = 0; version[length] && (spaces += version[length] == ' ') < 2;)
        length++;
    snprintf(text, sizeof text, "%.*s, %s kernels, %s", length, version, openblas_get_corename(),
             kind >= 0 && kind <= 2 ? threading[kind] : "unknown threading");
    return text;
}

/* The library counts in int. Larger problems are another row's work, not a wrong answer. `other` names that row. */
static inline enum duel_status cpu_openblas_counts(const int64_t *number, int count, const char *other,
                                                   struct duel_why *why)
{
    char next[120];
    snprintf(next, sizeof next, "use %s for this size", other);
    for (int i = 0; i < count; i++)
        if (number[i] > INT32_MAX)
            return duel_fail(why, DUEL_SKIP, "this OpenBLAS counts rows and columns in 32 bits", next,
                             "an extent or leading dimension of %lld", (long long)number[i]);
    return DUEL_OK;
}

#endif
