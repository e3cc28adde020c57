// SPDX-License-Identifier: MIT
// Forged files of a run: values are changed with HDF5, then state hash, seal and manifest are
// recomputed, so that nothing but the values themselves gives the change away.
#pragma once
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/memory.h"
#include "firn_test.h"
#include "output/hdf5/seal.h"
#include "output/run/manifest.h"
#include "state/particles.h"

static inline hid_t forge_open(const char* path)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);  // new objects in the versions that firn reads
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    if (file < 0) fail_msg("HDF5 cannot open '%s'", path);
    return file;
}

// Reads or writes a whole array as `type`; the caller knows its size.
static inline void forge_get(hid_t file, const char* array, hid_t type, void* out)
{
    const hid_t set = H5Dopen2(file, array, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Dclose(set);
}

static inline void forge_put(hid_t file, const char* array, hid_t type, const void* values)
{
    const hid_t set = H5Dopen2(file, array, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
}

static inline size_t forge_count(hid_t file, const char* array)
{
    const hid_t set = H5Dopen2(file, array, H5P_DEFAULT), space = H5Dget_space(set);
    const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(set);
    return count;
}

// Sets element k of an array, counted over rows and columns.
static inline void forge_element(const char* path, const char* array, size_t k, double value)
{
    const hid_t file = forge_open(path);
    const size_t count = forge_count(file, array);
    assert_true(k < count);
    double* values = firn_alloc(count, sizeof *values);
    forge_get(file, array, H5T_NATIVE_DOUBLE, values);
    values[k] = value;
    forge_put(file, array, H5T_NATIVE_DOUBLE, values);
    firn_free(values);
    H5Fclose(file);
}

// Changes bytes of an array of bytes.
static inline void forge_bytes(const char* path, const char* array, size_t offset, const void* data,
                               size_t size)
{
    const hid_t file = forge_open(path);
    const size_t count = forge_count(file, array);
    assert_true(offset + size <= count);
    unsigned char* bytes = firn_alloc(count, 1);
    forge_get(file, array, H5T_NATIVE_UCHAR, bytes);
    memcpy(bytes + offset, data, size);
    forge_put(file, array, H5T_NATIVE_UCHAR, bytes);
    firn_free(bytes);
    H5Fclose(file);
}

// Replaces a scalar attribute.
static inline void forge_attribute(const char* path, const char* object, const char* name,
                                   hid_t type, const void* value)
{
    const hid_t file = forge_open(path), space = H5Screate(H5S_SCALAR);
    assert_true(H5Adelete_by_name(file, object, name, H5P_DEFAULT) >= 0);
    const hid_t attribute =
        H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Fclose(file);
}

// Replaces an array by one of zeros, of another type or number of rows.
static inline void forge_array(const char* path, const char* array, hid_t type, hsize_t rows,
                               hsize_t columns)
{
    const hid_t file = forge_open(path);
    const hsize_t dims[2] = {rows, columns};
    assert_true(H5Ldelete(file, array, H5P_DEFAULT) >= 0);
    const hid_t space = H5Screate_simple(columns > 1 ? 2 : 1, dims, NULL);
    const hid_t set = H5Dcreate2(file, array, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    void* zeros = firn_alloc((size_t)(rows * columns), 8);
    assert_true(H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) >= 0);
    firn_free(zeros);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
}

// The state hash of a checkpoint with the fields of `like`; 0: an array has another size.
static inline uint64_t forge_hash(const char* path, const firn_particles* like, firn_local count)
{
    const hid_t file = forge_open(path);
    firn_particles p = {0};
    for (int f = 0; f < like->field_count; f++)
        firn_particles_add_field(&p, like->fields[f].name, "", like->fields[f].type);
    assert_int_equal(firn_particles_reserve(&p, count), FIRN_OK);
    p.count = count;
    bool whole = true;
    for (int f = 0; f < p.field_count; f++) {
        char array[128];
        snprintf(array, sizeof array, "/particles/%s", p.fields[f].name);
        const bool real = p.fields[f].type != FIRN_FIELD_U8 && p.fields[f].type != FIRN_FIELD_U32;
        const size_t each = real ? p.fields[f].size / sizeof(firn_real) : 1;
        if (forge_count(file, array) != (size_t)count * each) {
            whole = false;
            continue;
        }
        const hid_t type = real ? (sizeof(firn_real) == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT)
                           : p.fields[f].type == FIRN_FIELD_U8 ? H5T_NATIVE_UCHAR
                                                               : H5T_NATIVE_UINT32;
        forge_get(file, array, type, p.fields[f].data);
    }
    H5Fclose(file);
    const uint64_t hash = whole ? firn_particles_hash(&p) : 0;
    firn_particles_destroy(&p);
    return hash;
}

// Recomputes the seal of a file.
static inline void forge_seal_file(const char* path, firn_seal_kind kind)
{
    firn_error error = {0};
    const int file = open(path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    if (firn_seal_write(file, path, kind, &error) != FIRN_OK) fail_msg("%s", error.text);
    close(file);
}

// Recomputes the state hash (checkpoints: `like` has the fields), the seal of the file and its
// entry in the manifest. `number`: the frame of the entry.
static inline void forge_seal(const char* dir, const char* file, int64_t number,
                              const firn_particles* like, firn_local count)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", dir, file);
    firn_error error = {0};
    if (like != NULL) {
        const uint64_t hash = forge_hash(path, like, count);
        forge_attribute(path, "/firn", "state_hash", H5T_NATIVE_UINT64, &hash);
    }
    const firn_entry_kind kind = like != NULL ? FIRN_ENTRY_CHECKPOINT : FIRN_ENTRY_FRAME;
    const firn_seal_kind seal = like != NULL ? FIRN_SEAL_CHECKPOINT : FIRN_SEAL_FRAME;
    forge_seal_file(path, seal);
    firn_manifest m;
    if (firn_manifest_read(dir, &m, &error) != FIRN_OK) fail_msg("%s", error.text);
    if (firn_manifest_add(&m, dir, kind, number, file, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    if (firn_manifest_write(dir, &m, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_manifest_destroy(&m);
}
