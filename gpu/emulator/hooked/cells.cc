/* cells.cc: one access against what the shadow cells remember: is its value there, and does something order it with the
 * earlier accesses? */
#include "gpu/emulator/hooked/cells.h"

#include "gpu/emulator/hooked/order.h"

#include <algorithm>

namespace emulated
{

/* A read of what nobody has written yet. It may turn out to be a race with a write that comes later. */
struct suspicion {
    const shadow *memory;
    size_t offset;
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
        m.array = memory->origin ? memory->origin->name : memory->name;
        m.offset = what.address - memory->start;
        m.array_bytes = memory->bytes;
        m.element_bytes = memory->origin && memory->origin->element_bytes ? memory->origin->element_bytes : what.bytes;
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
    relation wide = order_relation(earlier, l->now);
    if (wide == same_warp && (earlier.atomic || l->now.atomic)) /* atomics follow each other from everywhere */
        wide = same_block;
    mistake m = mistake_begin(kinds[wide], l->what, l->now, l->memory);
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
    return !(earlier.atomic && now.atomic) && !order_holds(earlier, now);
}

/* Keeps `now` in place of a reader that it follows; else beside one, so that the two are of different blocks or warps
 * if any are: whoever writes later is then unordered with one of them. */
static void add_reader(shadow_cell *cell, const access_record &now)
{
    for (access_record &reader : cell->read)
        if (order_holds(reader, now)) {
            reader = now;
            return;
        }
    if (order_relation(cell->read[1], now) > order_relation(cell->read[1], cell->read[0]))
        cell->read[0] = now;
    else if (order_relation(cell->read[0], now) > order_relation(cell->read[0], cell->read[1]))
        cell->read[1] = now;
}

static void suspect(const look *l)
{
    if (!l->told)
        suspicions.push_back({l->memory, static_cast<size_t>(l->what.address - l->memory->start),
                              mistake_begin(not_initialised, l->what, l->now, l->memory)});
}

static void check_read(look *l, shadow_cell *cell, shadow_state *state)
{
    if (state->pending && order_holds(cell->write, l->now))
        too_early(l, cell->write);
    else if (conflicts(cell->write, l->now))
        race(l, cell->write, true);
    else if (!state->initialised && !l->what.later) {
        suspect(l);
        state->suspected = true;
    }
    state->initialised = true; /* once is enough */
}

static void check_write(look *l, shadow_cell *cell, shadow_state *state)
{
    if (conflicts(cell->write, l->now))
        race(l, cell->write, true);
    access_record *const read = cell->read;
    const bool first = conflicts(read[0], l->now), second = conflicts(read[1], l->now);
    if (first || second) {
        const bool wider = first && (!second || order_relation(read[0], l->now) >= order_relation(read[1], l->now));
        race(l, wider ? read[0] : read[1], false);
        state->suspected = false; /* that is why it had no value when it was read */
    }
    read[0].block = read[1].block = 0;
    state->pending = l->what.kind == access_pending;
    state->initialised = true;
    cell->write = l->now;
}

static void check_cell(look *l, shadow_cell *cell, shadow_state *state)
{
    if (!l->memory->origin && cell->block != order_block_number()) {
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
    memory->fit(what.address, what.bytes);
    if (!memory->cells)
        return;
    const size_t first = memory->cell_of(what.address), end = first + (what.bytes >> memory->shift);
    for (size_t i = first; i < end; i++)
        check_cell(&l, &memory->cells[i], &memory->states[i]);
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
        if (s.memory->origin && !all)
            kept.push_back(s);
        else if (s.memory->cells && s.memory->states[s.offset >> s.memory->shift].suspected)
            findings_add(s.what);
    }
    suspicions.swap(kept);
}

} // namespace emulated
