/* picture.c: PNG files in and out, by libpng. It reports errors by longjmp(): each function that sets such a mark keeps
 * what it still needs behind a pointer, because locals of its own would be lost. */
#include "bench/matrix/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrix/npy_header.h"
#include "bench/matrix/replacement.h"

bool picture_named(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcasecmp(path + length - 4, ".png") == 0;
}

#ifndef HAVE_PNG

static enum duel_status no_library(const char *path, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "this program was built without libpng and knows no pictures",
                     "install libpng-dev and run make, or convert the picture to .npy", "%s is a PNG file",
                     npy_shown(path));
}

enum duel_status picture_peek(const char *path, struct duel_picture *picture, struct duel_why *why)
{
    *picture = (struct duel_picture){0};
    return no_library(path, why);
}

enum duel_status picture_read(const char *path, struct duel_picture *picture, struct duel_why *why)
{
    *picture = (struct duel_picture){0};
    return no_library(path, why);
}

enum duel_status picture_write(const char *path, const struct duel_picture *picture, struct duel_why *why)
{
    (void)picture;
    return no_library(path, why);
}

#else
#include <png.h>

enum { SIGNATURE = 8, SIDE = 1 << 20, CHUNK_BYTES = 8 << 20, CHUNKS = 100 };
/* Deflate makes at most this many bytes of one. */
#define MOST_INFLATED 1032.0

/* One file under way; libpng's functions get it back as their error pointer. */
struct passage {
    png_structp png;
    png_infop info;
    FILE *file;
    uint64_t bytes; /* of the file */
    const char *shown;
    char message[128];
};

static void on_error(png_structp png, png_const_charp message)
{
    struct passage *passage = png_get_error_ptr(png);
    snprintf(passage->message, sizeof passage->message, "%s", message);
    png_longjmp(png, 1);
}

/* What can be read all the same is no news: a wrong checksum in a comment, say. */
static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static enum duel_status damaged(const struct passage *passage, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "half a picture would be filtered", "repair it or save it again as PNG",
                     "%s is damaged or cut off: %s", passage->shown, passage->message);
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

static enum duel_status open_regular(struct passage *passage, const char *path, struct duel_why *why)
{
    struct stat about;
    unsigned char signature[SIGNATURE];
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    passage->shown = npy_shown(path);
    passage->file = file < 0 ? NULL : fdopen(file, "rb");
    if (!passage->file || fstat(file, &about) != 0)
        return duel_fail(why, DUEL_EINVAL, "there is no picture to filter", "check the path and its permissions",
                         "%s cannot be opened: %s", passage->shown, strerror(errno));
    passage->bytes = (uint64_t)about.st_size;
    if (!S_ISREG(about.st_mode))
        return duel_fail(why, DUEL_EINVAL, "a picture is read from a regular file", "name a PNG file", "%s is %s",
                         passage->shown, S_ISDIR(about.st_mode) ? "a directory" : "a device, pipe or socket");
    if (fread(signature, 1, SIGNATURE, passage->file) == SIGNATURE && png_sig_cmp(signature, 0, SIGNATURE) == 0)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "no other format is read", "convert it to PNG", "%s is no PNG file",
                     passage->shown);
}

static bool start_reading(struct passage *passage)
{
    passage->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, passage, on_error, on_warning);
    passage->info = passage->png ? png_create_info_struct(passage->png) : NULL;
    snprintf(passage->message, sizeof passage->message, "out of memory");
    if (!passage->info || setjmp(png_jmpbuf(passage->png)))
        return false;
    png_set_user_limits(passage->png, SIDE, SIDE);
    png_set_chunk_malloc_max(passage->png, CHUNK_BYTES);
    png_set_chunk_cache_max(passage->png, CHUNKS);
    png_init_io(passage->png, passage->file);
    png_set_sig_bytes(passage->png, SIGNATURE);
    png_read_info(passage->png, passage->info);
    return true;
}

/* Whatever the file has becomes 16 bits per sample and no palette. */
static bool widen(struct passage *passage, struct duel_picture *picture)
{
    if (setjmp(png_jmpbuf(passage->png)))
        return false;
    picture->width = png_get_image_width(passage->png, passage->info);
    picture->height = png_get_image_height(passage->png, passage->info);
    picture->bits = png_get_bit_depth(passage->png, passage->info) == 16 ? 16 : 8;
    png_set_expand_16(passage->png);
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(passage->png);
    png_set_interlace_handling(passage->png);
    return true;
}

static enum duel_status check_size(const struct passage *passage, const struct duel_picture *picture, double raw,
                                   struct duel_why *why)
{
    if ((double)picture->width * (double)picture->height > (double)PICTURE_PIXELS)
        return duel_fail(why, DUEL_EINVAL, "its samples and their copies would need gigabytes", "make it smaller",
                         "%s has %lld x %lld pixels; %lld are the most", passage->shown, (long long)picture->width,
                         (long long)picture->height, (long long)PICTURE_PIXELS);
    if (raw <= MOST_INFLATED * (double)passage->bytes)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "half a picture would be filtered", "get it again, or save it again as PNG",
                     "%s is cut off: %llu bytes cannot hold %lld x %lld pixels", passage->shown,
                     (unsigned long long)passage->bytes, (long long)picture->width, (long long)picture->height);
}

