/* cells.cc: one access against what the shadow cells remember: is its value there, and does something order it with the
 * earlier accesses? */
#include "gpu/emulator/hooked/cells.h"

#include "gpu/emulator/hooked/order.h"

#include <algorithm>

namespace emulated
{

/* A read of what nobody has written yet. It may turn out to be a race with a write that comes later. */
struct suspicion {
    const shadow_state *state;
    uint8_t bytes;
    bool shared;
    mistake what;
};
static std::vector<suspicion> suspicions;

mistake mistake_begin(mistake_kind kind, const memory_access &what, const access_record &now, const shadow *memory)
{
    mistake m = {};
    m.kind = kind;
    m.here = now;
    m.here_kind = what.kind;
    m.kernel = gpu.name;
    m.block = gpu.block_index;
    if (memory) {
        m.array = memory->name;
        m.offset = what.address - memory->start;
        m.array_bytes = memory->bytes;
        m.element_bytes = memory->element_bytes ? memory->element_bytes : what.bytes;
    }
    return m;
}

/* An access, cell by cell. What is wrong with it is told once, at the first cell. */
struct look {
    const memory_access &what;
    shadow *memory;
    access_record now;
    bool told;
};

static void race(look *l, const access_record &earlier, bool earlier_writes)
{
    static const mistake_kind kinds[] = {race_in_warp, race_in_block, race_between_blocks};
    if (l->told)
        return;
    l->told = true;
    mistake m = mistake_begin(kinds[order_relation(earlier, l->now)], l->what, l->now, l->memory);
    m.there = earlier;
    m.there_kind = earlier.atomic ? access_atomic : earlier_writes ? access_store : access_load;
    m.other_block = order_block_index(earlier.block);
    findings_add(m);
}

static void too_early(look *l, const access_record &copy)
{
    if (l->told)
        return;
    l->told = true;
    mistake m = mistake_begin(not_waited_for, l->what, l->now, l->memory);
    m.there = copy;
    m.there_kind = access_pending;
    m.other_block = order_block_index(copy.block);
    findings_add(m);
}

static bool conflicts(const access_record &earlier, const access_record &now)
{
    return (earlier.bytes & now.bytes) != 0 && !(earlier.atomic && now.atomic) && !order_holds(earlier, now);
}

/* Keeps `now` in place of a reader that it follows; else beside one, so that the two are of different blocks or warps
 * if any are: whoever writes later is then unordered with one of them. */
static void add_reader(shadow_cell *cell, const access_record &now)
{
    for (access_record &reader : cell->read)
        if (reader.block == 0 || ((reader.bytes & ~now.bytes) == 0 && order_holds(reader, now))) {
            reader = now;
            return;
        }
    if (order_relation(cell->read[1], now) > order_relation(cell->read[1], cell->read[0]))
        cell->read[0] = now;
    else if (order_relation(cell->read[0], now) > order_relation(cell->read[0], cell->read[1]))
        cell->read[1] = now;
}

static void check_read(look *l, shadow_cell *cell, shadow_state *state)
{
    const unsigned int missing = l->now.bytes & ~static_cast<unsigned int>(state->initialised);
    if ((state->pending & l->now.bytes) != 0 && order_holds(cell->write, l->now))
        too_early(l, cell->write);
    else if (conflicts(cell->write, l->now))
        race(l, cell->write, true);
    else if (missing != 0 && !l->told)
        suspicions.push_back({state, static_cast<uint8_t>(missing), l->memory->shared,
                              mistake_begin(not_initialised, l->what, l->now, l->memory)});
    state->suspected |= missing;
    state->initialised |= missing; /* once is enough */
}

static void check_write(look *l, shadow_cell *cell, shadow_state *state)
{
    if (conflicts(cell->write, l->now))
        race(l, cell->write, true);
    for (const access_record &reader : cell->read)
        if (conflicts(reader, l->now)) {
            race(l, reader, false);
            state->suspected &= ~l->now.bytes; /* that is why it had no value when it was read */
        }
    const bool pending = l->what.kind == access_pending;
    state->pending = pending ? state->pending | l->now.bytes : state->pending & ~l->now.bytes;
    state->initialised |= l->now.bytes;
    cell->write = l->now;
    cell->read[0].block = cell->read[1].block = 0;
    cell->read[0].bytes = cell->read[1].bytes = 0;
}

static void check_cell(look *l, shadow_cell *cell, shadow_state *state)
{
    if (l->memory->shared && cell->block != order_block_number()) {
        *cell = {};
        *state = {};
        cell->block = order_block_number();
    }
    if (l->what.kind == access_load || l->what.kind == access_atomic)
        check_read(l, cell, state);
    if (l->what.kind == access_load)
        add_reader(cell, l->now);
    else
        check_write(l, cell, state);
}

void cells_check(const memory_access &what, shadow *memory, const access_record &now)
{
    look l = {what, memory, now, false};
    for (uint32_t byte = 0; byte < what.bytes;) {
        const unsigned char *address = what.address + byte;
        const size_t cell = memory->cell_of(address);
        const size_t within = static_cast<size_t>(address - memory->start) % cell_bytes;
        const size_t count = std::min<size_t>(cell_bytes - within, what.bytes - byte);
        l.now.bytes = static_cast<uint8_t>(((1U << count) - 1) << within);
        check_cell(&l, &memory->cells[cell], &memory->states[cell]);
        byte += static_cast<uint32_t>(count);
    }
}

void cells_begin()
{
    suspicions.clear();
}

/* Of shared memory at the end of each block, of global memory when all blocks are through. */
void cells_settle(bool all)
{
    std::vector<suspicion> kept;
    for (const suspicion &s : suspicions) {
        if (!s.shared && !all)
            kept.push_back(s);
        else if ((s.state->suspected & s.bytes) != 0)
            findings_add(s.what);
    }
    suspicions = kept;
}

} // namespace emulated
