/* session_child.c: a fresh process of this program, its messages and its end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/commands/sessions.h"
#include "bench/harness/interrupt.h"

extern char **environ;

/* What the parent does itself, or once for all. */
static const char *const own_options[] = {"--sessions", "--out",      "--json", "--csv", "--budget",
                                          "--terminal", "--no-plots", "--open", NULL};

char *session_dir(const char *out, int session)
{
    char *dir;
    return asprintf(&dir, "%s/sessions/%d", out, session) < 0 ? NULL : dir;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

/* Options stand before everything else: what is given may end them with "--". The budget is for all sessions. */
static void make_words(struct words *words, const struct duel_options *options, const struct words *given,
                       const char *out)
{
    char budget[40];
    words_add(words, "duel");
    words_add(words, "run");
    if (out || options->quiet)
        words_add(words, "--quiet");
    if (out)
        words_add(words, "--no-plots");
    words_add(words, out ? "--out" : "--dry-run");
    if (out)
        words_add(words, out);
    if (options->budget_s > 0) {
        snprintf(budget, sizeof budget, "%.9gs", options->budget_s / (double)options->sessions);
        words_add(words, "--budget");
        words_add(words, budget);
    }
    words_add_without(words, given, own_options, 0);
    words->failed |= given->failed;
}

/* ---- the process ------------------------------------------------------------------------------------------------ */

struct child {
    pid_t process;
    int messages; /* its stderr; when this ends, so has the process */
    char said[8192];
    size_t length;
};

/* A process group of its own: the terminal then sends Ctrl-C to the parent alone, which passes it on exactly once. A
 * second one would end the child before it has written its last record. */
static int spawn(struct child *child, char *const *words, const sigset_t *mask)
{
    int ends[2];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, mask);
    int error = posix_spawn(&child->process, "/proc/self/exe", &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    child->messages = ends[0];
    if (error)
        close(ends[0]);
    return error;
}

/* What the child says is kept, as much as there is room for. false at the end. */
static bool listen_to(struct child *child)
{
    char text[4096];
    ssize_t length = read(child->messages, text, sizeof text);
    if (length < 0 && errno == EINTR)
        return true;
    for (ssize_t i = 0; i < length && child->length < sizeof child->said; i++)
        child->said[child->length++] = text[i];
    return length > 0;
}

/* Signals arrive only while it waits, so none can slip in between looking and waiting. No clock ticks here: waking up
 * would take a CPU away from what is being measured. */
static int wait_for(struct child *child, const sigset_t *mask)
{
    struct pollfd messages = {.fd = child->messages, .events = POLLIN};
    bool told = false, going = true;
    int status = 0;
    while (going) {
        if (interrupt_pending() && !told) {
            kill(child->process, interrupt_pending());
            told = true;
        }
        if (ppoll(&messages, 1, NULL, mask) > 0)
            going = listen_to(child);
    }
    close(child->messages);
    while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static enum duel_status start(struct child *child, const struct duel_options *options, const struct words *given,
                              const char *out, int *status, struct duel_why *why)
{
    struct words words = {NULL, 0, false};
    sigset_t signals, before;
    *child = (struct child){.process = -1, .messages = -1};
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    make_words(&words, options, given, out);
    sigprocmask(SIG_BLOCK, &signals, &before);
    int error = words.failed ? ENOMEM : spawn(child, words.word, &before);
    if (!error)
        *status = wait_for(child, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    words_free(&words);
    if (!error)
        return DUEL_OK;
    return duel_fail(why, DUEL_EDEVICE, "each session is a fresh process of this program",
                     "allow more processes or memory, or leave --sessions out", "a session could not be started: %s",
                     strerror(error));
}

static enum duel_status exit_code(int status, int *code, struct duel_why *why)
{
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : interrupt_pending() ? EXIT_SIGNAL + interrupt_pending() : -1;
    if (*code >= 0)
        return DUEL_OK;
    *code = EXIT_DEVICE;
    return duel_fail(why, DUEL_EDEVICE, "what it had measured until then is kept, the rest of it is missing",
                     "run it again; `dmesg` may tell whether memory ran out", "a session was ended by signal %d (%s)",
                     WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* Notes about a session that went well would come once per session: those about the command line are told by the one
 * that only checks it, the others by the parent, once for all. */
static void tell(const struct child *child, int session, int code)
{
    if ((session == 0 || (code != EXIT_DONE && code != EXIT_UNMEASURED)) && !interrupt_pending())
        fwrite(child->said, 1, child->length, stderr);
}

enum duel_status session_run(const struct duel_options *options, const struct words *given, int session, int *code,
                             struct duel_why *why)
{
    int status = 0;
    struct child child;
    char *out = session > 0 ? session_dir(options->out, session) : NULL;
    enum duel_status done = DUEL_OK;
    *code = EXIT_DEVICE;
    if (session > 0 && !out)
        done =
            duel_fail(why, DUEL_ENOMEM, "the session is left out", "close other programs", "out of memory for a path");
    if (done == DUEL_OK)
        done = start(&child, options, given, out, &status, why);
    free(out);
    if (done != DUEL_OK)
        return done;
    done = exit_code(status, code, why);
    tell(&child, session, *code);
    return done;
}
