/* host.h: what a reader must know about a machine to judge its numbers. */
#ifndef DUEL_HOST_H
#define DUEL_HOST_H

#include "bench/record/record.h"

/* Adds processor, memory, operating system, compiler and environment. `root` stands before /proc, /sys and /etc: "" for
 * this machine, a directory with copies in tests. The host's name is hashed unless `identify`. Never fails: what a
 * machine does not tell is absent with its reason. */
void host_record(struct duel_record *record, const char *root, bool identify);
/* Adds what a back end tells about a device. A property that names one piece of hardware (uuid, serial) is hashed
 * unless `identify`. */
void device_record(struct duel_record *record, const struct duel_device_info *info, bool identify);
/* "fnv1a:..." of the text: the same name gives the same hash, so that runs of one machine can be told from others. A
 * name that can be guessed can be checked against it: it hides a name from readers, not from an investigator. */
void identity_hash(const char *text, char *hash, size_t size);

#endif
