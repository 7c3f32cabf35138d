/* The launch geometry that all kernels share, for every extent from 1 to 4097 and every tile of the ladder: each row
 * and each column belongs to exactly one block, no block lies wholly outside but those of the last layer, and nothing
 * exceeds what CUDA allows. The larger extents around the limit of 65 535 blocks are there too. */
#include "tests/emulator/check.cuh"

/* One axis: blocks of `tile` cover `extent`, and no fewer would do. */
static bool covers(uint64_t blocks, int64_t extent, int tile)
{
    const uint64_t reach = blocks * static_cast<uint64_t>(tile), wanted = static_cast<uint64_t>(extent);
    return reach >= wanted && reach - static_cast<uint64_t>(tile) < wanted;
}

static void test_every_size(int tile)
{
    int wrong = 0, checked = 0;
    for (int64_t extent = 1; extent <= 4097; extent++, checked++) {
        const dim3 grid = duel_grid(extent, tile, 4098 - extent, tile);
        wrong += !covers(grid.x, extent, tile) || !covers(grid.y, 4098 - extent, tile) || grid.z != 1;
    }
    check(wrong == 0, "tiles of %d cover each of %d sizes, neither less nor more: %d wrong", tile, checked, wrong);
}

/* y stops at 65 535 blocks and carries on in z; together they cover the extent, and less than one more layer. */
static void test_tall(int64_t extent, int tile)
{
    const dim3 grid = duel_grid(1, tile, extent, tile);
    const uint64_t blocks = static_cast<uint64_t>(grid.y) * grid.z;
    const uint64_t needed = static_cast<uint64_t>((extent + tile - 1) / tile);
    check(grid.x == 1 && grid.y <= 65535 && grid.z <= 65535 && blocks >= needed && blocks - needed < grid.z,
          "%lld rows in tiles of %d: %u x %u blocks for %llu", static_cast<long long>(extent), tile, grid.y, grid.z,
          static_cast<unsigned long long>(needed));
}

/* Each block writes its number along y where its rows begin. */
static __global__ void number(int *rows, int64_t count)
{
    const int64_t block = duel_block_y();
    if (block < count)
        rows[block] += 1 + static_cast<int>(duel_block_x());
}

static void test_numbers(void)
{
    const size_t count = 70000;
    buffer<int> rows(count);
    std::fill(rows.host.begin(), rows.host.end(), 0);
    rows.up();
    DUEL_LAUNCH(number, duel_grid(1, 1, static_cast<int64_t>(count), 1), dim3(1), 0, nullptr, rows.pointer,
                static_cast<int64_t>(count));
    works("a grid of more than 65 535 blocks along y runs");
    rows.down();
    check(std::all_of(rows.host.begin(), rows.host.end(), [](int times) { return times == 1; }),
          "each of %zu rows of blocks is there exactly once", count);
}

static void tests()
{
    for (int tile : {1, 16, 32, 64, 128, 256})
        test_every_size(tile);
    for (int tile : {1, 32, 128})
        for (int64_t blocks : {65534, 65535, 65536, 131070, 131071, 1000000})
            for (int64_t over : {-1, 0, 1})
                test_tall(blocks * tile + over, tile);
    test_numbers();
}
