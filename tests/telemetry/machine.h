/* machine.h: a made-up machine for telemetry: its files, its clock, and the stand-in for the driver's library. */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include "bench/telemetry/telemetry.h"
#include "tests/telemetry/library/script.h"

/* Writes a file below run_dir(), with its directories. */
void machine_put(const char *name, const char *text);
/* Makes an energy zone of powercap ("intel-rapl:0"); a file whose text is NULL is left as it is. */
void machine_package(const char *zone, const char *name, const char *energy, const char *range);
/* Options of a machine in run_dir() whose clock is *seconds; without a GPU. */
struct duel_telemetry_options machine_options(double *seconds);

/* Fails the test unless `text` holds `words`. */
void says(const char *text, const char *words);
void same_number(double got, double wanted);

/* Group set-up and tear-down: compiles the stand-in with $CC (gcc) into $BUILD/tests. */
int library_make(void **state);
int library_drop(void **state);
/* Its path; with the name of a symbol, that of a copy from which this symbol is missing. Good until the next call. */
const char *library_path(const char *missing);
/* The script of the library at this path, fresh: released by library_close(). */
struct script *library_script(const char *path, void **handle);
void library_close(void *handle);
/* Name of symbol number `symbol`. */
const char *library_symbol(int symbol);

#endif
