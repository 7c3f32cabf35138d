/* doctor_look.h: one check of the doctor, and what it must find. */
#ifndef TESTS_DOCTOR_LOOK_H
#define TESTS_DOCTOR_LOOK_H

#include "bench/doctor/doctor.h"

/* A scene in which nothing is known, with its files below the test's own directory. */
struct doctor_scene scene_unknown(void);
/* Writes a file below that directory. */
void scene_put(const char *path, const char *text);
/* Asks the check of this name; the test fails unless the mark and some words of what was seen are these, and every
 * finding that is not good has all three parts. Returns what was found. */
struct doctor_finding look(const struct doctor_scene *scene, const char *check, enum doctor_mark mark,
                           const char *words);

#endif
