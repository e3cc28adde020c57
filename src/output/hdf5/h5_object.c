// SPDX-License-Identifier: MIT
// Object headers, version 2.
#include "output/hdf5/h5_object.h"

#include "core/memory.h"
#include "output/hdf5/h5_dense.h"

// Far above what firn writes; they end loops of forged continuations.
#define BYTES_MAX ((uint64_t)1 << 20)
#define MESSAGES_MAX 4096

// Room for the objects that firn writes: two allocations for most.
#define BYTES_FIRST 4096
#define MESSAGES_FIRST 64

#define KEPT 16  // objects: all groups of a file and some arrays

#define CHECKSUM_BYTES 4

enum { TIMES = 0x20, PHASES = 0x10, CREATION_ORDER = 0x04 };  // flags of a header
enum { SHARED = 0x02 };                                       // flag of a message

static void destroy(firn_h5_object* object)
{
    firn_free(object->bytes);
    firn_free(object->messages);
    *object = (firn_h5_object){0};
}

firn_result firn_h5_object_append(firn_h5_input* in, firn_h5_object* object, uint64_t address,
                                  uint64_t bytes, uint32_t* out_offset)
{
    if (bytes > BYTES_MAX - (uint64_t)object->size)
        return firn_h5_damaged(in, NULL, "the header of an object is too long");
    const firn_local size = object->size + (firn_local)bytes;
    if (!firn_reserve((void**)&object->bytes, &object->capacity, size, 1))
        return firn_h5_out_of_memory(in);
    FIRN_TRY(firn_h5_read_at(in, address, object->bytes + object->size, (size_t)bytes));
    *out_offset = (uint32_t)object->size;
    object->size = size;
    return FIRN_OK;
}

firn_result firn_h5_object_add(firn_h5_input* in, firn_h5_object* object, int type, uint32_t offset,
                               uint32_t size)
{
    if (object->count >= MESSAGES_MAX)
        return firn_h5_damaged(in, NULL, "the header of an object has too many messages");
    if (!firn_reserve((void**)&object->messages, &object->message_capacity, object->count + 1,
                      sizeof *object->messages))
        return firn_h5_out_of_memory(in);
    object->messages[object->count++] = (firn_h5_message){type, offset, size};
    return FIRN_OK;
}

// Lists the messages of a block: type 1, size 2, flags 1, creation order 2 where it is kept. A rest
// that is too short for a message is a gap.
static firn_result list_messages(firn_h5_input* in, firn_h5_object* object, uint32_t offset,
                                 uint64_t size, unsigned header_flags)
{
    const size_t prefix = (header_flags & CREATION_ORDER) != 0 ? 6 : 4;
    while (size >= prefix) {
        firn_h5_bytes b = {object->bytes + offset, prefix, false};
        const int type = (int)firn_h5_number(&b, 1);
        const uint32_t length = (uint32_t)firn_h5_number(&b, 2);
        const unsigned flags = (unsigned)firn_h5_number(&b, 1);
        offset += (uint32_t)prefix;
        size -= prefix;
        if (length > size || (flags & SHARED) != 0)
            return firn_h5_damaged(in, NULL, "a message of an object is not one that firn writes");
        FIRN_TRY(firn_h5_object_add(in, object, type, offset, length));
        offset += length;
        size -= length;
    }
    return FIRN_OK;
}

