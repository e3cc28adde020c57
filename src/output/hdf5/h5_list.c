// SPDX-License-Identifier: MIT
// Listing the arrays of a group, for `firn info`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/hdf5/h5_data.h"

static const char* type_name(hid_t array)
{
    const hid_t type = H5Dget_type(array);
    const char* name = "other";
    for (int t = 0; t < FIRN_H5_TYPES && type >= 0; t++)
        if (H5Tequal(type, firn_h5_type_stored((firn_h5_type)t)) > 0)
            name = firn_h5_type_name((firn_h5_type)t);
    if (type >= 0) H5Tclose(type);
    return name;
}

static void add_line(firn_h5* h5, const char* path, const char* name, firn_text* text)
{
    const hid_t array = H5Dopen2(h5->file, path, H5P_DEFAULT);
    if (array < 0) return;
    const hid_t space = H5Dget_space(array);
    hsize_t dims[8] = {0};
    int rank = space < 0 ? 0 : H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 8 || H5Sget_simple_extent_dims(space, dims, NULL) < 0) rank = 0;
    firn_text_add(text, "  %-18s %-8s", name, type_name(array));
    for (int d = 0; d < rank; d++) firn_text_add(text, "[%llu]", (unsigned long long)dims[d]);
    char unit[64] = "";
    if (H5Aexists(array, "unit") > 0) firn_h5_get_text(h5, path, "unit", unit, sizeof unit);
    firn_text_add(text, " %s  %llu bytes on disk\n", unit,
                  (unsigned long long)H5Dget_storage_size(array));
    if (space >= 0) H5Sclose(space);
    H5Dclose(array);
}

// Names of the links of a group. More are not listed: firn writes fewer.
typedef struct name_list {
    int count;
    char names[64][64];
} name_list;

static herr_t add_name(hid_t group, const char* name, const H5L_info_t* info, void* user)
{
    (void)group, (void)info;
    name_list* list = user;
    const size_t length = strlen(name);
    const bool fits = list->count < 64 && length < sizeof list->names[0];
    if (fits) memcpy(list->names[list->count++], name, length + 1);
    return 0;
}

static int compare_names(const void* a, const void* b)
{
    return strcmp(a, b);
}

// In the order of storage, then sorted here: to list links by name or index, HDF5 1.10 builds a
// table, and it frees memory that it never set when a read fails meanwhile.
void firn_h5_list(firn_h5* h5, const char* group, firn_text* text)
{
    name_list list = {0};
    const hid_t opened = firn_h5_has(h5, group) ? H5Gopen2(h5->file, group, H5P_DEFAULT) : -1;
    if (opened < 0) return;
    H5Literate(opened, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_name, &list);
    H5Gclose(opened);
    qsort(list.names, (size_t)list.count, sizeof list.names[0], compare_names);
    for (int k = 0; k < list.count; k++) {
        char object[256];
        snprintf(object, sizeof object, "%s/%s", group, list.names[k]);
        add_line(h5, object, list.names[k], text);
    }
}
