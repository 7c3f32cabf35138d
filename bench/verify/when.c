/* when.c: what one wrong answer leaves open, the others may tell: wrong only with beta, or only with padding. */
#include "bench/verify/when.h"

enum { OFTEN = 4 }; /* fewer wrong cases may have that in common by chance */

static bool is_tight(const struct duel_zoo_case *which)
{
    struct duel_problem tight = which->problem;
    bool same = true;
    workload_tight(which->workload, &tight);
    for (int i = 0; i < which->workload->operands; i++)
        same = same && tight.ld[i] == which->problem.ld[i];
    return same;
}

void when_add(struct duel_when *when, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came)
{
    const bool wrong = came->status == DUEL_EVERIFY, plain = which->problem.beta == 0, tight = is_tight(which);
    if (which->large || (!wrong && came->status != DUEL_OK))
        return;
    *(wrong ? &when->wrong : &when->right) += 1;
    *(wrong ? &when->wrong_plain : &when->right_plain) += plain;
    *(wrong ? &when->wrong_tight : &when->right_tight) += tight;
    if (wrong)
        suspects_add(&when->suspects, &came->verdict.suspects);
}

struct duel_suspects when_suspects(const struct duel_when *when)
{
    struct duel_suspects suspects = when->suspects;
    const double weight = (double)when->wrong;
    if (when->wrong >= OFTEN && when->wrong_plain == 0 && when->right_plain > 0)
        suspects.weight[CAUSE_BETA] += weight;
    if (when->wrong >= OFTEN && when->wrong_tight == 0 && when->right_tight > 0) {
        /* A wrong leading dimension spoils most problems whose rows are padded; a missing guard only those that end
         * within a tile. */
        const bool most = when->wrong > when->right - when->right_tight;
        suspects.weight[CAUSE_LD] += most ? weight : weight / 4;
        suspects.weight[CAUSE_BEYOND] += most ? 0 : weight / 2;
    }
    return suspects;
}
