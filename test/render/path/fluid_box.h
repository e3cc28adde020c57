// SPDX-License-Identifier: MIT
// Boxes of a fluid, with flat sides.
#pragma once
#include "firn_test.h"
#include "math/vec3.h"
#include "render/fluid/fluids.h"

typedef struct fluid_box {
    firn_vec3 vertices[24], normals[24];
    int32_t triangles[12][3];
} fluid_box;

// Adds a box from `low` to `high` that owns nothing: do not destroy the fluids.
static inline void add_fluid_box(firn_fluids* fluids, fluid_box* box, firn_material_look look,
                                 const double low[3], const double high[3])
{
    int v = 0, t = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++, v += 4, t += 2) {
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            for (int k = 0; k < 4; k++) {
                const bool right = k == 1 || k == 2, up = k >= 2;
                double x[3], n[3] = {0, 0, 0};
                x[axis] = side ? high[axis] : low[axis];
                x[a] = right ? high[a] : low[a];
                x[b] = up ? high[b] : low[b];
                n[axis] = side ? 1 : -1;
                box->vertices[v + k] = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
                box->normals[v + k] = firn_v3((firn_real)n[0], (firn_real)n[1], (firn_real)n[2]);
            }
            const int32_t out[2][3] = {{v, v + 1, v + 2}, {v, v + 2, v + 3}};
            for (int k = 0; k < 2; k++) {
                box->triangles[t + k][0] = out[k][0];
                box->triangles[t + k][1] = out[k][side ? 1 : 2];
                box->triangles[t + k][2] = out[k][side ? 2 : 1];
            }
        }
    fluids->items[fluids->count++] = (firn_fluid){look,
                                                  {.vertices = box->vertices,
                                                   .normals = box->normals,
                                                   .triangles = box->triangles,
                                                   .vertex_count = 24,
                                                   .triangle_count = 12}};
}
