// SPDX-License-Identifier: MIT
#include "output/hdf5/h5_pack.h"

#include <errno.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "output/hdf5/h5_deflate.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "chunks are the numbers in memory; files are little-endian");

#define CHUNKS_PER_WORKER 4  // compressed before the next are written

typedef struct packer {
    const firn_h5_array* a;
    int64_t chunk_rows;
    size_t size, row_bytes, chunk_bytes, bound;  // [bytes] of a number, …, a compressed chunk
    int64_t first;                               // chunk of the batch
    char* read;                                  // owned; its rows, where the array has a source
    uint8_t* raw;                                // owned; [workers][2][chunk_bytes]
    uint8_t* packed;                             // owned; [batch][bound]
    size_t* length;                              // owned; [batch]; 0: no memory
    firn_deflater** deflaters;                   // owned; [workers]
} packer;

// The rows of a chunk; what is beyond the last one is 0.
static void load_rows(const packer* p, int64_t chunk, uint8_t* to)
{
    const int64_t row = chunk * p->chunk_rows, left = p->a->rows - row;
    const int64_t rows = left < p->chunk_rows ? left : p->chunk_rows;
    memset(to + (size_t)rows * p->row_bytes, 0, p->chunk_bytes - (size_t)rows * p->row_bytes);
    const char* from = p->a->data;
    int64_t first = 0;  // row of `from`
    if (p->a->source != NULL) {
        from = p->read;
        first = p->first * p->chunk_rows;
    }
    if (from != NULL) {
        memcpy(to, from + (size_t)(row - first) * p->row_bytes, (size_t)rows * p->row_bytes);
        return;
    }
    int64_t* numbers = (int64_t*)(void*)to;
    for (int64_t k = 0; k < rows; k++) numbers[k] = row + k;
}

// HDF5's shuffle filter: the first bytes of all numbers come first, then all second bytes, …
static void shuffle(const uint8_t* from, size_t numbers, size_t size, uint8_t* to)
{
    for (size_t b = 0; b < size; b++)
        for (size_t k = 0; k < numbers; k++) to[b * numbers + k] = from[k * size + b];
}

static void pack_chunks(const void* self, firn_local begin, firn_local end)
{
    const packer* p = self;
    const size_t worker = (size_t)firn_team_worker();
    uint8_t* rows = p->raw + worker * 2 * p->chunk_bytes;
    uint8_t* shuffled = rows + p->chunk_bytes;
    const size_t numbers = p->chunk_bytes / p->size;
    for (firn_local k = begin; k < end; k++) {
        load_rows(p, p->first + k, rows);
        switch (p->size) {  // constant sizes make fast loops
        case 4: shuffle(rows, numbers, 4, shuffled); break;
        case 8: shuffle(rows, numbers, 8, shuffled); break;
        default: shuffle(rows, numbers, p->size, shuffled);
        }
        p->length[k] = firn_deflate(p->deflaters[worker], shuffled, p->chunk_bytes,
                                    p->packed + (size_t)k * p->bound, p->bound);
    }
}

static bool write_batch(firn_h5* h5, hid_t dataset, const packer* p, int64_t chunks)
{
    for (int64_t k = 0; k < chunks; k++) {
        if (p->length[k] == 0) h5->fault.reason = ENOMEM;  // there is room for every chunk
        if (h5->fault.reason != 0) return false;           // a full disk ends the loop early
        const hsize_t at[2] = {(hsize_t)((p->first + k) * p->chunk_rows), 0};
        if (H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, at, p->length[k],
                           p->packed + (size_t)k * p->bound) < 0)
            return false;
    }
    return true;
}

// The rows of the next chunks, where the array has a source.
static bool read_batch(firn_h5* h5, const packer* p, int64_t chunks)
{
    if (p->a->source == NULL) return true;
    const int64_t row = p->first * p->chunk_rows, left = p->a->rows - row;
    const int64_t rows = chunks * p->chunk_rows;
    return firn_h5_read_rows(h5, p->a, row, left < rows ? left : rows, p->read);
}

static bool create_deflaters(packer* p)
{
    const int workers = firn_team_size();
    p->deflaters = firn_alloc((size_t)workers, sizeof *p->deflaters);
    for (int k = 0; k < workers && p->deflaters != NULL; k++)
        if ((p->deflaters[k] = firn_deflater_create(p->a->compression)) == NULL) return false;
    return p->deflaters != NULL;
}

static void destroy_deflaters(packer* p)
{
    for (int k = 0; k < firn_team_size() && p->deflaters != NULL; k++)
        firn_deflater_destroy(p->deflaters[k]);
    firn_free(p->deflaters);
}

bool firn_h5_pack(firn_h5* h5, hid_t dataset, const firn_h5_array* a)
{
    packer p = {.a = a, .size = firn_h5_type_size(a->stored)};
    const int64_t most = FIRN_H5_CHUNK / a->columns;
    p.chunk_rows = a->rows < most ? a->rows : most;
    p.row_bytes = p.size * (size_t)a->columns;
    p.chunk_bytes = (size_t)p.chunk_rows * p.row_bytes;
    p.bound = firn_deflate_bound(p.chunk_bytes);
    const int64_t chunks = (a->rows + p.chunk_rows - 1) / p.chunk_rows;
    const int64_t full = (int64_t)firn_team_size() * CHUNKS_PER_WORKER;
    const int64_t batch = chunks < full ? chunks : full;
    p.raw = firn_alloc((size_t)firn_team_size(), 2 * p.chunk_bytes);
    p.packed = firn_alloc((size_t)batch, p.bound);
    p.length = firn_alloc((size_t)batch, sizeof *p.length);
    if (a->source != NULL) p.read = firn_alloc((size_t)batch, p.chunk_bytes);
    bool good = create_deflaters(&p) && p.raw != NULL && p.packed != NULL && p.length != NULL &&
                (a->source == NULL || p.read != NULL);
    if (!good) h5->fault.reason = ENOMEM;
    for (; p.first < chunks && good; p.first += batch) {
        const int64_t left = chunks - p.first, count = left < batch ? left : batch;
        good = read_batch(h5, &p, count);
        if (!good) break;
        firn_h5_pause(h5);
        firn_share((firn_local)count, 1, pack_chunks, &p);  // a chunk: milliseconds
        firn_h5_continue(h5);
        good = write_batch(h5, dataset, &p, count);
    }
    destroy_deflaters(&p);
    firn_free(p.raw);
    firn_free(p.read);
    firn_free(p.packed);
    firn_free(p.length);
    return good;
}
