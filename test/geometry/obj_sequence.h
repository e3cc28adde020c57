// SPDX-License-Identifier: MIT
// Numbered OBJ files of a box that rises and grows taller, for tests.
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "firn_test.h"

// `path` has one %d. Half size 0.5 along x and z; from `bottom` to `top`. `whole` false: the lid is
// missing. `turned`: other triangles, the same body.
typedef struct obj_box {
    double bottom, top;
    bool open, turned;
} obj_box;

static inline void obj_write(const char* path, obj_box box)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? 0.5 : -0.5, i & 2 ? box.top : box.bottom,
                i & 4 ? 0.5 : -0.5);
    static const char* const faces[] = {"1 3 4 2", "5 6 8 7", "1 2 6 5", "1 5 7 3", "2 4 8 6"};
    for (int i = 0; i < 5; i++) fprintf(file, "f %s\n", faces[i]);
    if (!box.open) fprintf(file, box.turned ? "f 4 3 7 8\n" : "f 3 7 8 4\n");
    fclose(file);
}

// Files `first` to `last` of folder/name.%03d.obj, a key each 1/24 s; the top rises by `rise` a
// key.
static inline void obj_write_sequence(const char* folder, const char* name, int first, int last,
                                      double rise)
{
    for (int k = first; k <= last; k++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s.%03d.obj", folder, name, k);
        obj_write(path, (obj_box){-0.2, rise * (k - first), false, false});
    }
}
