/* far_space.h: operands in address space that hardly any memory stands behind. */
#ifndef TESTS_FAR_SPACE_H
#define TESTS_FAR_SPACE_H

#include "bench/registry/registry.h"

/* The most that an operand may have, and what behind each row is looked at too. */
enum { SPACE_COLUMNS = 64, SPACE_ROWS = 64, SPACE_PADDING = 256 };

/* One operand: its first element, and the address space around it. */
struct space {
    char *map, *start;
    size_t bytes;
    enum duel_dtype type;
    int64_t rows, columns, ld;
};

/* The whole numbers that all operands are made of. */
double space_number(int operand, int64_t row, int64_t column);
/* Address space for it; type and extents are set. False with *why filled where this system has none to give. */
bool space_reserve(const struct duel_place *place, struct space *space, struct duel_why *why);
void space_give_back(const struct duel_place *place, const struct space *space);
/* One row with its padding, to or from where kernels see it. */
void space_move_row(const struct duel_place *place, const struct space *space, int64_t row, void *buffer, int64_t count,
                    bool back);
/* All numbers; padding, and with `unwritten` everything, is NaN. */
void space_fill(const struct duel_place *place, const struct space *space, int operand, bool unwritten);

#endif
