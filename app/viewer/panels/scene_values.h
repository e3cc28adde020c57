// SPDX-License-Identifier: MIT
// Parameters of solver and materials, from the scene as YAML that the library writes.
#pragma once
#include <stdbool.h>

#define VIEW_VALUES_MAX 96

typedef struct view_scene_value {
    char key[96];    // "mpm.cell", "materials.loose.young"
    char value[64];  // as in the file, or as edited
    char given[64];  // as in the file
} view_scene_value;

typedef struct view_scene_values {
    int count;
    view_scene_value items[VIEW_VALUES_MAX];
} view_scene_values;

// Takes the plain values of the blocks `solver` and `materials`; lists are left out.
void view_scene_values_read(view_scene_values* v, const char* yaml, const char* solver);
bool view_scene_value_changed(const view_scene_value* value);
