// SPDX-License-Identifier: MIT
// Fractal heaps whose blocks are reached from the root, and B-trees with up to two levels: hundreds
// of links or attributes; firn writes some twenty.
#include "output/hdf5/h5_dense.h"

#include "core/memory.h"

#define HEAP_HEADER_BYTES 146
#define TREE_HEADER_BYTES 38
#define NODE_BYTES_MAX 4096
#define NODE_OVERHEAD 10   // signature 4, version 1, type 1, checksum 4
#define BLOCK_BITS_MAX 24  // of the size of a block of a heap
#define ROWS_MAX 16        // of blocks that the root of a heap refers to

// Kinds of B-trees by the format's numbers, and where a record has the position in the heap.
enum { TREE_OF_LINKS = 5, TREE_OF_ATTRIBUTES = 8 };

typedef struct heap {
    uint64_t root;         // address of the only block, or of the block that lists all others
    uint64_t width, rows;  // blocks of a row; rows in the list, 0: root is the only block
    uint64_t first, most;  // [bytes] size of the blocks of row 0, of the largest blocks
    size_t offset_bytes, length_bytes;  // in the identifiers of its objects
} heap;

typedef struct tree {
    int kind;
    size_t node_bytes, record_bytes;
    uint64_t root, root_records;
    int depth;
} tree;

