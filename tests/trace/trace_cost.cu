/* Sectors and bank conflicts of single requests, and how the accesses of lanes are put together, by hand. */
#include "gpu/emulator/hooked/trace.h"
#include "tests/emulator/check.cuh"

using emulated::warp_request;

/* Lane i asks for `bytes` at base + i * stride. */
static warp_request strided(uintptr_t base, uintptr_t stride, uint32_t bytes, uint32_t lanes = 0xffffffffU)
{
    warp_request request = {lanes, bytes, {}};
    for (unsigned int lane = 0; lane < 32; lane++)
        request.address[lane] = base + lane * stride;
    return request;
}

static void sectors()
{
    const struct {
        const char *what;
        warp_request request;
        unsigned int touched, packed;
    } cases[] = {
        {"neighbours", strided(0x1000, 4, 4), 4, 4},
        {"neighbours that start inside a sector", strided(0x1004, 4, 4), 5, 4},
        {"one value for all", strided(0x1000, 0, 4), 1, 1},
        {"a row apart", strided(0x1000, 1024, 4), 32, 4},
        {"every other value", strided(0x1000, 8, 4), 8, 4},
        {"float4", strided(0x1000, 16, 16), 16, 16},
        {"doubles", strided(0x1000, 8, 8), 8, 8},
        {"halves", strided(0x1000, 2, 2), 2, 2},
        {"bytes", strided(0x1000, 1, 1), 1, 1},
        {"backwards", strided(0x1080, static_cast<uintptr_t>(-4), 4), 5, 4},
        {"one lane", strided(0x1000, 4, 4, 1), 1, 1},
        {"eight lanes in the middle", strided(0x1000, 4, 4, 0xff00), 1, 1},
        {"float4 a row apart", strided(0x1000, 4096, 16), 32, 16},
    };
    for (const auto &c : cases) {
        const unsigned int touched = emulated::sectors_touched(c.request), packed = emulated::sectors_packed(c.request);
        check(touched == c.touched && packed == c.packed, "sectors, %s: %u (%u packed)", c.what, touched, packed);
    }
}

static void banks()
{
    const struct {
        const char *what;
        warp_request request;
        unsigned int rounds, free;
        bool atomic;
    } cases[] = {
        {"neighbours", strided(0, 4, 4), 1, 1, false},
        {"one value for all", strided(0, 0, 4), 1, 1, false},
        {"a column of 32 x 32", strided(0, 128, 4), 32, 1, false},
        {"a column of 32 x 33", strided(0, 132, 4), 1, 1, false},
        {"every other value", strided(0, 8, 4), 2, 1, false},
        {"doubles", strided(0, 8, 8), 2, 2, false},
        {"a column of doubles, 16 a row", strided(0, 128, 8), 32, 2, false},
        {"float4", strided(0, 16, 16), 4, 4, false},
        {"16 bytes of rows of 32", strided(0, 32, 16), 8, 4, false},
        {"16 bytes of rows of 48", strided(0, 48, 16), 4, 4, false},
        {"16 bytes of rows of 128", strided(0, 128, 16), 32, 4, false},
        {"halves, two a word", strided(0, 2, 2), 1, 1, false},
        {"float4 of one quarter", strided(0, 16, 16, 0xff), 1, 1, false},
        {"atomics on one word", strided(0, 0, 4), 32, 1, true},
        {"atomics on neighbours", strided(0, 4, 4), 1, 1, true},
    };
    for (const auto &c : cases) {
        const unsigned int rounds = emulated::rounds_needed(c.request, c.atomic);
        const unsigned int free = emulated::rounds_free(c.request);
        check(rounds == c.rounds && free == c.free, "rounds, %s: %u (%u without conflicts)", c.what, rounds, free);
    }
}

/* ---- logs ------------------------------------------------------------------------------------------------------ */

/* Counts requests of one place, their lanes, and those that are not certain. */
struct counter final : emulated::merge_listener {
    uintptr_t place;
    unsigned int requests = 0, lanes = 0, sectors = 0, uncertain = 0, blocks = 0;

    explicit counter(uintptr_t place_) : place(place_)
    {
    }
    void merged(uint64_t step, const warp_request &request, bool certain) override
    {
        blocks += emulated::step_is_block(step);
        if (emulated::step_is_block(step) || emulated::access_of(step).pc != place)
            return;
        requests++;
        lanes += static_cast<unsigned int>(__builtin_popcount(request.lanes));
        sectors += emulated::sectors_touched(request);
        uncertain += !certain;
    }
};

