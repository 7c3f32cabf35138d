/* error.h: what goes wrong in a kernel, and how its message comes about. Part of machine.h. */
#ifndef EMULATED_ERROR_H
#define EMULATED_ERROR_H

namespace emulated
{

struct thread;

/* Records an error of the kernel that runs, unless there is one already; `where` may be NULL. */
void fail(const thread *where, const char *matters, const char *next, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* What kind of mistake the next fail() or misuse() is, and where it stands; `file` may be NULL. */
void failure_is(const char *kind, const char *file, int line);
/* Why a block in which nobody can run stands still. */
void fail_deadlock();
/* fault.cc: makes a fault inside a kernel an error of that kernel. */
void faults_catch();
void faults_release();
/* The same for code of the host that uses device memory, from opening to closing the device. */
void host_faults_catch();
void host_faults_release();
/* Makes such a use, if there was one, the error that sync() tells. */
void host_touch_report();

const char *base_name(const char *path);

} // namespace emulated

#endif
