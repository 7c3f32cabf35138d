/* identity.h: is it the same machine, and the same card? Made only of what stays when software is updated and the
 * machine is started again: no frequency, kernel, driver, host name or number of a device. */
#ifndef DUEL_IDENTITY_H
#define DUEL_IDENTITY_H

#include <jansson.h>
#include <stddef.h>

/* "AMD EPYC, 2 cores, x86_64, at most 32 GiB" from the records `host` and `device` of the CPU (may be NULL). Returns
 * `text`. */
const char *identity_machine(const json_t *host, const json_t *cpu, char *text, size_t size);
/* "NVIDIA H200, fnv1a:..." (the hash of its uuid) from a record `device`; the CPU is its machine. Returns `text`. */
const char *identity_device(const json_t *device, const char *machine, char *text, size_t size);

#endif
