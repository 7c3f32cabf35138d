/* quick.c: a first look instead of the whole sweep. */
#include <stdio.h>

#include "bench/harness/budget.h"

static void skip_all(struct duel_group *group)
{
    for (int i = 0; i < group->count; i++)
        if (!group->cases[i].skip[0])
            snprintf(group->cases[i].skip, sizeof group->cases[i].skip, "left out for a first look (--quick)");
}

void plan_quicken(struct duel_plan *plan)
{
    for (int first = 0, next; first < plan->count; first = next) {
        for (next = first; next < plan->count && plan->groups[next].workload == plan->groups[first].workload;)
            next++;
        /* A quarter and three quarters up the sweep, rounded up where that is between two. */
        const int most = next - first - 1, low = first + (most + 2) / 4, high = first + (3 * most + 2) / 4;
        for (int g = first; g < next; g++)
            if (g != low && g != high)
                skip_all(&plan->groups[g]);
    }
}