static enum duel_status open_picture(struct passage *passage, const char *path, struct duel_picture *picture,
                                     struct duel_why *why)
{
    *picture = (struct duel_picture){0};
    *passage = (struct passage){0};
    enum duel_status status = open_regular(passage, path, why);
    if (status != DUEL_OK)
        return status;
    if (!start_reading(passage))
        return damaged(passage, why);
    const double raw = (double)png_get_rowbytes(passage->png, passage->info); /* of a row, as the file has it */
    if (!widen(passage, picture))
        return damaged(passage, why);
    return check_size(passage, picture, raw * (double)picture->height, why);
}

static void close_picture(struct passage *passage)
{
    if (passage->png)
        png_destroy_read_struct(&passage->png, &passage->info, NULL);
    if (passage->file)
        fclose(passage->file);
}

/* How many channels there will be, after all changes. */
static bool count_channels(struct passage *passage, struct duel_picture *picture)
{
    if (setjmp(png_jmpbuf(passage->png)))
        return false;
    png_read_update_info(passage->png, passage->info);
    picture->channels = png_get_channels(passage->png, passage->info);
    return true;
}

/* An interlaced picture comes in seven passes over the same rows. */
static bool read_samples(struct passage *passage, const struct duel_picture *picture, int passes)
{
    if (setjmp(png_jmpbuf(passage->png)))
        return false;
    for (int pass = 0; pass < passes; pass++)
        for (int64_t i = 0; i < picture->height; i++)
            png_read_row(passage->png, (png_bytep)(picture->sample + i * picture->width * picture->channels), NULL);
    png_read_end(passage->png, NULL);
    return true;
}

enum duel_status picture_peek(const char *path, struct duel_picture *picture, struct duel_why *why)
{
    struct passage passage;
    enum duel_status status = open_picture(&passage, path, picture, why);
    if (status == DUEL_OK && !count_channels(&passage, picture))
        status = damaged(&passage, why);
    close_picture(&passage);
    return status;
}

enum duel_status picture_read(const char *path, struct duel_picture *picture, struct duel_why *why)
{
    struct passage passage;
    enum duel_status status = open_picture(&passage, path, picture, why);
    if (status == DUEL_OK && !count_channels(&passage, picture))
        status = damaged(&passage, why);
    if (status == DUEL_OK) {
        const size_t samples = (size_t)(picture->width * picture->height) * (size_t)picture->channels;
        const int passes = png_get_interlace_type(passage.png, passage.info) == PNG_INTERLACE_NONE ? 1 : 7;
        picture->sample = calloc(samples, sizeof *picture->sample);
        if (!picture->sample)
            status = duel_fail(why, DUEL_ENOMEM, "the picture cannot be held", "close other programs",
                               "out of memory for %zu samples", samples);
        else if (!read_samples(&passage, picture, passes))
            status = damaged(&passage, why);
    }
    if (status != DUEL_OK) {
        free(picture->sample);
        picture->sample = NULL;
    }
    close_picture(&passage);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

/* One row as the file wants it: samples of 16 bits with the high byte first, or rounded to 8. */
static void pack_row(const struct duel_picture *picture, int64_t row, unsigned char *to)
{
    const int64_t count = picture->width * picture->channels;
    const uint16_t *from = picture->sample + row * count;
    for (int64_t i = 0; i < count; i++)
        if (picture->bits == 16) {
            to[2 * i] = (unsigned char)(from[i] >> 8);
            to[2 * i + 1] = (unsigned char)(from[i] & 0xFF);
        } else {
            to[i] = (unsigned char)((from[i] + 128u) / 257);
        }
}

static bool write_samples(struct passage *passage, const struct duel_picture *picture, unsigned char *row)
{
    static const int kind[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(passage->png)))
        return false;
    png_init_io(passage->png, passage->file);
    png_set_IHDR(passage->png, passage->info, (png_uint_32)picture->width, (png_uint_32)picture->height, picture->bits,
                 kind[picture->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(passage->png, passage->info);
    for (int64_t i = 0; i < picture->height; i++) {
        pack_row(picture, i, row);
        png_write_row(passage->png, row);
    }
    png_write_end(passage->png, NULL);
    return true;
}

enum duel_status picture_write(const char *path, const struct duel_picture *picture, struct duel_why *why)
{
    struct duel_replacement replacement;
    struct passage passage = {0};
    enum duel_status status = replacement_begin(&replacement, path, why);
    if (status != DUEL_OK)
        return status;
    unsigned char *row = calloc((size_t)picture->width, 2 * (size_t)picture->channels);
    passage.file = replacement.file;
    passage.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &passage, on_error, on_warning);
    passage.info = passage.png ? png_create_info_struct(passage.png) : NULL;
    if (!row || !passage.info)
        status = duel_fail(why, DUEL_ENOMEM, "the picture is not saved", "close other programs",
                           "out of memory for a row of %lld pixels", (long long)picture->width);
    else if (!write_samples(&passage, picture, row))
        status = replacement_failed(path, why);
    if (passage.png)
        png_destroy_write_struct(&passage.png, &passage.info);
    free(row);
    return replacement_end(&replacement, status, why);
}
#endif
