// SPDX-License-Identifier: MIT
#include "output/hdf5/h5_deflate.h"

#include "core/memory.h"

#ifdef FIRN_HAVE_LIBDEFLATE
#include <libdeflate.h>

firn_deflater* firn_deflater_create(int level)
{
    return (firn_deflater*)libdeflate_alloc_compressor(level);
}

void firn_deflater_destroy(firn_deflater* deflater)
{
    libdeflate_free_compressor((struct libdeflate_compressor*)deflater);
}

size_t firn_deflate_bound(size_t bytes)
{
    return libdeflate_zlib_compress_bound(NULL, bytes);
}

size_t firn_deflate(firn_deflater* deflater, const void* from, size_t bytes, void* to, size_t room)
{
    return libdeflate_zlib_compress((struct libdeflate_compressor*)deflater, from, bytes, to, room);
}

bool firn_deflate_is_zlib(void)
{
    return false;
}
#else
#include <zlib.h>

struct firn_deflater {
    int level;
};

firn_deflater* firn_deflater_create(int level)
{
    firn_deflater* deflater = firn_alloc(1, sizeof *deflater);
    if (deflater != NULL) deflater->level = level;
    return deflater;
}

void firn_deflater_destroy(firn_deflater* deflater)
{
    firn_free(deflater);
}

size_t firn_deflate_bound(size_t bytes)
{
    return compressBound(bytes);
}

size_t firn_deflate(firn_deflater* deflater, const void* from, size_t bytes, void* to, size_t room)
{
    uLongf length = room;
    return compress2(to, &length, from, bytes, deflater->level) == Z_OK ? length : 0;
}

bool firn_deflate_is_zlib(void)
{
    return true;
}
#endif
