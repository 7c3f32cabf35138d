/* cpu_load.c: other work = busy time of all CPUs less our own. */
#include "bench/telemetry/cpu_load.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Fewer ticks than this on every CPU and a single one would decide the share. */
#define TICKS_PER_CPU 9

static double own_seconds(void)
{
    struct timespec time;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

/* "cpu  user nice system idle iowait irq softirq steal ..."; what follows (guest) is part of user and nice. */
static bool parse(const char *line, struct cpu_ticks *ticks)
{
    double user, nice, system, idle, iowait = 0, irq = 0, softirq = 0, steal = 0;
    int count = sscanf(line, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &iowait, &irq,
                       &softirq, &steal);
    if (count < 4)
        return false;
    ticks->busy = user + nice + system + irq + softirq;
    ticks->steal = steal;
    ticks->total = ticks->busy + steal + idle + iowait;
    return true;
}

void cpu_ticks_read(const char *root, struct cpu_ticks *ticks)
{
    char path[4096], line[512];
    bool parsed = false;
    memset(ticks, 0, sizeof *ticks);
    snprintf(path, sizeof path, "%s/proc/stat", root);
    FILE *file = fopen(path, "re");
    if (!file) {
        snprintf(ticks->why, sizeof ticks->why, "/proc/stat: %s", strerror(errno));
        return;
    }
    /* The lines of the CPUs come first; the one of the interrupts behind them can be very long. */
    while (fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0)
        if (line[3] == ' ')
            parsed = parse(line, ticks);
        else
            ticks->cpus += isdigit((unsigned char)line[3]) ? 1 : 0;
    fclose(file);
    ticks->own_s = own_seconds();
    if (!parsed)
        snprintf(ticks->why, sizeof ticks->why, "/proc/stat does not begin with the time of all CPUs");
}

/* Why no share can be had from the difference; NULL when it can. */
static const char *objection(const struct cpu_ticks *before, const struct cpu_ticks *after, double total)
{
    if (*before->why || *after->why)
        return *before->why ? before->why : after->why;
    if (after->cpus != before->cpus)
        return "the number of CPUs changed meanwhile";
    if (after->busy < before->busy || after->steal < before->steal || total < 0)
        return "the counters of /proc/stat ran backwards";
    if (!(total >= TICKS_PER_CPU * (double)(after->cpus ? after->cpus : 1)))
        return "shorter than 0.1 s, or the counters of /proc/stat stand still here";
    return NULL;
}

void cpu_load_between(const struct cpu_ticks *before, const struct cpu_ticks *after, struct duel_cpu_load *load)
{
    double total = after->total - before->total;
    double own = (after->own_s - before->own_s) * (double)sysconf(_SC_CLK_TCK);
    const char *why = objection(before, after, total);
    *load = (struct duel_cpu_load){.foreign_share = NAN, .steal_share = NAN, .cpus = after->cpus};
    if (why) {
        snprintf(load->why, sizeof load->why, "%s", why);
        return;
    }
    /* The kernel charges whole ticks, our own clock is exact: a small negative rest is rounding. */
    double foreign = (after->busy - before->busy - own) / total;
    load->foreign_share = foreign > 0 ? foreign : 0;
    load->steal_share = (after->steal - before->steal) / total;
}

void telemetry_cpu_load(const char *root, double seconds, struct duel_cpu_load *load)
{
    struct cpu_ticks before, after;
    double wait = seconds > 0.1 ? seconds : 0.1;
    struct timespec pause = {(time_t)wait, (long)((wait - floor(wait)) * 1e9)};
    cpu_ticks_read(root ? root : "", &before);
    nanosleep(&pause, NULL); /* an interrupt ends it early; the share is then of less time or unknown */
    cpu_ticks_read(root ? root : "", &after);
    cpu_load_between(&before, &after, load);
}
