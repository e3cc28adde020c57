// SPDX-License-Identifier: MIT
// Version 1 B-trees over chunks; shuffled and deflated chunks.
#include "output/hdf5/h5_chunks.h"

#include <zlib.h>

#include "core/memory.h"

#define NODE_HEADER_BYTES 24
#define ENTRIES_MAX 64      // of a node: what HDF5 writes unless it is told otherwise
#define ENTRY_BYTES_MAX 40  // size 4, filters 4, position 8 × (2 + 1), address 8
#define LEVEL_MAX 8

// A walk over the chunks of an array in the order of their rows.
typedef struct walk {
    firn_h5_input* in;
    const firn_h5_dataset* dataset;
    uint64_t next_row;  // where the next chunk must begin
    uint64_t bytes;     // of the chunks so far
    // null: measure only
    uint8_t *out, *packed, *shuffled;  // `packed` holds packed_bytes, `shuffled` chunk_bytes
    uint64_t packed_bytes, chunk_bytes;
    z_stream* inflater;
} walk;

static firn_result refuse(walk* w, const char* what)
{
    return firn_h5_damaged(w->in, w->dataset->path, what);
}

// The shuffle filter puts the first bytes of all elements first, then all second bytes, …
static void unshuffle(const uint8_t* from, size_t elements, size_t rows, size_t size, uint8_t* to)
{
    for (size_t k = 0; k < rows; k++)
        for (size_t b = 0; b < size; b++) to[k * size + b] = from[b * elements + k];
}

static firn_result unpack(walk* w, uint64_t address, uint64_t bytes)
{
    const firn_h5_dataset* d = w->dataset;
    if (bytes > w->packed_bytes) return refuse(w, "has a chunk that is too long");
    FIRN_TRY(firn_h5_read_at(w->in, address, w->packed, (size_t)bytes));
    inflateReset(w->inflater);
    w->inflater->next_in = w->packed;
    w->inflater->avail_in = (uInt)bytes;
    w->inflater->next_out = w->shuffled;
    w->inflater->avail_out = (uInt)w->chunk_bytes;
    const int state = inflate(w->inflater, Z_FINISH);
    if (state == Z_MEM_ERROR) return firn_h5_out_of_memory(w->in);
    if (state != Z_STREAM_END || w->inflater->avail_out != 0)
        return refuse(w, "has a chunk that cannot be decompressed");
    const size_t size = firn_h5_type_size(d->type), columns = (size_t)d->space.dims[1];
    const uint64_t left = d->space.dims[0] - w->next_row;
    const uint64_t rows = left < d->layout.chunk[0] ? left : d->layout.chunk[0];
    uint8_t* to = w->out + (size_t)w->next_row * columns * size;
    const size_t elements = (size_t)w->chunk_bytes / size;
    switch (size) {  // constant sizes make fast loops
    case 4: unshuffle(w->shuffled, elements, (size_t)rows * columns, 4, to); break;
    case 8: unshuffle(w->shuffled, elements, (size_t)rows * columns, 8, to); break;
    default: unshuffle(w->shuffled, elements, (size_t)rows * columns, size, to);
    }
    return FIRN_OK;
}

// A chunk must begin where the last one ended: each is there once, and memory and time are bounded
// by the size of the array.
static firn_result visit_chunk(walk* w, firn_h5_bytes* entry)
{
    const firn_h5_dataset* d = w->dataset;
    const uint64_t bytes = firn_h5_number(entry, 4), skipped = firn_h5_number(entry, 4);
    const uint64_t row = firn_h5_number(entry, 8);
    const uint64_t column = d->space.rank > 1 ? firn_h5_number(entry, 8) : 0;
    firn_h5_take(entry, 8);
    const uint64_t address = firn_h5_number(entry, 8);
    if (skipped != 0 || row != w->next_row || row >= d->space.dims[0] || column != 0)
        return refuse(w, "has chunks that do not follow each other");
    if (w->out != NULL) FIRN_TRY(unpack(w, address, bytes));
    w->bytes += bytes;
    w->next_row = row + d->layout.chunk[0];
    return FIRN_OK;
}

