/* kernel.cc: what the symbol table of this file knows about a kernel: its name and its __shared__ arrays.
 *
 * A shared array is a static variable of the kernel, and its symbol is the kernel's with a suffix: the array As of
 * _Z5tiledPf is _ZZ5tiledPfE2As. That is so for templates too, where compilers ignore a section attribute, and it gives
 * each array's size. Kernels of two files may have the same name. Arrays that a __device__ function declares for itself
 * lie in a section of their own where kernels are watched, and are known once a thread touches one; an index past the
 * end of another array may be taken for that.
 */
#include "gpu/emulator/machine.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emulated
{

/* The loaded file that holds an address. */
struct module {
    uintptr_t address, base;
    std::string path;
};

/* Not the link /proc/self/exe: whoever else opens that finds itself. */
static std::string program_path()
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<size_t>(length)) : "";
}

static int match_module(struct dl_phdr_info *info, size_t, void *data)
{
    module *m = static_cast<module *>(data);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || m->address - info->dlpi_addr - segment->p_vaddr >= segment->p_memsz)
            continue;
        m->base = info->dlpi_addr;
        m->path = *info->dlpi_name ? info->dlpi_name : program_path();
        return 1;
    }
    return 0;
}

std::string module_of(uintptr_t address, uintptr_t *base)
{
    module m = {address, 0, ""};
    dl_iterate_phdr(match_module, &m);
    *base = m.base;
    char own[PATH_MAX]; /* its real name: in another process /proc/self is that process */
    return m.path == "/proc/self/exe" && realpath(m.path.c_str(), own) ? own : m.path;
}

struct symbol {
    std::string name;
    uintptr_t address;
    size_t bytes;
    bool function, marked; /* marked: a kernel, or a shared array, as language.h says */
    unsigned int file;     /* which of the files that were linked it is private to; 0: it is known to all */
};

/* Appends functions and writable variables. We trust the file: the loader has already run from it. */
static void read_symbols(const unsigned char *file, uintptr_t base, std::vector<symbol> *symbols)
{
    const auto *header = reinterpret_cast<const ElfW(Ehdr) *>(file);
    const auto *sections = reinterpret_cast<const ElfW(Shdr) *>(file + header->e_shoff);
    for (size_t i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        const auto *table = reinterpret_cast<const ElfW(Sym) *>(file + sections[i].sh_offset);
        const char *names = reinterpret_cast<const char *>(file + sections[sections[i].sh_link].sh_offset);
        const char *section_names = reinterpret_cast<const char *>(file + sections[header->e_shstrndx].sh_offset);
        unsigned int files = 0, current = 0;
        for (size_t s = 0; s < sections[i].sh_size / sizeof *table; s++) {
            const unsigned int type = ELF64_ST_TYPE(table[s].st_info);
            const unsigned int section = table[s].st_shndx;
            /* A linker groups private symbols by file, and those it made private itself in a file without a name. */
            if (type == STT_FILE)
                current = names[table[s].st_name] ? ++files : 0;
            if (ELF64_ST_BIND(table[s].st_info) != STB_LOCAL)
                current = 0;
            if (section == SHN_UNDEF || section >= header->e_shnum)
                continue;
            const bool function = type == STT_FUNC;
            if (!function && (type != STT_OBJECT || (sections[section].sh_flags & SHF_WRITE) == 0))
                continue;
            const char *place = section_names + sections[section].sh_name;
            symbols->push_back({names + table[s].st_name, base + table[s].st_value, table[s].st_size, function,
                                strcmp(place, function ? "duel_kernel" : "duel_shared") == 0, current});
        }
    }
}

/* Symbols of the loaded file that holds `address`; none when it was stripped or cannot be read. */
static const std::vector<symbol> &symbols_around(const void *address)
{
    static std::map<uintptr_t, std::vector<symbol>> cache;
    uintptr_t base = 0;
    const std::string path = module_of(reinterpret_cast<uintptr_t>(address), &base);
    const auto known = cache.find(base);
    if (known != cache.end())
        return known->second;
    std::vector<symbol> &symbols = cache[base];
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && static_cast<size_t>(status.st_size) > sizeof(ElfW(Ehdr))) {
        void *map = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
        if (map != MAP_FAILED) {
            read_symbols(static_cast<const unsigned char *>(map), base, &symbols);
            munmap(map, static_cast<size_t>(status.st_size));
        }
    }
    if (file >= 0)
        close(file);
    return symbols;
}

