/* made.h: run files of machines that do not exist, with sessions whose changes are known. */
#ifndef TESTS_MADE_H
#define TESTS_MADE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct made_machine {
    const char *cpu;
    int cores;
    double memory_bytes;
    const char *gpu, *uuid, *gpu_id; /* gpu NULL: none */
    const char *driver, *kernel;
    double sm_mhz;
};
extern const struct made_machine made_usual;

struct made_row {
    const char *implementation;
    int m, n, k;
    double kernel_s, copy_s;
    uint64_t hash;
    double error;
    bool unclean;
    const char *failed; /* cause: "answer", "device"; NULL: it is right */
};

/* Begins a run file with the records run, host and device. NULL when it cannot be written. */
FILE *made_begin(const char *path, const char *id, const struct made_machine *machine);
/* The telemetry of a size and the row that it belongs to. */
void made_result(FILE *file, const struct made_machine *machine, int session, const struct made_row *row);
void made_end(FILE *file);

#endif