// TREE, type 1 (1: chunks), level 1, entries 2, siblings 16; for each entry its key (bytes 4,
// skipped filters 4, position 8 each and once more for the element) and the address 8 of the chunk
// or of the node below
static firn_result visit_node(walk* w, uint64_t address, int level)
{
    uint8_t header[NODE_HEADER_BYTES], entries[ENTRIES_MAX * ENTRY_BYTES_MAX];
    FIRN_TRY(firn_h5_read_at(w->in, address, header, sizeof header));
    firn_h5_bytes b = {header, sizeof header, false};
    const bool known = memcmp(firn_h5_take(&b, 4), "TREE", 4) == 0 && firn_h5_number(&b, 1) == 1;
    const int found = (int)firn_h5_number(&b, 1);
    const size_t count = (size_t)firn_h5_number(&b, 2);
    if (!known || found > LEVEL_MAX || (level >= 0 && found != level) || count > ENTRIES_MAX)
        return refuse(w, "has an index of chunks that is not one that firn writes");
    const size_t position_bytes = 8 * (size_t)(w->dataset->space.rank + 1);
    const size_t entry_bytes = 8 + position_bytes + 8;
    FIRN_TRY(firn_h5_read_at(w->in, address + sizeof header, entries, count * entry_bytes));
    b = (firn_h5_bytes){entries, count * entry_bytes, false};
    for (size_t k = 0; k < count; k++) {
        firn_h5_bytes entry = firn_h5_part(&b, entry_bytes);
        if (found == 0) {
            FIRN_TRY(visit_chunk(w, &entry));
        } else {
            const uint64_t before = w->next_row;
            firn_h5_take(&entry, 8 + position_bytes);
            FIRN_TRY(visit_node(w, firn_h5_number(&entry, 8), found - 1));
            if (w->next_row == before) return refuse(w, "has an empty index of chunks");
        }
    }
    return FIRN_OK;
}

static firn_result walk_chunks(walk* w)
{
    FIRN_TRY(visit_node(w, w->dataset->layout.address, -1));
    if (w->next_row < w->dataset->space.dims[0]) return refuse(w, "lacks chunks");
    return FIRN_OK;
}

firn_result firn_h5_chunks_measure(firn_h5_input* in, const firn_h5_dataset* d, uint64_t* out_bytes)
{
    walk w = {.in = in, .dataset = d};
    FIRN_TRY(walk_chunks(&w));
    *out_bytes = w.bytes;
    return FIRN_OK;
}

static void* zlib_alloc(void* none, uInt count, uInt size)
{
    (void)none;
    return firn_alloc(count, size);
}

static void zlib_free(void* none, void* block)
{
    (void)none;
    firn_free(block);
}

firn_result firn_h5_chunks_read(firn_h5_input* in, const firn_h5_dataset* d, void* out_data)
{
    z_stream inflater = {.zalloc = zlib_alloc, .zfree = zlib_free};
    if (inflateInit(&inflater) != Z_OK) return firn_h5_out_of_memory(in);
    walk w = {.in = in, .dataset = d, .out = out_data, .inflater = &inflater};
    w.chunk_bytes = d->layout.chunk[0] * d->layout.chunk[1] * firn_h5_type_size(d->type);
    w.packed_bytes = compressBound((uLong)w.chunk_bytes);
    w.packed = firn_alloc(w.packed_bytes, 1);
    w.shuffled = firn_alloc(w.chunk_bytes, 1);
    const firn_result result =
        w.packed != NULL && w.shuffled != NULL ? walk_chunks(&w) : firn_h5_out_of_memory(in);
    inflateEnd(&inflater);
    firn_free(w.packed);
    firn_free(w.shuffled);
    return result;
}
