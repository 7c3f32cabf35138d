#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/commands/commands.h"
#include "bench/matrix/dtype.h"
#include "bench/verify/running.h"

/* ---- crashes ---------------------------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *words;
} crash_table[] = {
    {SIGSEGV, "SIGSEGV, it touched memory that is not its own"},
    {SIGBUS, "SIGBUS, there is no memory behind an address, or it is misaligned"},
    {SIGFPE, "SIGFPE, it divided a whole number by zero"},
    {SIGILL, "SIGILL, it has an instruction that this CPU lacks"},
    {SIGABRT, "SIGABRT, it gave up, or the C library found memory damaged"},
};
enum { CRASHES = sizeof crash_table / sizeof crash_table[0] };

/* A handler may call almost nothing, so its message is put together by hand and written at once. */
struct message {
    char text[1000];
    size_t length;
};

static void add(struct message *message, const char *text)
{
    while (*text && message->length < sizeof message->text)
        message->text[message->length++] = *text++;
}

static void add_number(struct message *message, int64_t number)
{
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    add(message, at);
}

static void add_call(struct message *message, const struct duel_running *call)
{
    const int64_t extent[] = {call->problem.m, call->problem.n, call->problem.k};
    add(message, call->device);
    add(message, ", ");
    add(message, dtype_name(call->problem.types.in));
    for (int i = 0; i < 3; i++) {
        add(message, i == 0 ? ", " : " x ");
        add_number(message, extent[i]);
    }
    add(message, ", ");
    add_number(message, call->threads);
    add(message, call->threads == 1 ? " thread" : " threads");
}

static void tell_crash(const struct duel_running *call, int number)
{
    struct message message = {.length = 0};
    add(&message, call->inside ? "duel: " : "duel: a crash after ");
    add(&message, call->name);
    add(&message, call->inside ? " crashed " : " had run ");
    add(&message, call->phase);
    add(&message, " (");
    add_call(&message, call);
    add(&message, "): ");
    for (int i = 0; i < CRASHES; i++)
        if (crash_table[i].number == number)
            add(&message, crash_table[i].words);
    add(&message, "\n  why:  nothing can be trusted after it, so duel ends; what was written to the run file before "
                  "it stays\n  next: leave it out, or look for the place: gdb --args duel verify ");
    add(&message, call->name);
    add(&message, "\n");
    (void)!write(STDERR_FILENO, message.text, message.length);
}

/* The crash of an implementation has a name and an exit status; any other is left to the system and its core dump. */
static void crash(int number)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    const struct duel_running *call = running_now();
    if (atomic_flag_test_and_set(&told)) /* several threads of one kernel crash together */
        pause();
    if (call)
        tell_crash(call, number);
    if (call && call->inside)
        _exit(EXIT_DEVICE);
    signal(number, SIG_DFL);
    raise(number);
}

static void name_crashes(void)
{
    static char stack[64 * 1024]; /* a kernel that used up its own can still be named */
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = crash;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaltstack(&own, NULL);
    for (int i = 0; i < CRASHES; i++)
        sigaction(crash_table[i].number, &action, NULL);
}

/* ---- the program ------------------------------------------------------------------------------------------ */

/* A closed descriptor would be given to the next file that is opened, and tables would be written into run files. What
 * stands there instead cannot be written, so that a table which nobody can see does not look like success. */
static void open_standard_files(void)
{
    while (true) {
        int file = open("/dev/null", O_RDONLY);
        if (file < 0 || file > 2) {
            if (file > 2)
                close(file);
            return;
        }
    }
}

/* Before it does anything OpenBLAS reserves address space for its threads, and waits for it for ever where `ulimit -v`
 * forbids that. Its constructor runs before main(); only what stands in .preinit_array runs before its constructor.
 * Sanitizers live there too, and need more address space than any limit leaves. */
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LEAST_ADDRESS_SPACE ((rlim_t)400 << 20)
extern char *openblas_get_config(void) __attribute__((weak));

static void check_address_space(void)
{
    static const char words[] =
        "duel: the limit on address space (ulimit -v) is below 400 MiB\n"
        "  why:  OpenBLAS, which this program is linked with, would wait for more without an end\n"
        "  next: raise it: ulimit -v unlimited\n";
    struct rlimit limit;
    if (!openblas_get_config || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= LEAST_ADDRESS_SPACE)
        return;
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    _exit(written < 0 ? EXIT_DEVICE : EXIT_USAGE);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(void) = check_address_space;
#endif

int main(int argc, char **argv)
{
    open_standard_files();
    name_crashes();
    int code = commands_main(argc, argv);
    /* What was printed is lost when the disk behind stdout is full; that must not look like success. */
    errno = 0;
    bool whole = fflush(stdout) == 0 && !ferror(stdout);
    if (whole || errno == EPIPE) /* whoever closed the pipe, as head does, has read enough */
        return code;
    struct duel_why why;
    duel_fail(&why, DUEL_EIO, "a table or record that someone waits for is not there",
              "free some space, or print to another place", "not all of stdout could be written");
    int lost = message_error(DUEL_EIO, &why);
    return code == EXIT_DONE ? lost : code;
}
