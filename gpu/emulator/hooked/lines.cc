/* lines.cc: asks addr2line, which comes with every linker. One run answers for all addresses of a file. */
#include "gpu/emulator/hooked/lines.h"

#include "gpu/emulator/machine.h"

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace emulated
{

static std::map<uintptr_t, source_line> known;
static std::string missing;

/* Files that stand in for CUDA's own: what they do is done by the line that calls them. */
static bool stands_in(const std::string &path)
{
    return path.find("gpu/emulator/include/") != std::string::npos || path.find("/include/c++/") != std::string::npos;
}

/* The answer to one address is the address, then for each function, innermost first, its name and FILE:LINE. */
static void read_answers(FILE *stream, uintptr_t base)
{
    char text[4096], address[64] = "";
    bool name = false;
    std::map<std::string, int> innermost; /* line of each file in the answer */
    while (fgets(text, sizeof text, stream)) {
        text[strcspn(text, "\n")] = '\0';
        if (strncmp(text, "0x", 2) == 0) {
            snprintf(address, sizeof address, "%.60s", text);
            name = true;
            innermost.clear();
            continue;
        }
        name = !name;
        if (!name)
            continue;
        char *colon = strrchr(text, ':');
        const int line = colon ? atoi(colon + 1) : 0;
        source_line &found = known[base + strtoull(address, nullptr, 16) + 1];
        if (line < 1 || text[0] == '?')
            continue;
        *colon = '\0';
        if (found.file.empty() || stands_in(found.path))
            found = {base_name(text), text, line, "", 0};
        found.kernel_path = text; /* the last one is the kernel itself: nobody inlines it */
        found.kernel_line = innermost.emplace(text, line).first->second;
    }
}

/* Starts addr2line on `path` with the address file as its input; its answers come through the returned stream. */
static FILE *start(const std::string &path, FILE *input, pid_t *child)
{
    const char *const arguments[] = {"addr2line", "-a", "-f", "-i", "-e", path.c_str(), nullptr};
    int ends[2];
    if (pipe(ends) != 0)
        return nullptr;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
    const int error = posix_spawnp(child, arguments[0], &actions, nullptr, const_cast<char **>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *answers = error == 0 ? fdopen(ends[0], "r") : nullptr;
    if (answers)
        return answers;
    missing = std::string("no line: addr2line ") + (error ? strerror(error) : "cannot be read") + "; install binutils";
    close(ends[0]);
    return nullptr;
}

static void ask(const std::string &path, uintptr_t base, const std::vector<uintptr_t> &addresses)
{
    FILE *input = tmpfile();
    pid_t child = 0;
    if (!input) {
        missing = std::string("no line: no temporary file: ") + strerror(errno);
        return;
    }
    for (const uintptr_t address : addresses)
        fprintf(input, "0x%" PRIxPTR "\n", address - base - 1);
    fflush(input);
    rewind(input);
    FILE *answers = start(path, input, &child);
    if (answers) {
        read_answers(answers, base);
        fclose(answers);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    fclose(input);
}

void lines_look_up(const std::vector<uintptr_t> &addresses)
{
    std::map<std::pair<std::string, uintptr_t>, std::vector<uintptr_t>> files;
    for (const uintptr_t address : addresses)
        if (known.find(address) == known.end()) {
            uintptr_t base = 0;
            const std::string path = module_of(address, &base);
            known[address] = {"", "", 0, "", 0};
            if (!path.empty())
                files[{path, base}].push_back(address);
        }
    for (const auto &file : files)
        ask(file.first.first, file.first.second, file.second);
    for (const uintptr_t address : addresses)
        if (missing.empty() && known[address].file.empty())
            missing = "no line: the plug-in was built without debugging information";
}

const source_line &line_of(uintptr_t address)
{
    lines_look_up({address});
    return known[address];
}

const std::string &lines_missing()
{
    return missing;
}

} // namespace emulated