static bool is_power_of_two(uint64_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

static size_t bytes_for(uint64_t largest)
{
    size_t bytes = 1;
    while (largest >= 256) largest >>= 8, bytes++;
    return bytes;
}

// FRHP, version 1, bytes of identifiers 2, bytes of filters 2, flags 1, largest object 4, 96 bytes
// of statistics and other heaps, width 2, first block 8, largest block 8, bits of offsets 2, first
// rows 2, root 8, rows 2, checksum 4
static firn_result read_heap(firn_h5_input* in, uint64_t address, heap* out_heap)
{
    uint8_t block[HEAP_HEADER_BYTES];
    FIRN_TRY(firn_h5_read_at(in, address, block, sizeof block));
    firn_h5_bytes b = {block, sizeof block, false};
    const bool known = firn_h5_begins(&b, "FRHP", 0);
    heap h = {0};
    const uint64_t identifier = firn_h5_number(&b, 2), filters = firn_h5_number(&b, 2);
    firn_h5_take(&b, 1);
    const uint64_t largest = firn_h5_number(&b, 4);
    firn_h5_take(&b, 96);
    h.width = firn_h5_number(&b, 2);
    h.first = firn_h5_number(&b, 8);
    h.most = firn_h5_number(&b, 8);
    const uint64_t bits = firn_h5_number(&b, 2);
    firn_h5_take(&b, 2);
    h.root = firn_h5_number(&b, 8);
    h.rows = firn_h5_number(&b, 2);
    h.offset_bytes = (size_t)(bits + 7) / 8;
    h.length_bytes = bytes_for(largest < h.most ? largest : h.most);
    const bool good = known && filters == 0 && is_power_of_two(h.first) &&
                      is_power_of_two(h.most) && h.first <= h.most &&
                      h.most <= (uint64_t)1 << BLOCK_BITS_MAX && h.width >= 1 && h.width <= 64 &&
                      h.rows <= ROWS_MAX && bits <= 64 &&
                      identifier == 1 + h.offset_bytes + h.length_bytes;
    if (!good) return firn_h5_damaged(in, NULL, "a heap in it is not one that firn writes");
    *out_heap = h;
    return FIRN_OK;
}

// Sizes of blocks: rows 0 and 1 have `first`, every later row twice that of the row before.
static uint64_t block_size(const heap* h, uint64_t row)
{
    return row < 2 ? h->first : h->first << (row - 1);
}

// The list of blocks: FHIB, version 1, address of the heap 8, offset of the block in the heap,
// addresses 8 row by row. `*offset` becomes relative to the block that contains it.
static firn_result find_block(firn_h5_input* in, const heap* h, uint64_t* offset,
                              uint64_t* out_address, uint64_t* out_bytes)
{
    *out_address = h->root;
    *out_bytes = h->first;
    if (h->rows == 0) return FIRN_OK;
    uint64_t row = 0;
    while (row < h->rows && *offset >= h->width * block_size(h, row))
        *offset -= h->width * block_size(h, row++);
    if (row == h->rows || block_size(h, row) > h->most)
        return firn_h5_damaged(in, NULL, "a heap in it refers to a block that it does not have");
    *out_bytes = block_size(h, row);
    const uint64_t index = row * h->width + *offset / *out_bytes;
    *offset %= *out_bytes;
    uint8_t entry[8];
    if (h->root >= in->bytes) return firn_h5_damaged(in, NULL, "a heap in it has no blocks");
    FIRN_TRY(firn_h5_read_at(in, h->root + 13 + h->offset_bytes + 8 * index, entry, sizeof entry));
    firn_h5_bytes b = {entry, sizeof entry, false};
    *out_address = firn_h5_number(&b, 8);
    return FIRN_OK;
}

// Adds the message with an identifier: flags 1 (0: in a block of the heap), offset, length.
static firn_result add_message(firn_h5_input* in, const heap* h, firn_h5_bytes identifier, int type,
                               firn_h5_object* object)
{
    const uint64_t flags = firn_h5_number(&identifier, 1);
    uint64_t offset = firn_h5_number(&identifier, h->offset_bytes);
    const uint64_t length = firn_h5_number(&identifier, h->length_bytes);
    uint64_t address, bytes;
    if (identifier.bad || flags != 0)
        return firn_h5_damaged(in, NULL, "an index in it refers to no object of a heap");
    FIRN_TRY(find_block(in, h, &offset, &address, &bytes));
    if (offset >= bytes || length > bytes - offset || address >= in->bytes)
        return firn_h5_damaged(in, NULL, "an object of a heap does not fit into its block");
    uint32_t at;
    FIRN_TRY(firn_h5_object_append(in, object, address + offset, length, &at));
    return firn_h5_object_add(in, object, type, at, (uint32_t)length);
}

// BTHD, version 1, type 1, bytes of nodes 4, bytes of records 2, depth 2, percentages 2, root 8,
// records of the root 2, records 8, checksum 4
static firn_result read_tree(firn_h5_input* in, uint64_t address, tree* out_tree)
{
    uint8_t block[TREE_HEADER_BYTES];
    FIRN_TRY(firn_h5_read_at(in, address, block, sizeof block));
    firn_h5_bytes b = {block, sizeof block, false};
    const bool known = firn_h5_begins(&b, "BTHD", 0);
    tree t = {.kind = (int)firn_h5_number(&b, 1)};
    t.node_bytes = (size_t)firn_h5_number(&b, 4);
    t.record_bytes = (size_t)firn_h5_number(&b, 2);
    t.depth = (int)firn_h5_number(&b, 2);
    firn_h5_take(&b, 2);
    t.root = firn_h5_number(&b, 8);
    t.root_records = firn_h5_number(&b, 2);
    const bool good = known && t.node_bytes > NODE_OVERHEAD && t.node_bytes <= NODE_BYTES_MAX &&
                      t.record_bytes >= 5 && t.record_bytes <= 64 && t.depth <= 1;
    if (!good) return firn_h5_damaged(in, NULL, "an index in it is not one that firn writes");
    *out_tree = t;
    return FIRN_OK;
}

// Adds the messages of a node and of those below it: BTLF or BTIN, version 1, type 1, records, then
// for each child its address 8 and its number of records.
static firn_result read_node(firn_h5_input* in, const tree* t, uint64_t address, uint64_t records,
                             int depth, const heap* h, int type, firn_h5_object* object)
{
    uint8_t node[NODE_BYTES_MAX];
    FIRN_TRY(firn_h5_read_at(in, address, node, t->node_bytes));
    firn_h5_bytes b = {node, t->node_bytes, false};
    bool good = firn_h5_begins(&b, depth > 0 ? "BTIN" : "BTLF", 0);
    good = firn_h5_number(&b, 1) == (uint64_t)t->kind && good;
    for (uint64_t k = 0; k < records && good; k++) {
        firn_h5_bytes record = firn_h5_part(&b, t->record_bytes);
        if (type == FIRN_H5_LINK) firn_h5_take(&record, 4);  // the hash of its name
        if (!record.bad) FIRN_TRY(add_message(in, h, record, type, object));
        good = !record.bad;
    }
    const size_t count_bytes = bytes_for((t->node_bytes - NODE_OVERHEAD) / t->record_bytes);
    for (uint64_t k = 0; k <= records && depth > 0 && good; k++) {
        const uint64_t child = firn_h5_number(&b, 8), count = firn_h5_number(&b, count_bytes);
        good = !b.bad;
        if (good) FIRN_TRY(read_node(in, t, child, count, depth - 1, h, type, object));
    }
    return good ? FIRN_OK : firn_h5_damaged(in, NULL, "an index in it has a node of another kind");
}

// Link info: version 1, flags 1, largest creation order 8 (flag 1), heap 8, index by name 8
// attribute info: the same with a creation order of 2
firn_result firn_h5_dense_read(firn_h5_input* in, firn_h5_object* object, firn_local message,
                               int type)
{
    firn_h5_bytes b = firn_h5_content(object, message);
    const uint64_t version = firn_h5_number(&b, 1), flags = firn_h5_number(&b, 1);
    if ((flags & 1) != 0) firn_h5_take(&b, type == FIRN_H5_LINK ? 8 : 2);
    const uint64_t heap_address = firn_h5_number(&b, 8), tree_address = firn_h5_number(&b, 8);
    if (b.bad || version != 0)
        return firn_h5_damaged(in, NULL, "an object has links or attributes of an unknown kind");
    if (heap_address == FIRN_H5_NOWHERE) return FIRN_OK;
    heap h;
    tree t;
    FIRN_TRY(read_heap(in, heap_address, &h));
    FIRN_TRY(read_tree(in, tree_address, &t));
    if (t.kind != (type == FIRN_H5_LINK ? TREE_OF_LINKS : TREE_OF_ATTRIBUTES))
        return firn_h5_damaged(in, NULL, "an index in it is of another kind");
    if (t.root == FIRN_H5_NOWHERE && t.root_records == 0) return FIRN_OK;
    return read_node(in, &t, t.root, t.root_records, t.depth, &h, type, object);
}
