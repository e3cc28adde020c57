// SPDX-License-Identifier: MIT
// PNG (W3C, Portable Network Graphics, third edition): a header, the rows deflated by zlib, an end;
// each chunk with its length, name and checksum. There is no gamma chunk: the values are data.
#include "output/export/png16.h"

#include <string.h>
#include <zlib.h>

#include "core/memory.h"
#include "output/run/stream.h"

#define LEVEL 6               // of compression by zlib
#define IDAT_BYTES (1 << 15)  // of a chunk with rows

static void put32(unsigned char* to, uint32_t value)
{
    for (int k = 0; k < 4; k++) to[k] = (unsigned char)(value >> (24 - 8 * k));
}

static void add_chunk(firn_stream* s, const char name[4], const void* data, uint32_t bytes)
{
    unsigned char head[8], tail[4];
    put32(head, bytes);
    memcpy(head + 4, name, 4);
    uLong sum = crc32(0, head + 4, 4);
    if (bytes > 0) sum = crc32(sum, data, bytes);
    put32(tail, (uint32_t)sum);
    firn_stream_add(s, head, sizeof head);
    if (bytes > 0) firn_stream_add(s, data, bytes);
    firn_stream_add(s, tail, sizeof tail);
}

// zlib allocates through core/memory.h too.
static void* zlib_alloc(void* user, unsigned count, unsigned size)
{
    (void)user;
    return firn_alloc(count, size);
}

static void zlib_free(void* user, void* block)
{
    (void)user;
    firn_free(block);
}

// A row as differences to the pixel on the left, high byte first: filter 1 of the format.
// [1 + 2 width] bytes.
static void filter_row(const uint16_t* values, int32_t width, unsigned char* out)
{
    unsigned char high = 0, low = 0;
    *out++ = 1;
    for (int32_t i = 0; i < width; i++) {
        const unsigned char h = (unsigned char)(values[i] >> 8), l = (unsigned char)values[i];
        *out++ = (unsigned char)(h - high);
        *out++ = (unsigned char)(l - low);
        high = h;
        low = l;
    }
}

static firn_result add_rows(firn_stream* s, const uint16_t* values, int32_t width, int32_t height,
                            unsigned char* row, unsigned char* chunk)
{
    z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free};
    if (deflateInit(&z, LEVEL) != Z_OK) return FIRN_BROKEN_MEMORY;
    z.next_out = chunk;
    z.avail_out = IDAT_BYTES;
    int state = Z_OK;
    for (int32_t j = 0; j < height && state == Z_OK; j++) {
        filter_row(values + (size_t)j * (size_t)width, width, row);
        z.next_in = row;
        z.avail_in = 1 + 2 * (unsigned)width;
        const int flush = j + 1 == height ? Z_FINISH : Z_NO_FLUSH;
        do {
            state = deflate(&z, flush);
            if (z.avail_out > 0 && state != Z_STREAM_END) continue;
            add_chunk(s, "IDAT", chunk, IDAT_BYTES - z.avail_out);
            z.next_out = chunk;
            z.avail_out = IDAT_BYTES;
        } while (state == Z_OK && (z.avail_in > 0 || flush == Z_FINISH));
    }
    deflateEnd(&z);
    return state == Z_STREAM_END ? FIRN_OK : FIRN_BROKEN_INTERNAL;
}

firn_result firn_png16_write(const char* path, const uint16_t* values, int32_t width,
                             int32_t height, firn_error* error)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (width < 1 || height < 1 || width > (1 << 20) || height > (1 << 20))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "'%s' cannot have %d x %d pixels", path,
                         (int)width, (int)height);
    firn_stream* s = firn_alloc(1, sizeof *s);
    unsigned char* row = firn_alloc(1 + 2 * (size_t)width, 1);
    unsigned char* chunk = firn_alloc(IDAT_BYTES, 1);
    firn_result r = s != NULL && row != NULL && chunk != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
    const bool opened = r == FIRN_OK && (r = firn_stream_open(s, path, error)) == FIRN_OK;
    if (opened) {
        unsigned char header[13] = {[8] = 16};  // bits; grey, deflate, filters, not interlaced: 0
        put32(header, (uint32_t)width);
        put32(header + 4, (uint32_t)height);
        firn_stream_add(s, signature, sizeof signature);
        add_chunk(s, "IHDR", header, sizeof header);
        r = add_rows(s, values, width, height, row, chunk);
        add_chunk(s, "IEND", NULL, 0);
        r = firn_stream_commit(s, r);
    }
    if (r < 0) firn_fail(error, r, "out of memory writing '%s'", path);
    firn_free(s);
    firn_free(row);
    firn_free(chunk);
    return r;
}
