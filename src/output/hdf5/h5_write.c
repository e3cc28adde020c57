// SPDX-License-Identifier: MIT
// Writing groups, attributes and arrays.
#include "output/hdf5/h5_write.h"

#include <errno.h>
#include <string.h>

#include "core/memory.h"
#include "output/hdf5/h5_pack.h"

// HDF5's type of numbers in a file, and below in memory. Not to be closed.
static hid_t stored_type(firn_h5_type type)
{
    switch (type) {
    case FIRN_H5_F32: return H5T_IEEE_F32LE;
    case FIRN_H5_F64: return H5T_IEEE_F64LE;
    case FIRN_H5_I64: return H5T_STD_I64LE;
    case FIRN_H5_U64: return H5T_STD_U64LE;
    case FIRN_H5_U32: return H5T_STD_U32LE;
    default: return H5T_STD_U8LE;
    }
}

static hid_t native_type(firn_h5_type type)
{
    switch (type) {
    case FIRN_H5_F32: return H5T_NATIVE_FLOAT;
    case FIRN_H5_F64: return H5T_NATIVE_DOUBLE;
    case FIRN_H5_I64: return H5T_NATIVE_INT64;
    case FIRN_H5_U64: return H5T_NATIVE_UINT64;
    case FIRN_H5_U32: return H5T_NATIVE_UINT32;
    default: return H5T_NATIVE_UINT8;
    }
}

firn_result firn_h5_put_group(firn_h5* h5, const char* path)
{
    const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = -1;
    if (creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
        group = H5Gcreate2(h5->file, path, H5P_DEFAULT, creation, H5P_DEFAULT);
    firn_result result = group < 0 ? firn_h5_fail(h5, "write", path) : FIRN_OK;
    if (group >= 0) H5Gclose(group);
    if (creation >= 0) H5Pclose(creation);
    return result;
}

static firn_result put_attribute(firn_h5* h5, const char* object, const char* name, hid_t stored,
                                 hid_t native, hid_t space, const void* data)
{
    hid_t attribute = -1;
    if (space >= 0 && stored >= 0)
        attribute = H5Acreate_by_name(h5->file, object, name, stored, space, H5P_DEFAULT,
                                      H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, native, data) >= 0;
    firn_result result = good ? FIRN_OK : firn_h5_fail(h5, "write", name);
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    return result;
}

firn_result firn_h5_put_number(firn_h5* h5, const char* object, const char* name, firn_h5_type type,
                               const void* values, int count)
{
    const hsize_t size = (hsize_t)count;
    const hid_t space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    return put_attribute(h5, object, name, stored_type(type), native_type(type), space, values);
}

firn_result firn_h5_put_text(firn_h5* h5, const char* object, const char* name, const char* text)
{
    // a string of length 0 is not allowed: "" is stored as one zero byte
    const size_t length = strlen(text) > 0 ? strlen(text) : 1;
    const hid_t type = H5Tcopy(H5T_C_S1);
    hid_t space = -1;
    if (type >= 0 && H5Tset_size(type, length) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0)
        space = H5Screate(H5S_SCALAR);
    firn_result result = put_attribute(h5, object, name, type, type, space, text);
    if (type >= 0) H5Tclose(type);
    return result;
}

// Storage of an array in the file. Compressed arrays have chunks, whose unused tail is zeroed:
// the bytes of a file must not depend on what was in memory.
static hid_t creation_list(int rank, const hsize_t dims[2], int compression)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list < 0) return -1;
    bool good = H5Pset_obj_track_times(list, false) >= 0;
    if (good && compression > 0 && dims[0] > 0) {
        const hsize_t columns = rank > 1 ? dims[1] : 1, most = FIRN_H5_CHUNK / columns;
        const hsize_t chunk[2] = {dims[0] < most ? dims[0] : most, columns};
        good = H5Pset_chunk(list, rank, chunk) >= 0 && H5Pset_shuffle(list) >= 0 &&
               H5Pset_deflate(list, (unsigned)compression) >= 0 &&
               H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC) >= 0;
    } else if (good) {
        good = H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0;
    }
    if (good) return list;
    H5Pclose(list);
    return -1;
}

