#include "bench/commands/commands.h"

int main(int argc, char **argv)
{
    int code = commands_main(argc, argv);
    /* What was printed is lost when the disk behind stdout is full; that must not look like success. */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    struct duel_why why;
    duel_fail(&why, DUEL_EIO, "a table or record that someone waits for is not there",
              "free some space, or print to another place", "not all of stdout could be written");
    int lost = message_error(DUEL_EIO, &why);
    return code == EXIT_DONE ? lost : code;
}
