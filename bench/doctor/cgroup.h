/* cgroup.h: the limits that a container, a batch system or systemd set on this process. */
#ifndef DUEL_CGROUP_H
#define DUEL_CGROUP_H

/* The least of its own group and all groups above it. INFINITY without a limit, NaN where no group can be read. */
double cgroup_cpus(const char *root);         /* CPU seconds per second */
double cgroup_memory_bytes(const char *root); /* of all processes of the group together */

#endif
