#include "bench/selftest/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/record/facts.h"

extern char **environ;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum duel_status failed(const char *program, int error, struct duel_why *why)
{
    return duel_fail(why, DUEL_EIO, "fresh processes are part of this test", "free memory or raise `ulimit -u`",
                     "%s could not be started or read: %s", program, strerror(error));
}

/* posix_spawn(), not fork(): a copy of a process with threads may do hardly anything. */
static int start(const char *program, char *const *arguments, int out, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = out >= 0 ? posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO)
                         : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawn(child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Everything up to the end of the file; NULL without memory. */
static char *read_all(int file)
{
    char *text = NULL, part[4096];
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    ssize_t got = 0;
    while (memory && ((got = read(file, part, sizeof part)) > 0 || (got < 0 && errno == EINTR)))
        if (got > 0)
            fwrite(part, 1, (size_t)got, memory);
    if (memory)
        fclose(memory);
    return text;
}

/* The kernel's own record of the most that the process held. (ru_maxrss of wait4() is no use: it counts what the parent
 * held when it started the child.) */
static void note_memory(pid_t child, uint64_t *peak)
{
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
    long long bytes = facts_read("", path, "VmHWM", text, sizeof text) ? facts_bytes(text) : 0;
    if (bytes > 0 && (uint64_t)bytes > *peak)
        *peak = (uint64_t)bytes;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Waits for its end; returns 0 or an error number. */
static int finish(pid_t child, enum process_watch watch, struct process_outcome *outcome)
{
    const struct timespec moment = {0, 1000000};
    struct rusage used = {.ru_maxrss = 0};
    int status = 0;
    pid_t ended;
    while ((ended = wait4(child, &status, watch == PROCESS_MEMORY ? WNOHANG : 0, &used)) == 0 ||
           (ended < 0 && errno == EINTR)) {
        note_memory(child, &outcome->peak_bytes);
        nanosleep(&moment, NULL);
    }
    if (ended != child)
        return errno;
    outcome->processor_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    outcome->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return 0;
}

enum duel_status process_run(const char *program, char *const *arguments, enum process_watch watch,
                             struct process_outcome *outcome, struct duel_why *why)
{
    int pipes[2] = {-1, -1};
    pid_t child = 0;
    memset(outcome, 0, sizeof *outcome);
    if (watch == PROCESS_TEXT && pipe2(pipes, O_CLOEXEC) != 0)
        return failed(program, errno, why);
    const double begin = clock_now();
    int error = start(program, arguments, pipes[1], &child);
    if (watch == PROCESS_TEXT) {
        close(pipes[1]);
        outcome->text = error ? NULL : read_all(pipes[0]);
        close(pipes[0]);
    }
    if (!error)
        error = finish(child, watch, outcome);
    outcome->seconds = clock_now() - begin;
    return error ? failed(program, error, why) : DUEL_OK;
}
