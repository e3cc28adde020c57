// SPDX-License-Identifier: MIT
// Reading attributes and arrays: type, shape and size are checked before anything is read.
#include "output/hdf5/h5_read.h"

// Deflate cannot shrink data more than this (zlib's technical notes: 1032:1).
#define DEFLATE_RATIO_MAX 1032

static firn_result find_link(firn_h5_input* in, uint64_t group, const char* name, size_t length,
                             uint64_t* out_address)
{
    const firn_h5_object* object;
    FIRN_TRY(firn_h5_object_get(in, group, &object));
    firn_result result = FIRN_OK;
    *out_address = FIRN_H5_NOWHERE;
    for (firn_local k = 0; k < object->count && result == FIRN_OK; k++) {
        if (object->messages[k].type != FIRN_H5_LINK) continue;
        firn_h5_link link;
        if (!firn_h5_link_decode(firn_h5_content(object, k), &link))
            result = firn_h5_damaged(in, NULL, "a link in it is not one that firn writes");
        else if (link.length == length && memcmp(link.name, name, length) == 0)
            *out_address = link.address;
    }
    return result;
}

firn_result firn_h5_find(firn_h5_input* in, const char* path, uint64_t* out_address)
{
    uint64_t address = in->root;
    while (*path == '/' && address != FIRN_H5_NOWHERE) {
        const size_t length = strcspn(++path, "/");
        FIRN_TRY(find_link(in, address, path, length, &address));
        path += length;
    }
    *out_address = address;
    return FIRN_OK;
}

bool firn_h5_has(firn_h5_input* in, const char* path)
{
    uint64_t address;
    return firn_h5_find(in, path, &address) == FIRN_OK && address != FIRN_H5_NOWHERE;
}

// Finds an attribute among the messages of an object. False: it has none of this name that firn
// could have written.
static bool find_attribute(const firn_h5_object* object, const char* name,
                           firn_h5_attribute* out_attribute)
{
    for (firn_local k = 0; k < object->count; k++) {
        if (object->messages[k].type != FIRN_H5_ATTRIBUTE) continue;
        firn_h5_attribute* a = out_attribute;
        if (firn_h5_attribute_decode(firn_h5_content(object, k), a) && a->length == strlen(name) &&
            memcmp(a->name, name, a->length) == 0)
            return true;
    }
    return false;
}

static bool is_scalar(const firn_h5_attribute* a)
{
    firn_h5_space space;
    return firn_h5_space_decode(a->space, &space) && space.rank == 0;
}

static bool decode_number(const firn_h5_attribute* a, firn_h5_type type, void* out_value)
{
    firn_h5_type found;
    const size_t bytes = firn_h5_type_size(type);
    if (!is_scalar(a) || !firn_h5_number_type_decode(a->type, &found) || found != type ||
        a->data.left < bytes)
        return false;
    memcpy(out_value, a->data.at, bytes);
    return true;
}

static bool decode_text(const firn_h5_attribute* a, char* out_text, size_t size)
{
    size_t bytes;
    if (!is_scalar(a) || !firn_h5_text_type_decode(a->type, &bytes) || bytes >= size ||
        a->data.left < bytes)
        return false;
    memcpy(out_text, a->data.at, bytes);
    out_text[bytes] = '\0';
    return true;
}

// Get the object at a path. Borrowed until the next call.
static firn_result open_object(firn_h5_input* in, const char* path, const char* name,
                               const firn_h5_object** out_object)
{
    uint64_t address;
    FIRN_TRY(firn_h5_find(in, path, &address));
    if (address == FIRN_H5_NOWHERE) return firn_h5_damaged(in, name, "is missing");
    return firn_h5_object_get(in, address, out_object);
}

// Get an attribute of the object at a path. Borrowed until the next call.
static firn_result open_attribute(firn_h5_input* in, const char* path, const char* name,
                                  firn_h5_attribute* out_attribute)
{
    const firn_h5_object* object;
    FIRN_TRY(open_object(in, path, name, &object));
    if (find_attribute(object, name, out_attribute)) return FIRN_OK;
    return firn_h5_damaged(in, name, "is missing");
}

firn_result firn_h5_get_number(firn_h5_input* in, const char* object, const char* name,
                               firn_h5_type type, void* out_value)
{
    firn_h5_attribute a;
    FIRN_TRY(open_attribute(in, object, name, &a));
    if (decode_number(&a, type, out_value)) return FIRN_OK;
    return firn_h5_damaged(in, name, "is not a number of the right type");
}

firn_result firn_h5_get_text(firn_h5_input* in, const char* object, const char* name,
                             char* out_text, size_t size)
{
    firn_h5_attribute a;
    FIRN_TRY(open_attribute(in, object, name, &a));
    if (decode_text(&a, out_text, size)) return FIRN_OK;
    return firn_h5_damaged(in, name, "is not a text or is too long");
}