// OHDR, version 1, flags 1, times 16, phase change 4, size of the first block 1 to 8, block
static firn_result read_first(firn_h5_input* in, firn_h5_object* object, uint64_t address,
                              unsigned* out_flags)
{
    uint8_t start[34] = {0};
    if (address >= in->bytes) return firn_h5_damaged(in, NULL, "an address leads out of the file");
    const uint64_t rest = in->bytes - address;
    const size_t have = rest < sizeof start ? (size_t)rest : sizeof start;
    FIRN_TRY(firn_h5_read_at(in, address, start, have));
    firn_h5_bytes b = {start, have, false};
    const bool known = firn_h5_begins(&b, "OHDR", 2);
    *out_flags = (unsigned)firn_h5_number(&b, 1);
    firn_h5_take(&b, ((*out_flags & TIMES) != 0 ? 16 : 0) + ((*out_flags & PHASES) != 0 ? 4 : 0));
    const uint64_t bytes = firn_h5_number(&b, (size_t)1 << (*out_flags & 3));
    if (!known || b.bad)
        return firn_h5_damaged(in, NULL, "an object has no header that firn writes");
    uint32_t offset;
    FIRN_TRY(firn_h5_object_append(in, object, address + (uint64_t)(b.at - start), bytes, &offset));
    return list_messages(in, object, offset, bytes, *out_flags);
}

// Address 8, length 8 of a block OCHK: messages, checksum 4
static firn_result read_continuation(firn_h5_input* in, firn_h5_object* object, firn_h5_bytes b,
                                     unsigned flags)
{
    const uint64_t address = firn_h5_number(&b, 8), bytes = firn_h5_number(&b, 8);
    uint32_t offset = 0;
    const bool fits = !b.bad && bytes >= 4 + CHECKSUM_BYTES;
    if (fits) FIRN_TRY(firn_h5_object_append(in, object, address, bytes, &offset));
    if (!fits || memcmp(object->bytes + offset, "OCHK", 4) != 0)
        return firn_h5_damaged(in, NULL, "the header of an object leads nowhere");
    return list_messages(in, object, offset + 4, bytes - 4 - CHECKSUM_BYTES, flags);
}

// What else a message stands for: more messages, in another block or in a heap.
static firn_result expand(firn_h5_input* in, firn_h5_object* object, firn_local message,
                          unsigned flags)
{
    switch (object->messages[message].type) {
    case FIRN_H5_CONTINUATION:
        return read_continuation(in, object, firn_h5_content(object, message), flags);
    case FIRN_H5_LINK_INFO: return firn_h5_dense_read(in, object, message, FIRN_H5_LINK);
    case FIRN_H5_ATTRIBUTE_INFO: return firn_h5_dense_read(in, object, message, FIRN_H5_ATTRIBUTE);
    default: return FIRN_OK;
    }
}

static firn_result read_object(firn_h5_input* in, uint64_t address, firn_h5_object* out_object)
{
    firn_h5_object object = {.address = address};
    unsigned flags = 0;
    firn_result result = FIRN_OK;
    if (!firn_reserve((void**)&object.bytes, &object.capacity, BYTES_FIRST, 1) ||
        !firn_reserve((void**)&object.messages, &object.message_capacity, MESSAGES_FIRST,
                      sizeof *object.messages))
        result = firn_h5_out_of_memory(in);
    if (result == FIRN_OK) result = read_first(in, &object, address, &flags);
    for (firn_local k = 0; k < object.count && result == FIRN_OK; k++)
        result = expand(in, &object, k, flags);
    if (result == FIRN_OK)
        *out_object = object;
    else
        destroy(&object);
    return result;
}

firn_result firn_h5_object_get(firn_h5_input* in, uint64_t address,
                               const firn_h5_object** out_object)
{
    if (in->objects == NULL) in->objects = firn_alloc(KEPT, sizeof *in->objects);
    if (in->objects == NULL) return firn_h5_out_of_memory(in);
    for (int k = 0; k < KEPT; k++)
        if (in->objects[k].bytes != NULL && in->objects[k].address == address) {
            *out_object = &in->objects[k];
            return FIRN_OK;
        }
    firn_h5_object object;
    FIRN_TRY(read_object(in, address, &object));
    firn_h5_object* place = &in->objects[in->object_next];
    destroy(place);
    *place = object;
    *out_object = place;
    in->object_next = (in->object_next + 1) % KEPT;
    return FIRN_OK;
}

void firn_h5_objects_forget(firn_h5_input* in)
{
    for (int k = 0; k < KEPT && in->objects != NULL; k++) destroy(&in->objects[k]);
    firn_free(in->objects);
    in->objects = NULL;
}
