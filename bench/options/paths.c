/* paths.c: finds the program's own files from where the program itself lies, so that neither a build tree nor an
 * installation has a path compiled in and both may be moved.
 *
 *     build tree    TOP/build/bin/duel    plug-ins in TOP/build/lib    data in TOP/reports
 *     installed     PREFIX/bin/duel       PREFIX/lib/duel              PREFIX/share/duel
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/options/options.h"

/* A build tree is looked for in this many directories above the program: build/bin, build/tests, and builds with
 * other flags one folder deeper. */
#define MOST_UP 5

static bool exists(const char *directory, const char *below)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", directory, below);
    return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
}

/* Cuts the last part of a path off; false when there is none. The root is left as "". */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

/* The directory of the running program; without /proc that of an ordinary installation. */
static void own_directory(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length > 0)
        out[length] = '\0';
    if (length <= 0 || !go_up(out))
        snprintf(out, size, "/usr/local/bin");
}

static bool append(char *path, size_t size, const char *below)
{
    size_t used = strlen(path);
    int length = snprintf(path + used, size - used, "/%s", below);
    return length > 0 && (size_t)length < size - used;
}

/* Into `out`: `installed` below the prefix if it is there; else `built` below the nearest directory that holds
 * `landmark`; else where the installation should have it, so that a message can name the place. */
static const char *locate(const char *installed, const char *landmark, const char *built, char *out, size_t size)
{
    char own[PATH_MAX], directory[PATH_MAX];
    own_directory(own, sizeof own);
    snprintf(out, size, "%s", own);
    if (go_up(out) && append(out, size, installed) && access(out, F_OK) == 0)
        return out;
    snprintf(directory, sizeof directory, "%s", own);
    for (int i = 0; i < MOST_UP && go_up(directory); i++)
        if (exists(directory, landmark)) {
            snprintf(out, size, "%s", directory);
            append(out, size, built);
            break;
        }
    return out;
}

const char *paths_plugin_dir(void)
{
    static char found[PATH_MAX];
    const char *wanted = getenv("DUEL_PLUGIN_DIR");
    return wanted && *wanted ? wanted : locate("lib/duel", "lib/libduel.a", "lib", found, sizeof found);
}

const char *paths_data_dir(void)
{
    static char found[PATH_MAX];
    const char *wanted = getenv("DUEL_DATA_DIR");
    return wanted && *wanted ? wanted : locate("share/duel", "bench/duel.h", "reports", found, sizeof found);
}