/* "void (anonymous namespace)::tiled<float, 32>(float const*, int)" is called tiled<float, 32>. */
static std::string readable(const std::string &mangled)
{
    char *text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, nullptr);
    std::string name = text ? text : mangled;
    free(text);
    const std::string nowhere = "(anonymous namespace)::", nothing = "void ";
    for (size_t at = name.find(nowhere); at != std::string::npos; at = name.find(nowhere))
        name.erase(at, nowhere.size());
    if (name.compare(0, nothing.size(), nothing) == 0)
        name.erase(0, nothing.size());
    const std::string counting = "emulated::counted<"; /* float of a kernel that counts arithmetic */
    for (size_t at = name.find(counting); at != std::string::npos; at = name.find(counting)) {
        name.erase(name.find('>', at), 1);
        name.erase(at, counting.size());
    }
    for (size_t at = name.find(" >"); at != std::string::npos; at = name.find(" >"))
        name.erase(at, 1);
    size_t end = 0;
    for (int depth = 0; end < name.size() && (depth > 0 || name[end] != '('); end++)
        depth += (name[end] == '<') - (name[end] == '>');
    return name.substr(0, end);
}

/* "2As" and "2As_0" are called As. */
static std::string variable(const std::string &suffix)
{
    char *name = nullptr;
    const size_t length = strtoul(suffix.c_str(), &name, 10);
    return suffix.substr(static_cast<size_t>(name - suffix.c_str()), length);
}

/* "helper(float*)::tile" is called tile. */
static std::string inner_variable(const std::string &mangled)
{
    char *text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, nullptr);
    const std::string name = text ? text : mangled;
    free(text);
    const size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

/* Shared arrays of functions that are no kernels, which one file can reach. */
static void find_arrays_of_functions(const std::vector<symbol> &symbols, unsigned int file, kernel_facts *facts)
{
    for (const symbol &array : symbols) {
        if (array.function || !array.marked || (file != 0 && array.file != 0 && array.file != file))
            continue;
        const auto owns = [&](const symbol &s) {
            return s.function && s.marked &&
                   array.name.compare(0, s.name.size() + 2, "_ZZ" + s.name.substr(2) + "E") == 0;
        };
        if (std::none_of(symbols.begin(), symbols.end(), owns))
            facts->of_functions.push_back(
                {inner_variable(array.name), reinterpret_cast<unsigned char *>(array.address), array.bytes});
    }
}

bool kernel_touches(kernel_facts *facts, const unsigned char *address)
{
    for (auto array = facts->of_functions.begin(); array != facts->of_functions.end(); ++array)
        if (address >= array->pointer && address < array->pointer + array->bytes) {
            memset(array->pointer, unwritten, array->bytes);
            facts->shared_bytes += array->bytes;
            facts->shared.push_back(*array);
            facts->of_functions.erase(array);
            return true;
        }
    return false;
}

kernel_facts *kernel_find(const void *address)
{
    const auto known = gpu.kernels.find(address);
    if (known != gpu.kernels.end())
        return &known->second;
    kernel_facts *facts = &gpu.kernels[address];
    const std::vector<symbol> &symbols = symbols_around(address);
    std::string function;
    unsigned int file = 0;
    for (const symbol &s : symbols)
        if (s.function && s.address == reinterpret_cast<uintptr_t>(address) && s.name.compare(0, 2, "_Z") == 0) {
            function = s.name;
            file = s.file;
        }
    if (function.empty())
        return facts;
    facts->known = true;
    facts->name = readable(function);
    const std::string prefix = "_ZZ" + function.substr(2) + "E";
    for (const symbol &s : symbols)
        if (!s.function && s.name.compare(0, prefix.size(), prefix) == 0 && (file == 0 || s.file == file)) {
            facts->shared.push_back(
                {variable(s.name.substr(prefix.size())), reinterpret_cast<unsigned char *>(s.address), s.bytes});
            facts->shared_bytes += s.bytes;
        }
    find_arrays_of_functions(symbols, file, facts);
    return facts;
}

} // namespace emulated
