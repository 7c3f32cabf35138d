#include "bench/harness/budget.h"

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

static struct duel_group *largest(struct duel_plan *plan)
{
    struct duel_group *found = NULL;
    double most = -1;
    for (int g = 0; g < plan->count; g++) {
        const struct duel_group *group = &plan->groups[g];
        const double work = group->workload->flops(&group->problem) + group->workload->bytes(&group->problem);
        if (runnable(&plan->groups[g]) > 0 && work > most) {
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

void plan_fit(struct duel_plan *plan, double budget_s, double *timeout_s, char *told, size_t size)
{
    const double asked = *timeout_s;
    char budget[32], usual[32];
    int dropped = 0;
    told[0] = '\0';
    struct duel_estimate estimate = plan_estimate(plan, BUDGET_SHORTEST_S);
    while (estimate.seconds > budget_s && estimate.sizes > 1) {
        leave_out(largest(plan), budget_s);
        dropped++;
        estimate = plan_estimate(plan, BUDGET_SHORTEST_S);
    }
    if (estimate.cases == 0)
        return;
    double fits = (budget_s / estimate.cases - OVERHEAD_S) / (1 + OVERHEAD_SHARE);
    *timeout_s = fits < asked ? fits : asked;
    *timeout_s = *timeout_s > BUDGET_SHORTEST_S ? *timeout_s : BUDGET_SHORTEST_S;
    format_duration(budget_s, budget, sizeof budget);
    format_duration(asked, usual, sizeof usual);
    if (*timeout_s < asked || dropped > 0)
        snprintf(told, size, "to fit the budget of %s: at most %.2g s per case instead of %s%s", budget, *timeout_s,
                 usual, dropped > 0 ? ", and the largest sizes are left out" : "");
}
