/* gnuplot.c: runs gnuplot without a shell, and never waits for ever. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/report/script.h"

/* Drawing takes well under a second; a machine that is busy or has to build its font cache takes longer. */
#define LIMIT_S 30

extern char **environ;

struct child {
    pid_t pid;
    int pipe[2]; /* stdout, stderr: our ends */
    char words[200];
    size_t length;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* 0, or an errno; ENOENT: no gnuplot on the PATH. */
static int start(struct child *child, const char *dir, char *const *arguments)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
        int error = errno;
        if (out[0] >= 0) {
            close(out[0]);
            close(out[1]);
        }
        return error;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, dir);
    int error = posix_spawnp(&child->pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    child->pipe[0] = out[0];
    child->pipe[1] = err[0];
    return error;
}

/* stdout goes on to `output`; of stderr the first words are kept. */
static void take(struct child *child, int which, const char *bytes, size_t size, FILE *output)
{
    if (which == 0) {
        if (output)
            fwrite(bytes, 1, size, output);
        return;
    }
    for (size_t i = 0; i < size && child->length + 1 < sizeof child->words; i++) {
        bool blank = (unsigned char)bytes[i] <= ' ';
        if (blank && (child->length == 0 || child->words[child->length - 1] == ' '))
            continue;
        child->words[child->length++] = blank ? ' ' : bytes[i];
    }
    child->words[child->length] = '\0';
}

/* Reads both pipes until gnuplot closes them; false when it takes too long. */
static bool listen_to(struct child *child, FILE *output)
{
    int64_t deadline = now_ms() + LIMIT_S * 1000;
    struct pollfd poll_fd[2] = {{child->pipe[0], POLLIN, 0}, {child->pipe[1], POLLIN, 0}};
    while (poll_fd[0].fd >= 0 || poll_fd[1].fd >= 0) {
        int64_t left = deadline - now_ms();
        if (left <= 0)
            return false;
        if (poll(poll_fd, 2, (int)left) < 0 && errno != EINTR)
            return false;
        for (int i = 0; i < 2; i++) {
            char bytes[4096];
            if (poll_fd[i].fd < 0 || !poll_fd[i].revents)
                continue;
            ssize_t size = read(poll_fd[i].fd, bytes, sizeof bytes);
            if (size > 0)
                take(child, i, bytes, (size_t)size, output);
            else if (size == 0 || errno != EINTR)
                poll_fd[i].fd = -1;
        }
    }
    return true;
}

static enum duel_status judge(const struct child *child, bool in_time, int state, const char *dir, const char *name,
                              struct duel_why *why)
{
    static const char matters[] = "this picture is missing; its data and its script are there";
    char next[240];
    snprintf(next, sizeof next, "look at it with: cd %.120s && gnuplot %s.gp", dir, name);
    if (!in_time)
        return duel_fail(why, DUEL_EIO, matters, next, "gnuplot did not end within %d s while drawing %s", LIMIT_S,
                         name);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return duel_fail(why, DUEL_EIO, matters, next, "gnuplot could not be started");
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return duel_fail(why, DUEL_EIO, matters, next, "gnuplot failed on %s: %s", name,
                         *child->words ? child->words : "it said nothing");
    return DUEL_OK;
}

enum duel_status gnuplot_draw(const char *dir, const char *name, const char *options, FILE *output,
                              struct duel_why *why)
{
    char script[80], program[] = "gnuplot", settings[] = "--default-settings", execute[] = "-e", code[120];
    snprintf(script, sizeof script, "%s.gp", name);
    snprintf(code, sizeof code, "%s", options);
    char *const arguments[] = {program, settings, execute, code, script, NULL};
    struct child child = {.pid = -1, .pipe = {-1, -1}};
    int error = start(&child, dir, arguments), state = 0;
    enum duel_status status = DUEL_OK;
    if (error == 0) {
        bool in_time = listen_to(&child, output);
        if (!in_time)
            kill(child.pid, SIGKILL);
        while (waitpid(child.pid, &state, 0) < 0 && errno == EINTR) {
        }
        status = judge(&child, in_time, state, dir, name, why);
    } else {
        status = duel_fail(why, error == ENOENT ? DUEL_SKIP : DUEL_EIO, "the pictures are not drawn",
                           "install gnuplot, then draw them", "gnuplot cannot be started: %s", strerror(error));
    }
    for (int i = 0; i < 2; i++)
        if (child.pipe[i] >= 0)
            close(child.pipe[i]);
    return status;
}
