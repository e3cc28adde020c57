// SPDX-License-Identifier: MIT
#include "mesh/spatial/prepared_triangle.h"

#include "core/memory.h"

firn_prepared_triangle* firn_prepare_mesh(const firn_mesh* mesh)
{
    firn_prepared_triangle* out = firn_alloc((size_t)mesh->triangle_count + 1, sizeof *out);
    for (firn_local t = 0; out != NULL && t < mesh->triangle_count; t++) {
        double corner[3][3];
        for (int k = 0; k < 3; k++) {
            const firn_vec3 v = mesh->vertices[mesh->triangles[t][k]];
            corner[k][0] = (double)v.x, corner[k][1] = (double)v.y, corner[k][2] = (double)v.z;
        }
        out[t] = firn_prepare_triangle(corner[0], corner[1], corner[2]);
    }
    return out;
}
