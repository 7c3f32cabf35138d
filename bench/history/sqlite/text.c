/* text.c: run files are digits for the most part; zlib makes them about half as long. Each run is one zlib stream, cut
 * into the rows of the table `part`; its checksum tells that what comes out is what went in. */
#include <stdlib.h>
#include <string.h>
/* Input is read only, and zlib says so when asked to. */
#define ZLIB_CONST
#include <zlib.h>

#include "bench/history/sqlite/store.h"

#define WORTH_A_ROW ((size_t)256 << 10)
/* The fast levels are several times as fast as the usual one, and digits gain little from it. */
#define LEVEL 3

struct store_pack {
    z_stream stream;
    unsigned char *out;
    size_t used, capacity;
    int64_t total, parts;
    bool failed, started;
};

enum duel_status pack_open(struct store_pack **pack, struct duel_why *why)
{
    *pack = calloc(1, sizeof **pack);
    if (*pack && deflateInit(&(*pack)->stream, LEVEL) == Z_OK) {
        (*pack)->started = true;
        return DUEL_OK;
    }
    pack_close(*pack);
    *pack = NULL;
    return store_no_memory(why);
}

void pack_close(struct store_pack *pack)
{
    if (!pack)
        return;
    if (pack->started)
        deflateEnd(&pack->stream);
    free(pack->out);
    free(pack);
}

int64_t pack_total(const struct store_pack *pack)
{
    return pack->total;
}

static bool make_room(struct store_pack *pack)
{
    const size_t capacity = pack->capacity ? 2 * pack->capacity : 2 * WORTH_A_ROW;
    unsigned char *out = realloc(pack->out, capacity);
    if (!out)
        return false;
    pack->out = out;
    pack->capacity = capacity;
    return true;
}

static void deflate_all(struct store_pack *pack, int flush)
{
    int code = Z_OK;
    do {
        if (pack->used == pack->capacity && !make_room(pack)) {
            pack->failed = true;
            return;
        }
        const size_t room = pack->capacity - pack->used;
        pack->stream.next_out = pack->out + pack->used;
        pack->stream.avail_out = room < UINT32_MAX ? (uInt)room : UINT32_MAX;
        code = deflate(&pack->stream, flush);
        pack->used = (size_t)(pack->stream.next_out - pack->out);
    } while (pack->stream.avail_in > 0 || (flush == Z_FINISH && code != Z_STREAM_END));
}

void pack_bytes(void *context, const char *bytes, size_t size)
{
    struct store_pack *pack = context;
    pack->total += (int64_t)size;
    while (size > 0 && !pack->failed) {
        const size_t piece = size < UINT32_MAX ? size : UINT32_MAX;
        pack->stream.next_in = (const Bytef *)bytes;
        pack->stream.avail_in = (uInt)piece;
        deflate_all(pack, Z_NO_FLUSH);
        bytes += piece;
        size -= piece;
    }
}

enum duel_status pack_flush(struct store_pack *pack, struct duel_history *history, int64_t run, bool end,
                            struct duel_why *why)
{
    if (end && !pack->failed)
        deflate_all(pack, Z_FINISH);
    if (pack->failed)
        return store_no_memory(why);
    if (pack->used == 0 || (!end && pack->used < WORTH_A_ROW))
        return DUEL_OK;
    sqlite3_stmt *add = store_query(history, STORE_ADD_PART);
    sqlite3_bind_int64(add, 1, run);
    sqlite3_bind_int64(add, 2, pack->parts++);
    sqlite3_bind_blob64(add, 3, pack->out, pack->used, SQLITE_STATIC);
    pack->used = 0;
    return store_run(history, add, why);
}

/* ---- and back --------------------------------------------------------------------------------------------------- */

static enum duel_status torn(const struct duel_history *history, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "the data base is damaged, so this run cannot be given back",
                     "put a copy in its place, or move it away and import the run files again",
                     "the history %s: the text of a run does not agree with its checksum", history->path);
}

/* One row through the stream; *on: more is wanted. */
static int inflate_part(z_stream *stream, sqlite3_stmt *parts, store_piece_seen *seen, void *context, bool *on)
{
    unsigned char out[1 << 16];
    int code = Z_OK;
    stream->next_in = sqlite3_column_blob(parts, 0);
    stream->avail_in = (uInt)sqlite3_column_bytes(parts, 0);
    do {
        stream->next_out = out;
        stream->avail_out = sizeof out;
        code = inflate(stream, Z_NO_FLUSH);
        *on = (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) &&
              seen(context, out, sizeof out - stream->avail_out);
    } while (*on && code == Z_OK && (stream->avail_in > 0 || stream->avail_out == 0));
    /* All of the input is used up and nothing is left to give: the stream waits for the next row. */
    return code == Z_BUF_ERROR ? Z_OK : code;
}

enum duel_status store_unpack(struct duel_history *history, int64_t run, store_piece_seen *seen, void *context,
                              struct duel_why *why)
{
    z_stream stream = {0};
    sqlite3_stmt *parts = store_query(history, STORE_PARTS);
    int code = SQLITE_ERROR, inflated = inflateInit(&stream);
    bool on = inflated == Z_OK;
    if (inflated != Z_OK)
        return store_no_memory(why);
    sqlite3_bind_int64(parts, 1, run);
    while (on && (code = sqlite3_step(parts)) == SQLITE_ROW && inflated == Z_OK)
        inflated = inflate_part(&stream, parts, seen, context, &on);
    inflateEnd(&stream);
    sqlite3_reset(parts);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_fault(history, code, why);
    const bool stopped = !on && (inflated == Z_OK || inflated == Z_STREAM_END);
    return stopped || (inflated == Z_STREAM_END && code == SQLITE_DONE) ? DUEL_OK : torn(history, why);
}
