// SPDX-License-Identifier: MIT
// Messages in the versions that HDF5 1.8 and later write with the bounds of firn_h5_driver_access.
#include "output/hdf5/h5_message.h"

// Version 1, flags 1, kind 1 (flag 8; 0: hard), creation order 8 (flag 4), character set 1
// (flag 16), length of the name 1 to 8, name, address 8
bool firn_h5_link_decode(firn_h5_bytes b, firn_h5_link* out_link)
{
    const uint64_t version = firn_h5_number(&b, 1), flags = firn_h5_number(&b, 1);
    const uint64_t kind = (flags & 8) != 0 ? firn_h5_number(&b, 1) : 0;
    firn_h5_take(&b, ((flags & 4) != 0 ? 8 : 0) + ((flags & 16) != 0 ? 1 : 0));
    const uint64_t length = firn_h5_number(&b, (size_t)1 << (flags & 3));
    const uint8_t* name = firn_h5_take(&b, (size_t)length);
    const uint64_t address = firn_h5_number(&b, 8);
    *out_link = (firn_h5_link){(const char*)name, (size_t)length, address};
    return !b.bad && version == 1 && kind == 0;
}

// Version 1, flags 1 (type or space shared), sizes of name 2, type 2 and space 2, character set 1,
// name with a final zero, type, space, data
bool firn_h5_attribute_decode(firn_h5_bytes b, firn_h5_attribute* out_attribute)
{
    const uint64_t version = firn_h5_number(&b, 1), flags = firn_h5_number(&b, 1);
    const size_t name_bytes = (size_t)firn_h5_number(&b, 2);
    const size_t type_bytes = (size_t)firn_h5_number(&b, 2);
    const size_t space_bytes = (size_t)firn_h5_number(&b, 2);
    firn_h5_take(&b, 1);
    const uint8_t* name = firn_h5_take(&b, name_bytes);
    firn_h5_attribute a = {.name = (const char*)name, .type = firn_h5_part(&b, type_bytes)};
    a.space = firn_h5_part(&b, space_bytes);
    a.data = b;
    if (b.bad || version != 3 || flags != 0 || name_bytes == 0 || name[name_bytes - 1] != 0)
        return false;
    a.length = name_bytes - 1;
    *out_attribute = a;
    return true;
}

// Class and version 1 (the version, in the upper half, does not change these types), flags 3,
// size 4, first bit 2, bits 2; real numbers: positions and sizes of exponent and mantissa 4, bias 4
bool firn_h5_number_type_decode(firn_h5_bytes b, firn_h5_type* out_type)
{
    static const struct {
        uint8_t bytes[20];
        size_t size;
    } known[FIRN_H5_TYPES] = {
        [FIRN_H5_F32] = {{1, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 127}, 20},
        [FIRN_H5_F64] = {{1, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 255, 3}, 20},
        [FIRN_H5_I64] = {{0, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64}, 12},
        [FIRN_H5_U64] = {{0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 64}, 12},
        [FIRN_H5_U32] = {{0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 32}, 12},
        [FIRN_H5_U8] = {{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8}, 12},
    };
    for (int t = 0; t < FIRN_H5_TYPES; t++) {
        if (b.left < known[t].size || (b.at[0] & 0x0f) != known[t].bytes[0]) continue;
        if (memcmp(b.at + 1, known[t].bytes + 1, known[t].size - 1) != 0) continue;
        *out_type = (firn_h5_type)t;
        return true;
    }
    return false;
}

bool firn_h5_text_type_decode(firn_h5_bytes b, size_t* out_bytes)
{
    const uint64_t class = firn_h5_number(&b, 1) & 0x0f;
    firn_h5_take(&b, 3);
    *out_bytes = (size_t)firn_h5_number(&b, 4);
    return !b.bad && class == 3;
}

// Version 1, rank 1, flags 1, kind 1 (0: scalar, 1: array), dimensions 8 each; largest dimensions
// follow and are not needed
bool firn_h5_space_decode(firn_h5_bytes b, firn_h5_space* out_space)
{
    const uint64_t version = firn_h5_number(&b, 1), rank = firn_h5_number(&b, 1);
    firn_h5_take(&b, 1);
    const uint64_t kind = firn_h5_number(&b, 1);
    if (b.bad || version != 2 || rank > 2 || kind > 1 || (kind == 0) != (rank == 0)) return false;
    firn_h5_space space = {.rank = (int)rank, .dims = {1, 1}};
    for (uint64_t d = 0; d < rank; d++) space.dims[d] = firn_h5_number(&b, 8);
    *out_space = space;
    return !b.bad;
}

// Version 1, class 1; contiguous: address 8, size 8; chunked: rank + 1 1, address of the index 8,
// dimensions of a chunk 4 each, bytes of an element 4
bool firn_h5_layout_decode(firn_h5_bytes b, firn_h5_layout* out_layout)
{
    enum { CONTIGUOUS = 1, CHUNKED = 2 };
    const uint64_t version = firn_h5_number(&b, 1), class = firn_h5_number(&b, 1);
    if (b.bad || version != 3 || (class != CONTIGUOUS && class != CHUNKED)) return false;
    firn_h5_layout layout = {.chunked = class == CHUNKED, .chunk = {1, 1}};
    layout.rank = layout.chunked ? (int)firn_h5_number(&b, 1) - 1 : 0;
    if (layout.rank < (int)layout.chunked || layout.rank > 2) return false;
    layout.address = firn_h5_number(&b, 8);
    if (!layout.chunked) layout.bytes = firn_h5_number(&b, 8);
    for (int d = 0; d < layout.rank; d++) layout.chunk[d] = firn_h5_number(&b, 4);
    if (layout.chunked) layout.element_bytes = firn_h5_number(&b, 4);
    *out_layout = layout;
    return !b.bad;
}

// Version 1, filters 1; each: number 2, flags 2, values 2, values 4 each
bool firn_h5_filters_known(firn_h5_bytes b)
{
    enum { DEFLATE = 1, SHUFFLE = 2 };
    const uint64_t version = firn_h5_number(&b, 1), count = firn_h5_number(&b, 1);
    bool known = version == 2 && count == 2;
    for (int k = 0; k < 2 && known; k++) {
        known = firn_h5_number(&b, 2) == (k == 0 ? SHUFFLE : DEFLATE);
        firn_h5_take(&b, 2);
        firn_h5_take(&b, 4 * (size_t)firn_h5_number(&b, 2));
    }
    return known && !b.bad;
}
