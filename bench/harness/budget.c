#include "bench/harness/budget.h"

#include <stdlib.h>
#include <string.h>

#include "bench/harness/memory.h"
#include "bench/report/console.h"

/* Beside its samples a case is verified three times and warmed up; measured as a share of the time limit, plus what
 * even the smallest case needs. */
#define OVERHEAD_SHARE 0.3
#define OVERHEAD_S 0.05

static double case_seconds(double timeout_s)
{
    return timeout_s * (1 + OVERHEAD_SHARE) + OVERHEAD_S;
}

static int runnable(const struct duel_group *group)
{
    int count = 0;
    for (int i = 0; i < group->count; i++)
        count += group->cases[i].skip[0] == '\0';
    return count;
}

struct duel_estimate plan_estimate(const struct duel_plan *plan, double timeout_s)
{
    struct duel_estimate estimate = {0, 0, 0, 0, 0};
    for (int g = 0; g < plan->count; g++) {
        const struct duel_group *group = &plan->groups[g];
        if (runnable(group) == 0)
            continue;
        const struct duel_memory need = group_memory(group, NULL);
        estimate.sizes++;
        estimate.cases += runnable(group);
        estimate.host_bytes = need.host > estimate.host_bytes ? need.host : estimate.host_bytes;
        estimate.device_bytes = need.device > estimate.device_bytes ? need.device : estimate.device_bytes;
    }
    estimate.seconds = estimate.cases * case_seconds(timeout_s);
    return estimate;
}

/* Cases and sizes that will run of one workload. */
struct part {
    int cases, sizes;
};

static struct part part_of(const struct duel_plan *plan, const struct duel_workload *workload)
{
    struct part part = {0, 0};
    for (int g = 0; g < plan->count; g++) {
        const int cases = plan->groups[g].workload == workload ? runnable(&plan->groups[g]) : 0;
        part.cases += cases;
        part.sizes += cases > 0;
    }
    return part;
}

/* The workload with most cases out of those that have a size to spare: none is left out whole. NULL: there is none. */
static const struct duel_workload *richest(const struct duel_plan *plan)
{
    const struct duel_workload *found = NULL;
    int most = 0;
    for (int g = 0; g < plan->count; g++) {
        const struct part part = part_of(plan, plan->groups[g].workload);
        if (part.sizes > 1 && part.cases > most) {
            most = part.cases;
            found = plan->groups[g].workload;
        }
    }
    return found;
}

static struct duel_group *largest(struct duel_plan *plan, const struct duel_workload *workload)
{
    struct duel_group *found = NULL;
    double most = -1;
    for (int g = 0; g < plan->count; g++) {
        const struct duel_group *group = &plan->groups[g];
        const double work = workload->flops(&group->problem) + workload->bytes(&group->problem);
        if (group->workload == workload && runnable(group) > 0 && work > most) {
            most = work;
            found = &plan->groups[g];
        }
    }
    return found;
}

static void leave_out(struct duel_group *group, double budget_s)
{
    char budget[32];
    format_duration(budget_s, budget, sizeof budget);
    for (int i = 0; i < group->count; i++)
        if (!group->cases[i].skip[0])
            snprintf(group->cases[i].skip, sizeof group->cases[i].skip,
                     "left out so that the others fit the budget of %s (--budget)", budget);
}

/* "2 of gemm, 1 of axpy": sizes that would have run and will not. */
static void name_dropped(const struct duel_plan *plan, const bool *ran, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int g = 0; g < plan->count; g++) {
        const struct duel_workload *workload = plan->groups[g].workload;
        int dropped = 0;
        if (g > 0 && plan->groups[g - 1].workload == workload)
            continue;
        for (int i = g; i < plan->count && plan->groups[i].workload == workload; i++)
            dropped += ran[i] && runnable(&plan->groups[i]) == 0;
        if (dropped > 0 && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%d of %s", used > 0 ? ", " : "", dropped, workload->name);
    }
}

void plan_fit(struct duel_plan *plan, double budget_s, double *timeout_s, char *told, size_t size)
{
    const double asked = *timeout_s;
    char budget[32], usual[32], dropped[200] = "";
    bool *ran = calloc((size_t)plan->count + 1, sizeof *ran);
    told[0] = '\0';
    for (int g = 0; ran && g < plan->count; g++)
        ran[g] = runnable(&plan->groups[g]) > 0;
    struct duel_estimate estimate = plan_estimate(plan, BUDGET_SHORTEST_S);
    for (const struct duel_workload *rich; estimate.seconds > budget_s && (rich = richest(plan));) {
        leave_out(largest(plan, rich), budget_s);
        estimate = plan_estimate(plan, BUDGET_SHORTEST_S);
    }
    if (ran)
        name_dropped(plan, ran, dropped, sizeof dropped);
    free(ran);
    if (estimate.cases == 0)
        return;
    double fits = (budget_s / estimate.cases - OVERHEAD_S) / (1 + OVERHEAD_SHARE);
    *timeout_s = fits < asked ? fits : asked;
    *timeout_s = *timeout_s > BUDGET_SHORTEST_S ? *timeout_s : BUDGET_SHORTEST_S;
    format_duration(budget_s, budget, sizeof budget);
    format_duration(asked, usual, sizeof usual);
    if (*timeout_s < asked || dropped[0])
        snprintf(told, size, "to fit the budget of %s: at most %.2g s per case instead of %s%s%s", budget, *timeout_s,
                 usual, dropped[0] ? ", and the largest sizes are left out: " : "", dropped);
}
