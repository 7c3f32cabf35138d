/* team.h: the `threads` of implementations that share their loops out with OpenMP. */
#ifndef DUEL_CPU_TEAM_H
#define DUEL_CPU_TEAM_H

#ifdef _OPENMP
#include <omp.h>
#endif

/* Sets the size of the team and asks a team how many came: a limit such as OMP_THREAD_LIMIT shows here. */
static inline int cpu_team(int wanted)
{
    int came = 1;
    (void)wanted;
#ifdef _OPENMP
    omp_set_num_threads(wanted);
#pragma omp parallel
#pragma omp single
    came = omp_get_num_threads();
#endif
    return came;
}

#endif
