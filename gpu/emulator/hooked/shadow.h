/* shadow.h: what the checker remembers about global and shared memory, cell by cell. A cell is as large as the smallest
 * access so far, at most 8 bytes, so that an access covers whole cells and two threads never share one by accident. */
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
    bool atomic;
};

struct shadow_cell {
    access_record write;
    access_record read[2]; /* readers that nothing orders, of different warps or blocks where there are */
    uint32_t block;        /* of shared memory: whose content it is; another block finds it fresh */
};

/* Pending: an asynchronous copy will write it. Suspected: read before anybody wrote it. */
struct shadow_state {
    bool initialised : 1, pending : 1, suspected : 1;
};

/* A stretch of memory with its cells. All start as zeros, and cost memory only once they are touched. */
struct shadow {
    const unsigned char *start;
    size_t bytes;
    const allocation *origin; /* NULL: shared memory */
    std::string name;         /* of shared memory */
    unsigned int shift;       /* a cell has 1 << shift bytes */
    shadow_cell *cells;       /* NULL: no memory for them */
    shadow_state *states;     /* apart from the cells, since the host's copies touch nothing else */

    shadow(const unsigned char *start_, size_t bytes_, const allocation *origin_, const std::string &name_);
    ~shadow();
    shadow(const shadow &) = delete;
    size_t cell_of(const unsigned char *address) const
    {
        return static_cast<size_t>(address - start) >> shift;
    }
    bool holds(const unsigned char *address, size_t wanted) const
    {
        return address >= start && wanted <= bytes && static_cast<size_t>(address - start) <= bytes - wanted;
    }
    /* Makes cells so small that this stretch consists of whole ones. */
    void fit(const unsigned char *from, size_t wanted);
    void initialise(const unsigned char *from, size_t wanted);

  private:
    size_t count() const
    {
        return (bytes >> shift) + 1;
    }
    void split();
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
