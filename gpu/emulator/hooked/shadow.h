/* shadow.h: what the checker remembers about each two bytes of global and shared memory. */
#ifndef EMULATED_SHADOW_H
#define EMULATED_SHADOW_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gpu/emulator/machine.h"

namespace emulated
{

/* Who touched it, and when in the terms of order.h. block 0: nobody. */
struct access_record {
    uintptr_t pc;
    uint32_t block, epoch, clock;
    uint16_t thread;
    uint8_t bytes; /* bit per byte of the cell */
    bool atomic;
};

/* Two readers that nothing orders, of different warps or blocks where there are. */
struct shadow_cell {
    access_record write, read[2];
    uint32_t block; /* of shared memory: whose content it is; another block finds it fresh */
};
constexpr size_t cell_bytes = 2;

/* A bit per byte of the cell. Pending: an asynchronous copy will write it. Suspected: read before anybody wrote it. */
struct shadow_state {
    uint8_t initialised : cell_bytes, pending : cell_bytes, suspected : cell_bytes;
};

/* A stretch of memory with its cells. All start as zeros, and cost memory only once they are touched. */
struct shadow {
    const unsigned char *start;
    size_t bytes;
    bool shared;
    std::string name;
    size_t element_bytes; /* 0: unknown */
    shadow_cell *cells;
    shadow_state *states; /* apart from the cells, since the host's copies touch nothing else */
    size_t count;

    shadow(const unsigned char *start_, size_t bytes_, bool shared_, const std::string &name_);
    ~shadow();
    shadow(const shadow &) = delete;
    size_t cell_of(const unsigned char *address) const
    {
        return static_cast<size_t>(address - start) / cell_bytes;
    }
    bool holds(const unsigned char *address, size_t wanted) const
    {
        return address >= start && wanted <= bytes && static_cast<size_t>(address - start) <= bytes - wanted;
    }
    void initialise(const unsigned char *from, size_t wanted);
};

/* Of an allocation; made on first use, and gone with it. Unless `fresh`, its content counts as initialised. */
shadow *shadow_of(const allocation *memory, bool fresh);
/* Of a kernel's shared array or of its dynamic shared memory; NULL when `address` lies in neither. */
shadow *shadow_of_shared(const unsigned char *address);
/* The array of the kernel that lies nearest to `address`, at most a page away; NULL when none does. */
shadow *shadow_near_shared(const unsigned char *address);
/* Prepares those of the kernel that is about to run. */
void shadow_prepare_shared();

} // namespace emulated

#endif
