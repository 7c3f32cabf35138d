#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "bench/commands/commands.h"

/* A closed descriptor would be given to the next file that is opened, and tables would be written into run files. */
static void open_standard_files(void)
{
    while (true) {
        int file = open("/dev/null", O_RDWR);
        if (file < 0 || file > 2) {
            if (file > 2)
                close(file);
            return;
        }
    }
}

int main(int argc, char **argv)
{
    open_standard_files();
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