static hid_t create_array(firn_h5* h5, const char* path, firn_h5_type stored, int rank,
                          const hsize_t dims[2], int compression, hid_t* out_space)
{
    const hid_t space = H5Screate_simple(rank, dims, NULL);
    const hid_t list = creation_list(rank, dims, compression);
    hid_t array = -1;
    if (space >= 0 && list >= 0)
        array =
            H5Dcreate2(h5->file, path, stored_type(stored), space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (list >= 0) H5Pclose(list);
    *out_space = space;
    return array;
}

// `from` starts at row `first`.
static bool write_rows(hid_t array, hid_t space, hid_t native, int rank, hsize_t first,
                       hsize_t rows, hsize_t columns, const void* from)
{
    const hsize_t start[2] = {first, 0}, count[2] = {rows, columns};
    const hid_t memory = H5Screate_simple(rank, count, NULL);
    const bool good = memory >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                      H5Dwrite(array, native, memory, space, H5P_DEFAULT, from) >= 0;
    if (memory >= 0) H5Sclose(memory);
    return good;
}

bool firn_h5_read_rows(firn_h5* h5, const firn_h5_array* a, int64_t first, int64_t rows, void* out)
{
    h5->unread = a->source->read(a->source->self, first, rows, out, h5->error);
    return h5->unread == FIRN_OK;
}

// The rows first .. first + rows - 1; `buffer` holds them where they are not in memory yet.
static const void* find_rows(firn_h5* h5, const firn_h5_array* a, int64_t first, int64_t rows,
                             void* buffer)
{
    const size_t row_bytes = firn_h5_type_size(a->given) * (size_t)a->columns;
    if (a->source == NULL) return (const char*)a->data + (size_t)first * row_bytes;
    return firn_h5_read_rows(h5, a, first, rows, buffer) ? buffer : NULL;
}

firn_result firn_h5_put_array(firn_h5* h5, const firn_h5_array* a)
{
    const int rank = a->columns > 1 ? 2 : 1;
    const hsize_t dims[2] = {(hsize_t)a->rows, (hsize_t)a->columns};
    const hid_t native = native_type(a->given);
    void* buffer = NULL;
    hid_t space, array = create_array(h5, a->path, a->stored, rank, dims, a->compression, &space);
    bool good = array >= 0;
    const bool pack = a->compression > 0 && a->rows > 0 && a->given == a->stored;
    if (good && pack) good = firn_h5_pack(h5, array, a);
    // one chunk at a time: each is compressed and written once, and a full disk ends the loop early
    const hsize_t chunk = FIRN_H5_CHUNK / dims[1];
    if (good && a->source != NULL && !pack) {
        buffer = firn_alloc(FIRN_H5_CHUNK, firn_h5_type_size(a->given));
        if (buffer == NULL) h5->fault.reason = ENOMEM;
    }
    for (hsize_t row = 0; row < dims[0] && !pack && good && h5->fault.reason == 0; row += chunk) {
        const hsize_t left = dims[0] - row, rows = left < chunk ? left : chunk;
        const void* from = find_rows(h5, a, (int64_t)row, (int64_t)rows, buffer);
        good = from != NULL && write_rows(array, space, native, rank, row, rows, dims[1], from);
        if (!good || left <= chunk) break;
        firn_h5_pause(h5);  // large arrays do not hold up other files
        firn_h5_continue(h5);
    }
    const firn_result result =
        good && h5->fault.reason == 0 ? FIRN_OK : firn_h5_fail(h5, "write", a->path);
    if (array >= 0) H5Dclose(array);
    if (space >= 0) H5Sclose(space);
    firn_free(buffer);
    return result;
}

firn_result firn_h5_put_sequence(firn_h5* h5, const char* path, int64_t count)
{
    const firn_h5_array a = {.path = path,
                             .given = FIRN_H5_I64,
                             .stored = FIRN_H5_I64,
                             .rows = count,
                             .columns = 1,
                             .compression = 1};
    return firn_h5_put_array(h5, &a);
}