// Accepts only the storage that firn writes: contiguous, or chunks of whole rows that are shuffled
// and deflated.
static const char* check_storage(const firn_h5_dataset* d, bool filters, bool known_filters)
{
    const firn_h5_layout* l = &d->layout;
    const char* unknown = "has an unknown storage layout";
    if (!l->chunked) return filters ? unknown : NULL;
    // two dimensions below 2^32: no overflow
    const bool good = known_filters && l->rank == d->space.rank && l->chunk[0] > 0 &&
                      l->chunk[1] == d->space.dims[1] &&
                      l->chunk[0] <= FIRN_H5_CHUNK / l->chunk[1] &&
                      l->element_bytes == firn_h5_type_size(d->type);
    return good ? NULL : unknown;
}

// Collects what the messages of an object say about an array. Gives what is wrong, or null.
static const char* decode_array(const firn_h5_object* o, firn_h5_dataset* d)
{
    bool type = false, space = false, layout = false, filters = false, known_filters = false;
    for (firn_local k = 0; k < o->count; k++) {
        const firn_h5_bytes b = firn_h5_content(o, k);
        switch (o->messages[k].type) {
        case FIRN_H5_DATATYPE: type = firn_h5_number_type_decode(b, &d->type); break;
        case FIRN_H5_DATASPACE: space = firn_h5_space_decode(b, &d->space); break;
        case FIRN_H5_LAYOUT: layout = firn_h5_layout_decode(b, &d->layout); break;
        case FIRN_H5_FILTERS:
            filters = true;
            known_filters = firn_h5_filters_known(b);
            break;
        default: break;
        }
    }
    if (!type) return "has the wrong type";
    if (!space || d->space.rank == 0 || d->space.dims[0] > INT32_MAX || d->space.dims[1] < 1 ||
        d->space.dims[1] > FIRN_H5_CHUNK)
        return "has the wrong shape";
    if (!layout) return "has an unknown storage layout";
    return check_storage(d, filters, known_filters);
}

// Checks that the values can be in the file: rows < 2^31 and columns <= 2^16, so 64 bits suffice.
static firn_result check_size(firn_h5_input* in, firn_h5_dataset* d)
{
    const uint64_t bytes = d->space.dims[0] * d->space.dims[1] * firn_h5_type_size(d->type);
    d->on_disk = d->layout.bytes;
    if (d->layout.chunked && bytes > 0) FIRN_TRY(firn_h5_chunks_measure(in, d, &d->on_disk));
    if (d->on_disk > in->bytes ||
        (d->layout.chunked ? bytes / DEFLATE_RATIO_MAX > d->on_disk : bytes != d->on_disk))
        return firn_h5_damaged(in, d->path, "claims more values than fit into the file");
    return FIRN_OK;
}

firn_result firn_h5_find_array(firn_h5_input* in, const char* path, firn_h5_dataset* out_dataset)
{
    const firn_h5_object* o;
    FIRN_TRY(open_object(in, path, path, &o));
    *out_dataset = (firn_h5_dataset){.path = path};
    const char* wrong = decode_array(o, out_dataset);
    if (wrong != NULL) return firn_h5_damaged(in, path, wrong);
    return check_size(in, out_dataset);
}

firn_result firn_h5_measure(firn_h5_input* in, const char* path, firn_h5_type stored, int columns,
                            firn_h5_dataset* out_dataset, int64_t* out_rows)
{
    FIRN_TRY(firn_h5_find_array(in, path, out_dataset));
    const firn_h5_dataset* d = out_dataset;
    if (d->type != stored) return firn_h5_damaged(in, path, "has the wrong type");
    if (d->space.rank != (columns > 1 ? 2 : 1) || d->space.dims[1] != (uint64_t)columns)
        return firn_h5_damaged(in, path, "has the wrong shape");
    *out_rows = (int64_t)d->space.dims[0];
    return FIRN_OK;
}

firn_result firn_h5_get_array(firn_h5_input* in, const firn_h5_dataset* d, firn_h5_type wanted,
                              void* out_data)
{
    const size_t count = (size_t)d->space.dims[0] * (size_t)d->space.dims[1];
    const bool widen = wanted == FIRN_H5_F64 && d->type == FIRN_H5_F32;
    if (d->type != wanted && !widen) return firn_h5_damaged(in, d->path, "has the wrong type");
    if (count == 0) return FIRN_OK;
    // float32 first fill the second half of the float64, which are then written from the front
    char* to = (char*)out_data + (widen ? count * sizeof(float) : 0);
    if (d->layout.chunked)
        FIRN_TRY(firn_h5_chunks_read(in, d, to));
    else
        FIRN_TRY(firn_h5_read_at(in, d->layout.address, to, count * firn_h5_type_size(d->type)));
    for (size_t k = 0; k < count && widen; k++) {
        float narrow;
        memcpy(&narrow, to + k * sizeof narrow, sizeof narrow);
        const double wide = (double)narrow;
        memcpy((char*)out_data + k * sizeof wide, &wide, sizeof wide);
    }
    return FIRN_OK;
}

firn_result firn_h5_get_rows(firn_h5_input* in, const firn_h5_dataset* d, int64_t first,
                             int64_t rows, void* out_data)
{
    if (d->layout.chunked) return firn_h5_damaged(in, d->path, "has an unknown storage layout");
    const size_t row = (size_t)d->space.dims[1] * firn_h5_type_size(d->type);
    return firn_h5_read_at(in, d->layout.address + (uint64_t)first * row, out_data,
                           (size_t)rows * row);
}
