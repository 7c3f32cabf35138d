/* message.c: talk goes to stderr; every message says what was seen, why it matters and what to do next. */
#include <stdarg.h>

#include "bench/commands/commands.h"
#include "bench/report/console.h"

/* Everything that is said passes here: names on the command line and in files may hold escape sequences. */
static void say(const char *before, const char *text)
{
    char plain[4096];
    format_plain(text, plain, sizeof plain);
    fprintf(stderr, "%s%s\n", before, plain);
}

int message_exit_code(enum duel_status status)
{
    static const int code[] = {
        [DUEL_OK] = EXIT_DONE,       [DUEL_SKIP] = EXIT_ABSENT,    [DUEL_EINVAL] = EXIT_USAGE,
        [DUEL_ENOMEM] = EXIT_DEVICE, [DUEL_EDEVICE] = EXIT_DEVICE, [DUEL_EVERIFY] = EXIT_WRONG,
        [DUEL_EIO] = EXIT_DEVICE,    [DUEL_EINTR] = EXIT_SIGNAL,
    };
    return code[status];
}

int message_error(enum duel_status status, const struct duel_why *why)
{
    fflush(stdout);
    say("duel: ", why->seen);
    if (why->matters[0])
        say("  why:  ", why->matters);
    if (why->next[0])
        say("  next: ", why->next);
    return message_exit_code(status);
}

int message_refusal(enum duel_status status, const struct duel_why *why)
{
    int code = message_error(status, why);
    return status == DUEL_EIO ? EXIT_USAGE : code;
}

void message_note(const char *format, ...)
{
    char text[1000];
    va_list args;
    fflush(stdout);
    va_start(args, format);
    duel_format(text, sizeof text, format, args);
    va_end(args);
    say("", text);
}
