/* plan.h: which cases will run, in groups of the same problem, before anything is allocated or timed. */
#ifndef DUEL_PLAN_H
#define DUEL_PLAN_H

#include "bench/options/options.h"
#include "bench/registry/registry.h"
#include "bench/workload/workload.h"

/* One implementation on one device at one problem with one thread count. */
struct duel_case {
    struct duel_place *place;
    const struct duel_impl *impl; /* NULL for an implementation that this build leaves out: `name` and `skip` say it */
    const char *name;
    struct duel_problem problem;
    int threads;    /* wanted; 0 on a GPU */
    char skip[700]; /* why it will not run; empty when it will */
};

/* All cases of one workload at one shape: they are measured interleaved and compared with each other. */
struct duel_group {
    const struct duel_workload *workload;
    struct duel_problem problem; /* the extents of all its cases */
    struct duel_case *cases;
    int count;
    enum duel_cache cache; /* hot, flushed or rotated: rotating takes more memory */
};

struct duel_plan {
    struct duel_group *groups;
    int count, cases, runnable;
    bool missing_device; /* the device asked for by name cannot be used: missing_why says why */
    struct duel_why missing_why;
};

/* Sizes are those of options->shape, or each workload's own sweep for the devices that are used. Fails with DUEL_EINVAL
 * on a pattern that matches nothing, an unknown device, or a size whose operands do not fit in memory; nothing has been
 * allocated then. In a plan of several workloads a size that does not fit is skipped. */
enum duel_status plan_make(struct duel_plan *plan, struct duel_registry *registry, const struct duel_options *options,
                           struct duel_why *why);
/* The plan of one workload at the size that --n N gives it, whatever sizes the options have. */
enum duel_status plan_size(struct duel_plan *plan, struct duel_registry *registry, const struct duel_options *options,
                           const struct duel_workload *workload, int64_t n, struct duel_why *why);
void plan_free(struct duel_plan *plan);

/* plan_sizes.c: do the patterns select an implementation of this workload, here or left out? */
bool plan_wants(const struct duel_registry *registry, const struct duel_options *options,
                const struct duel_workload *workload);
/* Calls `add` with each problem, workload by workload in the table's order. */
typedef enum duel_status plan_add_problem(void *context, const struct duel_workload *workload,
                                          const struct duel_problem *problem, struct duel_why *why);
enum duel_status plan_problems(const struct duel_registry *registry, const struct duel_options *options,
                               plan_add_problem *add, void *context, struct duel_why *why);

/* Was this input type asked for, or none at all? */
bool plan_has_precision(const struct duel_options *options, enum duel_dtype in);
/* Does --device TEXT (NULL: the CPU and every real GPU) select this place? */
bool plan_selects(const char *device, const struct duel_place *place);
/* Refuses patterns and devices that name nothing, with the nearest names. */
enum duel_status plan_check_names(const struct duel_registry *registry, const struct duel_options *options,
                                  struct duel_why *why);

#endif
