/* open.c: the page in a browser, by the desktop's own choice of one. */
#include "bench/commands/open.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/commands/commands.h"
#include "bench/record/directory.h"
#include "bench/report/console.h"

extern char **environ;

/* 0, an errno, or -1 when it ended badly. xdg-open returns when the browser has the page. */
static int show(char *path)
{
    char program[] = "xdg-open";
    char *const arguments[] = {program, path, NULL};
    pid_t pid;
    int state = 0;
    const int error = posix_spawnp(&pid, program, NULL, NULL, arguments, environ);
    if (error != 0)
        return error;
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? 0 : -1;
}

int open_page(FILE *talk, const char *dir, bool open)
{
    char plain[4096], *path = directory_path(dir, "report.html"), *whole = path ? realpath(path, NULL) : NULL;
    struct duel_why why;
    int code = EXIT_DONE;
    format_plain(path ? path : dir, plain, sizeof plain);
    fprintf(talk, "Report:  %s\n", plain);
    fflush(talk);
    const int error = open && whole ? show(whole) : 0;
    if (error != 0) {
        duel_fail(&why, DUEL_EIO, "the page is not shown", "open it in a browser yourself", "xdg-open: %s",
                  error > 0 ? strerror(error) : "it could not show the page");
        code = message_error(DUEL_EIO, &why);
    }
    free(whole);
    free(path);
    return code;
}