static emulated::lane_log logs[32];

static void enter(unsigned int lane, uintptr_t place)
{
    logs[lane].step.push_back(emulated::step_of(place));
    logs[lane].address.push_back(0);
}

static void load(unsigned int lane, uintptr_t place, uintptr_t address)
{
    logs[lane].step.push_back(emulated::step_of({place, nullptr, 4, emulated::access_load, emulated::space_global}));
    logs[lane].address.push_back(address);
}

static void equal_lanes()
{
    counter counted(0x20);
    for (unsigned int lane = 0; lane < 32; lane++) {
        enter(lane, 0x10);
        for (unsigned int round = 0; round < 5; round++)
            load(lane, 0x20, 0x1000 + 128 * round + 4 * lane);
    }
    emulated::merge_lanes(logs, 32, &counted);
    check(counted.requests == 5 && counted.lanes == 160 && counted.sectors == 20 && !counted.uncertain,
          "lanes that do the same share their requests: %u", counted.requests);
    check(counted.blocks == 1 && logs[0].step.empty(), "and their blocks, and the logs are empty");
}

/* Lane i goes round i + 1 times: 32 requests of 32, 31, ... lanes. */
static void one_loop()
{
    counter counted(0x24);
    for (unsigned int lane = 0; lane < 32; lane++)
        for (unsigned int round = 0; round <= lane; round++) {
            enter(lane, 0x20);
            load(lane, 0x24, 0x1000 + 128 * round + 4 * lane);
        }
    emulated::merge_lanes(logs, 32, &counted);
    check(counted.requests == 32 && counted.lanes == 32 * 33 / 2, "a loop of different length per lane: %u requests",
          counted.requests);
    check(counted.uncertain == 31, "31 of them are marked: %u", counted.uncertain);
}

/* The inner loop's length depends on lane and outer round; all lanes read the same word in the same rounds, so every
 * request is a broadcast, which matching by the mere count of accesses would miss. */
static void nested_loops()
{
    counter counted(0x34), after(0x44);
    unsigned int wanted = 0;
    for (unsigned int outer = 0; outer < 6; outer++) {
        unsigned int longest = 0;
        for (unsigned int lane = 0; lane < 32; lane++) {
            const unsigned int rounds = 1 + (lane * 7 + outer * 3) % 5;
            longest = std::max(longest, rounds);
            enter(lane, 0x20);
            for (unsigned int round = 0; round < rounds; round++) {
                enter(lane, 0x30);
                load(lane, 0x34, 0x10000 + 4096 * outer + 64 * round);
            }
            enter(lane, 0x40);
            load(lane, 0x44, 0x1000 + 4 * lane);
        }
        wanted += longest;
    }
    emulated::lane_log copy[32];
    std::copy(logs, logs + 32, copy);
    emulated::merge_lanes(logs, 32, &counted);
    check(counted.requests == wanted && counted.sectors == wanted,
          "nested loops of different length: %u requests, %u sectors", counted.requests, counted.sectors);
    emulated::merge_lanes(copy, 32, &after);
    check(after.requests == 6 && after.sectors == 24 && !after.uncertain, "and what follows them is whole again: %u",
          after.requests);
}

static void branch()
{
    counter yes(0x24);
    for (unsigned int lane = 0; lane < 32; lane++) {
        enter(lane, 0x10);
        enter(lane, lane % 2 ? 0x20 : 0x30);
        load(lane, lane % 2 ? 0x24 : 0x34, 0x1000 + 4 * lane);
        enter(lane, 0x40);
    }
    emulated::merge_lanes(logs, 32, &yes);
    check(yes.requests == 1 && yes.lanes == 16 && yes.uncertain == 1, "a branch halves the warp: %u lanes", yes.lanes);
    check(yes.blocks == 4, "and both sides are issued: %u blocks", yes.blocks);
}

static void missing_lanes()
{
    counter counted(0x20);
    for (unsigned int lane = 0; lane < 7; lane++)
        load(lane, 0x20, 0x1000 + 4 * lane);
    emulated::merge_lanes(logs, 7, &counted);
    emulated::merge_lanes(logs, 32, &counted); /* nothing happened: no request */
    check(counted.requests == 1 && counted.lanes == 7 && !counted.uncertain, "a warp of seven lanes: %u",
          counted.lanes);
}

static void tests()
{
    sectors();
    banks();
    equal_lanes();
    one_loop();
    nested_loops();
    branch();
    missing_lanes();
}
