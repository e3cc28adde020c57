// SPDX-License-Identifier: MIT
// What is derived from the list of fields.
#include "state/field_table.h"

#include <string.h>

#define INFO(index, name, key, type, unit, symbol, solvers, standard, label, narrowest, low, high, \
             map, help)                                                                            \
    {#name, #key, label, symbol, unit, solvers, help, FIRN_FIELD_##type, narrowest, low, high},
const firn_field_info firn_field_table[] = {FIRN_FRAME_FIELDS(INFO)};

#define STANDARD(index, name, key, type, unit, symbol, solvers, standard, ...) \
    +(standard ? FIRN_OUTPUT_BIT(FIRN_FRAME_##index) : 0)
const uint32_t firn_output_fields_default = 0 FIRN_OUTPUT_FIELDS(STANDARD);

#define KEY(index, name, key, ...) #key,
const char* const firn_output_field_keys[] = {FIRN_OUTPUT_FIELDS(KEY) NULL};
const char* const firn_colour_field_keys[] = {"none", FIRN_SCALE_FIELDS(KEY) NULL};
const char* const firn_colour_map_keys[] = {"blue-red", "white-black", "white-brown", "phases",
                                            NULL};

#define MAP(index, name, key, type, unit, symbol, solvers, standard, label, narrowest, low, high, \
            map, help)                                                                            \
    FIRN_COLOURS_##map,
const firn_colour_map firn_field_colour_maps[] = {FIRN_FRAME_FIELDS(MAP)};

static const char* const renamed[][2] = {{"plastic_volume", "plastic_det"}};

const char* firn_field_old_name(const char* name)
{
    for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
        if (strcmp(renamed[k][0], name) == 0) return renamed[k][1];
    return NULL;
}

const firn_field_info* firn_field_find(const char* name)
{
    if (name == NULL) return NULL;
    for (int k = 0; k < FIRN_FRAME_FIELD_COUNT; k++) {
        const char* old = firn_field_old_name(firn_field_table[k].name);
        if (strcmp(firn_field_table[k].name, name) == 0 || (old != NULL && strcmp(old, name) == 0))
            return &firn_field_table[k];
    }
    return NULL;
}
