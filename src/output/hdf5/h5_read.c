// SPDX-License-Identifier: MIT
// Reading attributes and arrays: type, shape and size are checked before anything is read.
#include "output/hdf5/h5_data.h"

#include <string.h>

// Deflate cannot shrink data more than this (zlib's technical notes: 1032:1).
#define DEFLATE_RATIO_MAX 1032

bool firn_h5_has(firn_h5* h5, const char* path)
{
    // check every group of the path: HDF5 reports an error when an inner one is missing
    char part[512];
    const size_t length = strlen(path);
    if (length >= sizeof part) return false;
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (H5Lexists(h5->file, part, H5P_DEFAULT) <= 0) return false;
    }
    return true;
}

static firn_result refuse(firn_h5* h5, const char* object, const char* reason)
{
    return firn_fail(h5->error, FIRN_REFUSED_DAMAGED, "'%s' is damaged: '%s' %s", h5->path, object,
                     reason);
}

static hid_t open_attribute(firn_h5* h5, const char* object, const char* name)
{
    if (!firn_h5_has(h5, object)) return -1;
    if (H5Aexists_by_name(h5->file, object, name, H5P_DEFAULT) <= 0) return -1;
    return H5Aopen_by_name(h5->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
}

static bool is_scalar(hid_t attribute)
{
    const hid_t space = H5Aget_space(attribute);
    const bool scalar = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR;
    if (space >= 0) H5Sclose(space);
    return scalar;
}

firn_result firn_h5_get_number(firn_h5* h5, const char* object, const char* name, firn_h5_type type,
                               void* out_value)
{
    const hid_t attribute = open_attribute(h5, object, name);
    if (attribute < 0) return refuse(h5, name, "is missing");
    const hid_t found = H5Aget_type(attribute);
    const bool good = found >= 0 && is_scalar(attribute) &&
                      H5Tequal(found, firn_h5_type_stored(type)) > 0 &&
                      H5Aread(attribute, firn_h5_type_native(type), out_value) >= 0;
    if (found >= 0) H5Tclose(found);
    H5Aclose(attribute);
    return good ? FIRN_OK : refuse(h5, name, "is not a number of the right type");
}

firn_result firn_h5_get_text(firn_h5* h5, const char* object, const char* name, char* out_text,
                             size_t size)
{
    const hid_t attribute = open_attribute(h5, object, name);
    if (attribute < 0) return refuse(h5, name, "is missing");
    const hid_t found = H5Aget_type(attribute);
    const bool fixed = found >= 0 && H5Tget_class(found) == H5T_STRING &&
                       H5Tis_variable_str(found) == 0 && is_scalar(attribute);
    const size_t length = fixed ? H5Tget_size(found) : 0;
    bool good = fixed && length < size;
    if (good) {
        memset(out_text, 0, size);
        good = H5Aread(attribute, found, out_text) >= 0;
    }
    if (found >= 0) H5Tclose(found);
    H5Aclose(attribute);
    return good ? FIRN_OK : refuse(h5, name, "is not a text or is too long");
}

static bool has_shape(hid_t array, int columns, int64_t* out_rows)
{
    const hid_t space = H5Dget_space(array);
    const int rank = columns > 1 ? 2 : 1;
    hsize_t dims[2] = {0, 1};
    const bool good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                      H5Sget_simple_extent_ndims(space) == rank &&
                      H5Sget_simple_extent_dims(space, dims, NULL) == rank &&
                      dims[1] == (hsize_t)columns && dims[0] <= INT32_MAX;
    if (space >= 0) H5Sclose(space);
    if (good) *out_rows = (int64_t)dims[0];
    return good;
}

// Accepts only the storage that firn writes: contiguous, or chunks that are shuffled and deflated,
// all within this file.
static bool has_known_storage(hid_t array, bool* out_compressed)
{
    const hid_t list = H5Dget_create_plist(array);
    if (list < 0) return false;
    const H5D_layout_t layout = H5Pget_layout(list);
    bool good = H5Pget_external_count(list) == 0;
    const int filters = H5Pget_nfilters(list);
    if (layout == H5D_CONTIGUOUS) {
        good = good && filters == 0;
    } else {
        good = good && layout == H5D_CHUNKED && filters == 2 &&
               H5Pget_filter2(list, 0, NULL, NULL, NULL, 0, NULL, NULL) == H5Z_FILTER_SHUFFLE &&
               H5Pget_filter2(list, 1, NULL, NULL, NULL, 0, NULL, NULL) == H5Z_FILTER_DEFLATE;
    }
    *out_compressed = layout == H5D_CHUNKED;
    H5Pclose(list);
    return good;
}

firn_result firn_h5_measure(firn_h5* h5, const char* path, firn_h5_type stored, int columns,
                            int64_t* out_rows)
{
    if (!firn_h5_has(h5, path)) return refuse(h5, path, "is missing");
    const hid_t array = H5Dopen2(h5->file, path, H5P_DEFAULT);
    if (array < 0) return firn_h5_fail(h5, "read", path);
    const hid_t type = H5Dget_type(array);
    int64_t rows = 0;
    bool compressed = false;
    const char* wrong = NULL;
    if (type < 0 || H5Tequal(type, firn_h5_type_stored(stored)) <= 0) {
        wrong = "has the wrong type";
    } else if (!has_shape(array, columns, &rows)) {
        wrong = "has the wrong shape";
    } else if (!has_known_storage(array, &compressed)) {
        wrong = "has an unknown storage layout";
    } else {
        // rows < 2^31, columns and sizes are small: no overflow in 64 bits
        const uint64_t bytes = (uint64_t)rows * (uint64_t)columns * firn_h5_type_size(stored);
        const uint64_t on_disk = H5Dget_storage_size(array);
        if (on_disk > h5->bytes ||
            (compressed ? bytes / DEFLATE_RATIO_MAX > on_disk : bytes != on_disk))
            wrong = "claims more values than fit into the file";
    }
    if (type >= 0) H5Tclose(type);
    H5Dclose(array);
    if (wrong != NULL) return refuse(h5, path, wrong);
    *out_rows = rows;
    return FIRN_OK;
}

firn_result firn_h5_get_array(firn_h5* h5, const char* path, firn_h5_type wanted, void* out_data)
{
    const hid_t array = H5Dopen2(h5->file, path, H5P_DEFAULT);
    const bool good = array >= 0 && H5Dread(array, firn_h5_type_native(wanted), H5S_ALL, H5S_ALL,
                                            H5P_DEFAULT, out_data) >= 0;
    const firn_result result = good ? FIRN_OK : firn_h5_fail(h5, "read", path);
    if (array >= 0) H5Dclose(array);
    return result;
}
