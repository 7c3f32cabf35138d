/* elf.c: is a shared library whole? dlopen() maps a library by its headers alone; when the file is shorter than they
 * say, the first touch of a missing page kills the process with SIGBUS. So the headers are compared with the file
 * first. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/registry/plugin.h"

#define MOST_HEADERS 256

static bool read_at(int file, void *to, size_t bytes, uint64_t offset)
{
    return offset <= INT64_MAX && pread(file, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Every loadable segment must lie within the file. Other machines' and other sizes' libraries are left to dlopen(),
 * which says well what is wrong with them. */
static bool segments_fit(int file, uint64_t size)
{
    ElfW(Ehdr) head;
    if (!read_at(file, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return true;
    if (head.e_phentsize != sizeof(ElfW(Phdr)) || head.e_phnum > MOST_HEADERS)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        ElfW(Phdr) part;
        uint64_t end;
        if (!read_at(file, &part, sizeof part, head.e_phoff + i * sizeof part) ||
            __builtin_add_overflow((uint64_t)part.p_offset, (uint64_t)part.p_filesz, &end) || end > size)
            return false;
    }
    return true;
}

bool elf_is_whole(const char *path)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return true; /* dlopen() will say why */
    bool whole = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && segments_fit(file, (uint64_t)facts.st_size);
    close(file);
    return whole;
}
