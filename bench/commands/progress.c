/* progress.c: how far and how long still, for people who wait. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/commands/commands.h"
#include "bench/report/console.h"

static double host_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct duel_progress *progress, int groups, double total_cost, bool quiet)
{
    const char *term = getenv("TERM");
    bool terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    *progress = (struct duel_progress){terminal && !quiet, 0, groups, host_now(), 0, total_cost};
}

/* The time left is known once a part of the work is done; until then only the position is shown. */
void progress_show(const struct duel_progress *progress, const char *where, const char *doing)
{
    if (!progress->on)
        return;
    fprintf(stderr, "\r\033[K[%d/%d] %s  %s", progress->group + 1, progress->groups, where, doing);
    if (progress->done_cost > 0) {
        double spent = host_now() - progress->started;
        double left = spent * (progress->total_cost - progress->done_cost) / progress->done_cost;
        char text[32];
        format_duration(left > 1 ? floor(left) : 1, text, sizeof text);
        fprintf(stderr, "  (about %s left)", text);
    }
    fflush(stderr);
}

void progress_group_done(struct duel_progress *progress, double cost)
{
    progress->group++;
    progress->done_cost += cost;
}

void progress_clear(const struct duel_progress *progress)
{
    if (progress->on)
        fputs("\r\033[K", stderr);
}
