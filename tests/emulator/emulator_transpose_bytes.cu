/* The transposition that cuBLASLt's one-byte types need, for every kind of edge, with spare bytes after each row. */
#include "gpu/device/transpose_bytes.cuh"
#include "tests/emulator/check.cuh"

static void transposes(int64_t rows, int64_t columns, int64_t spare)
{
    const int64_t ld = columns + spare, to_ld = rows + spare;
    buffer<unsigned char> from(static_cast<size_t>(rows * ld)), to(static_cast<size_t>(columns * to_ld));
    for (size_t i = 0; i < from.host.size(); i++)
        from.host[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
    std::fill(to.host.begin(), to.host.end(), 0xA5);
    from.up();
    to.up();
    duel_transpose_bytes(backend->queue ? backend->queue(device) : nullptr, rows, columns, from.pointer, ld, to.pointer,
                         to_ld);
    works("a matrix of bytes");
    to.down();
    int wrong = 0;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < to_ld; i++) {
            const unsigned char wanted = i < rows ? from.host[static_cast<size_t>(i * ld + j)] : 0xA5;
            wrong += to.host[static_cast<size_t>(j * to_ld + i)] != wanted;
        }
    check(wrong == 0, "%lld x %lld, %lld spare: %d bytes wrong", static_cast<long long>(rows),
          static_cast<long long>(columns), static_cast<long long>(spare), wrong);
}

static void tests()
{
    static const int64_t extents[] = {4, 16, 60, 64, 68, 208};
    for (int64_t rows : extents)
        for (int64_t columns : extents)
            transposes(rows, columns, (rows + columns) % 3 * 4);
}
