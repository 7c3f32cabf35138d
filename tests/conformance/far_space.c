/* far_space.c: memory of operands whose rows lie far apart. Only pages that are touched take any. */
#include "tests/conformance/far_space.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"

#define BEFORE ((size_t)1 << 31) /* elements that a negative index can reach */

static size_t at(const struct space *space, int64_t row, int64_t column)
{
    return (size_t)(row * space->ld + column);
}

double space_number(int operand, int64_t row, int64_t column)
{
    return (double)((7 * row + 3 * column + 5 * operand) % 5 - 2);
}

/* A device with memory of its own reports accesses beside it. */
bool space_reserve(const struct duel_place *place, struct space *space, struct duel_why *why)
{
    const size_t size = dtype_size(space->type), bytes = (at(space, space->rows - 1, 0) + 2 * SPACE_PADDING) * size;
    void *pointer = NULL;
    if (place->backend->upload) {
        const enum duel_status status = place->backend->alloc(place->device, bytes, &pointer, why);
        space->start = pointer;
        return status == DUEL_OK;
    }
    space->bytes = BEFORE * size + bytes;
    space->map = mmap(NULL, space->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space->map == MAP_FAILED) {
        space->map = NULL;
        duel_fail(why, DUEL_SKIP, NULL, NULL, "this system promises no address space that it has no memory for");
        return false;
    }
    (void)madvise(space->map, space->bytes, MADV_NOHUGEPAGE);
    space->start = space->map + BEFORE * size;
    return true;
}

void space_give_back(const struct duel_place *place, const struct space *space)
{
    if (space->map)
        munmap(space->map, space->bytes);
    else if (space->start)
        place->backend->release(place->device, space->start);
}

/* One row with its padding, to or from where kernels see it. */
void space_move_row(const struct duel_place *place, const struct space *space, int64_t row, void *buffer, int64_t count,
                    bool back)
{
    const size_t size = dtype_size(space->type), bytes = (size_t)count * size;
    char *there = space->start + at(space, row, 0) * size;
    struct duel_why why = {{0}, {0}, {0}};
    enum duel_status status = DUEL_OK;
    if (!place->backend->upload)
        memcpy(back ? buffer : there, back ? there : buffer, bytes);
    else if (back)
        status = place->backend->download(place->device, buffer, there, bytes, &why);
    else
        status = place->backend->upload(place->device, there, buffer, bytes, &why);
    if (status != DUEL_OK)
        fail_msg("%s", why.seen);
}

void space_fill(const struct duel_place *place, const struct space *space, int operand, bool unwritten)
{
    const int64_t count = space->columns + SPACE_PADDING;
    double buffer[SPACE_COLUMNS + SPACE_PADDING];
    for (int64_t i = 0; i < space->rows; i++) {
        for (int64_t j = 0; j < count; j++)
            dtype_store(space->type, buffer, (size_t)j,
                        unwritten || j >= space->columns ? NAN : space_number(operand, i, j));
        space_move_row(place, space, i, buffer, count, false);
    }
}
