/* memory.h: device memory, and what is known about a kernel's __shared__ arrays. */
#ifndef EMULATED_MEMORY_H
#define EMULATED_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace emulated
{

struct allocation {
    unsigned char *pointer;
    size_t bytes;
    unsigned char *map; /* guard, slack, the memory itself, slack, guard */
    size_t map_bytes;
    std::string name; /* what messages call it; empty: nobody said */
    size_t element_bytes;
    mutable std::shared_ptr<void> shadow; /* the checker's */
    ptrdiff_t alias;                      /* from here to the same memory as the machine itself sees it */
};

/* What memory holds that nobody has written: NaN in every floating-point type, a wild index in every integer. */
constexpr int unwritten = 0xff;
/* NULL when the operating system has no memory for it. */
/* Sparse: address space whose pages nobody has touched; what was not written there is 0 and not the pattern. */
unsigned char *memory_allocate(size_t bytes, bool sparse = false);
void memory_release(void *pointer);
/* Kernels may use their memory only while they run; the host, which must not, finds it closed. */
void memory_open(bool open);
/* By the host, into what it has allocated. */
void memory_fill(void *pointer, int byte, size_t bytes);
void memory_write(void *pointer, const void *from, size_t bytes);
void memory_read(void *to, const void *pointer, size_t bytes);
void memory_release_all();
/* The allocation that holds `address`, or the nearest one within its guards; NULL when there is none. */
const allocation *memory_near(const void *address);
bool memory_holds(const void *address, size_t bytes);
/* An allocation whose slack was written since the last look, with how far outside in *offset; NULL when there is none.
 * The damage is repaired, so that it is reported once. */
const allocation *memory_damaged(ptrdiff_t *offset);
/* Bytes that the host has, or has left; 0 when it does not say. */
uint64_t host_memory(bool available);

struct shared_array {
    std::string name; /* "As" */
    unsigned char *pointer;
    size_t bytes;
};

struct kernel_facts {
    std::string name; /* from the symbol table; empty without one */
    std::vector<shared_array> shared;
    std::vector<shared_array> of_functions; /* that it may call; each becomes `shared` when it is touched */
    size_t shared_bytes;
    size_t dynamic_limit; /* cudaFuncSetAttribute; 0 until asked */
    bool known;           /* false: no symbol table, so `shared` is unknown */
};
/* The loaded file that holds an address, and where it was loaded; empty when no file does. */
std::string module_of(uintptr_t address, uintptr_t *base);
/* Never NULL; looked up once per kernel. */
kernel_facts *kernel_find(const void *address);
/* True when `address` lies in an array of a function: it is of this kernel from now on, and holds the pattern. */
bool kernel_touches(kernel_facts *facts, const unsigned char *address);

} // namespace emulated

#endif
