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
#define LIMIT_S 10
#define LOOK_MS 50 /* between two looks at the clock and at Ctrl-C */

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

/* What ended the waiting. */
enum ending { ENDED, TOO_LATE, INTERRUPTED };

struct patience {
    int64_t deadline;
    int (*interrupt)(void); /* NULL: nobody interrupts */
    int before;             /* what it said when drawing began: an interrupt of the measurement is not one of this */
};

static enum ending still_waiting(const struct patience *patience)
{
    if (patience->interrupt && patience->interrupt() != patience->before)
        return INTERRUPTED;
    return now_ms() >= patience->deadline ? TOO_LATE : ENDED;
}

/* Reads both pipes until gnuplot closes them. */
static enum ending listen_to(struct child *child, const struct patience *patience, FILE *output)
{
    struct pollfd poll_fd[2] = {{child->pipe[0], POLLIN, 0}, {child->pipe[1], POLLIN, 0}};
    while (poll_fd[0].fd >= 0 || poll_fd[1].fd >= 0) {
        const enum ending ending = still_waiting(patience);
        if (ending != ENDED)
            return ending;
        int ready = poll(poll_fd, 2, LOOK_MS);
        if (ready < 0 && errno != EINTR)
            return TOO_LATE;
        for (int i = 0; i < 2 && ready > 0; i++) {
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
    return ENDED;
}

/* Waits for its end too: closed pipes alone promise none. Whatever happens, it is gone afterwards. */
static enum ending wait_for(struct child *child, const struct patience *patience, FILE *output, int *state)
{
    enum ending ending = listen_to(child, patience, output);
    while (ending == ENDED) {
        const struct timespec pause = {0, 5000000};
        if (waitpid(child->pid, state, WNOHANG) == child->pid)
            return ENDED;
        ending = still_waiting(patience);
        nanosleep(&pause, NULL);
    }
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, state, 0) < 0 && errno == EINTR) {
    }
    return ending;
}

static enum duel_status judge(const struct child *child, enum ending ending, int state, const char *dir,
                              const char *name, struct duel_why *why)
{
    static const char matters[] = "this picture is missing; its data and its script are there";
    char next[240];
    snprintf(next, sizeof next, "look at it with: cd %.120s && gnuplot %s.gp", dir, name);
    if (ending == INTERRUPTED)
        return duel_fail(why, DUEL_EINTR, matters, next, "drawing %s was interrupted", name);
    if (ending == TOO_LATE)
        return duel_fail(why, DUEL_EIO, "no further picture is tried; their data and scripts are there", next,
                         "gnuplot did not end within %d s while drawing %s", LIMIT_S, name);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return duel_fail(why, DUEL_EIO, matters, next, "gnuplot could not be started");
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return duel_fail(why, DUEL_EIO, matters, next, "gnuplot failed on %s: %s", name,
                         *child->words ? child->words : "it said nothing");
    return DUEL_OK;
}

enum duel_status gnuplot_draw(struct duel_drawer *drawer, const char *dir, const char *name, const char *options,
                              FILE *output, struct duel_why *why)
{
    char script[80], program[] = "gnuplot", settings[] = "--default-settings", execute[] = "-e", code[120];
    snprintf(script, sizeof script, "%s.gp", name);
    snprintf(code, sizeof code, "%s", options);
    char *const arguments[] = {program, settings, execute, code, script, NULL};
    struct child child = {.pid = -1, .pipe = {-1, -1}};
    int error = start(&child, dir, arguments), state = 0;
    enum duel_status status = DUEL_OK;
    if (error == 0) {
        struct patience patience = {now_ms() + LIMIT_S * 1000, drawer ? drawer->interrupt : NULL, 0};
        patience.before = patience.interrupt ? patience.interrupt() : 0;
        const enum ending ending = wait_for(&child, &patience, output, &state);
        status = judge(&child, ending, state, dir, name, why);
        if (drawer && ending != ENDED) {
            drawer->given_up = status;
            drawer->why = why ? *why : drawer->why;
        }
    } else {
        status = duel_fail(why, error == ENOENT ? DUEL_SKIP : DUEL_EIO, "the pictures are not drawn",
                           "install gnuplot, then draw them", "gnuplot cannot be started: %s", strerror(error));
    }
    for (int i = 0; i < 2; i++)
        if (child.pipe[i] >= 0)
            close(child.pipe[i]);
    return status;
}
