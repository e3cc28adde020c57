// SPDX-License-Identifier: MIT
// Listing the arrays of a group, for `firn info`.
#include <stdio.h>
#include <stdlib.h>

#include "output/hdf5/h5_read.h"

static firn_result add_line(firn_h5_input* in, const char* path, const char* name, firn_text* text)
{
    firn_h5_dataset d;
    char unit[64];
    FIRN_TRY(firn_h5_find_array(in, path, &d));
    FIRN_TRY(firn_h5_get_text(in, path, "unit", unit, sizeof unit));
    firn_text_add(text, "  %-18s %-8s", name, firn_h5_type_name(d.type));
    for (int k = 0; k < d.space.rank; k++)
        firn_text_add(text, "[%llu]", (unsigned long long)d.space.dims[k]);
    firn_text_add(text, " %s  %llu bytes on disk\n", unit, (unsigned long long)d.on_disk);
    return FIRN_OK;
}

// Names of the links of a group. More are not listed: firn writes fewer.
typedef struct name_list {
    int count;
    char names[64][64];
} name_list;

static int compare_names(const void* a, const void* b)
{
    return strcmp(a, b);
}

static firn_result get_names(firn_h5_input* in, const char* group, name_list* list)
{
    uint64_t address;
    const firn_h5_object* object;
    FIRN_TRY(firn_h5_find(in, group, &address));
    if (address == FIRN_H5_NOWHERE) return FIRN_OK;
    FIRN_TRY(firn_h5_object_get(in, address, &object));
    for (firn_local k = 0; k < object->count; k++) {
        firn_h5_link link;
        if (object->messages[k].type != FIRN_H5_LINK || list->count == 64 ||
            !firn_h5_link_decode(firn_h5_content(object, k), &link) ||
            link.length >= sizeof list->names[0])
            continue;
        memcpy(list->names[list->count], link.name, link.length);
        list->names[list->count++][link.length] = '\0';
    }
    qsort(list->names, (size_t)list->count, sizeof list->names[0], compare_names);
    return FIRN_OK;
}

firn_result firn_h5_list(firn_h5_input* in, const char* group, firn_text* text)
{
    name_list list = {0};
    FIRN_TRY(get_names(in, group, &list));
    for (int k = 0; k < list.count; k++) {
        char object[256];
        snprintf(object, sizeof object, "%s/%s", group, list.names[k]);
        FIRN_TRY(add_line(in, object, list.names[k], text));
    }
    return FIRN_OK;
}
