// SPDX-License-Identifier: MIT
// Listing the arrays of a group, for `firn info`.
#include <stdio.h>
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

static hsize_t count_links(firn_h5* h5, const char* group)
{
    const hid_t opened = firn_h5_has(h5, group) ? H5Gopen2(h5->file, group, H5P_DEFAULT) : -1;
    if (opened < 0) return 0;
    H5G_info_t info;
    const hsize_t count = H5Gget_info(opened, &info) >= 0 ? info.nlinks : 0;
    H5Gclose(opened);
    return count;
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

void firn_h5_list(firn_h5* h5, const char* group, firn_text* text)
{
    const hsize_t count = count_links(h5, group);
    for (hsize_t k = 0; k < count; k++) {
        char name[128], path[256];
        const ssize_t length = H5Lget_name_by_idx(h5->file, group, H5_INDEX_NAME, H5_ITER_INC, k,
                                                  name, sizeof name, H5P_DEFAULT);
        if (length <= 0 || (size_t)length >= sizeof name || strchr(name, '/') != NULL) continue;
        snprintf(path, sizeof path, "%s/%s", group, name);
        add_line(h5, path, name, text);
    }
}
