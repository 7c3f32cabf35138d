/* trial.c: a plug-in is opened in a child process first. The headers of a damaged library may be right and the rest
 * wrong: then the dynamic linker, a constructor or the entry crashes, and CPU results would be lost with it. The child
 * dies instead, and the parent knows. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/registry/plugin.h"

enum { MOST_SECONDS = 10 };

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

/* Reads what the registry will read. Only the emulated GPU is asked for its devices: a driver takes long to start. */
static void use(const struct duel_plugin *plugin)
{
    struct duel_device_info info;
    struct duel_why why;
    volatile size_t length = 0;
    if (!plugin || plugin->abi != DUEL_ABI || !plugin->backend || !plugin->impls || !plugin->absent)
        return; /* the parent says so */
    length += length_of(plugin->backend->name) + length_of(plugin->build);
    for (const struct duel_impl *const *impl = plugin->impls; *impl; impl++)
        length += length_of((*impl)->name) + length_of((*impl)->doc) + length_of((*impl)->builds_on);
    for (const struct duel_absence *absent = plugin->absent; absent->name; absent++)
        length += length_of(absent->name) + length_of(absent->reason);
    if (!plugin->backend->emulated || plugin->backend->count(&why) <= 0)
        return;
    plugin->backend->describe(0, &info);
    for (const struct duel_impl *const *impl = plugin->impls; *impl; impl++) {
        const struct duel_problem small = {64, 64, 64, 1, {64, 64, 64, 64}, 1, 0, (*impl)->types[0]};
        if ((*impl)->supports)
            (*impl)->supports(&small, &info, &why);
    }
}

static void attempt(const char *path)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    const int nowhere = open("/dev/null", O_WRONLY);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        signal(fatal[i], SIG_DFL);
    alarm(MOST_SECONDS);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    duel_plugin_entry *entry = library ? plugin_entry(library) : NULL;
    if (entry)
        use(entry());
    if (library)
        dlclose(library);
}

bool trial_survived(const char *path, int *signal_number)
{
    int status = 0;
    *signal_number = 0;
    const pid_t child = fork();
    if (child == 0) {
        attempt(path);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return true;
    *signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return child < 0 || status == 0; /* without a process to spare, trust it */
}
