// SPDX-License-Identifier: MIT
// An object of an HDF5 file, group or array: the messages of its header. Those that HDF5 has moved
// to a heap because there are many (links, attributes) are listed like the others.
#pragma once
#include "output/hdf5/h5_bytes.h"
#include "output/hdf5/h5_input.h"

// Types of messages that firn reads.
enum {
    FIRN_H5_DATASPACE = 0x01,
    FIRN_H5_LINK_INFO = 0x02,
    FIRN_H5_DATATYPE = 0x03,
    FIRN_H5_LINK = 0x06,
    FIRN_H5_LAYOUT = 0x08,
    FIRN_H5_FILTERS = 0x0B,
    FIRN_H5_ATTRIBUTE = 0x0C,
    FIRN_H5_CONTINUATION = 0x10,
    FIRN_H5_ATTRIBUTE_INFO = 0x15,
};

typedef struct firn_h5_message {
    int type;
    uint32_t offset, size;  // in the bytes of the object
} firn_h5_message;

typedef struct firn_h5_object {
    uint8_t* bytes;             // owned
    firn_h5_message* messages;  // owned
    firn_local size, capacity, count, message_capacity;
    uint64_t address;
} firn_h5_object;

// Get an object. Borrowed until the next call.
firn_result firn_h5_object_get(firn_h5_input* input, uint64_t address,
                               const firn_h5_object** out_object);
// Frees the objects that are kept.
void firn_h5_objects_forget(firn_h5_input* input);

// The content of a message.
static inline firn_h5_bytes firn_h5_content(const firn_h5_object* object, firn_local message)
{
    const firn_h5_message* m = &object->messages[message];
    return (firn_h5_bytes){object->bytes + m->offset, m->size, false};
}

// Reads bytes of the file to the end of those of the object; their offset there is given.
firn_result firn_h5_object_append(firn_h5_input* input, firn_h5_object* object, uint64_t address,
                                  uint64_t bytes, uint32_t* out_offset);
firn_result firn_h5_object_add(firn_h5_input* input, firn_h5_object* object, int type,
                               uint32_t offset, uint32_t size);
