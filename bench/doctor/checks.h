/* checks.h: the checks behind doctor_check_table. Private to doctor/. */
#ifndef DUEL_CHECKS_H
#define DUEL_CHECKS_H

#include "bench/doctor/doctor.h"

typedef void doctor_look(const struct doctor_scene *scene, struct doctor_finding *finding);

/* frequency.c: how fast the cores run, and what slows them down */
doctor_look look_governor, look_boost, look_clock_limit, look_temperature, look_throttling;
/* load.c: who else is here */
doctor_look look_others, look_load_average, look_virtual, look_steal;
/* limits.c: what of the machine this process may use */
doctor_look look_affinity, look_cpu_quota, look_memory_limit;
/* memory.c */
doctor_look look_memory_free, look_swap, look_huge_pages, look_numa, look_smt;
/* clock.c */
doctor_look look_clock_source, look_timer_step, look_timer_cost;
/* software.c */
doctor_look look_blas_threads, look_blas_kernels, look_environment;
/* cards.c: a GPU; scene->place and scene->gpu are set */
doctor_look look_gpu_status, look_gpu_versions, look_gpu_processes, look_gpu_persistence, look_gpu_mig, look_gpu_ecc,
    look_gpu_display, look_gpu_power_limit, look_gpu_temperature, look_gpu_clock, look_gpu_link;

#endif
