// SPDX-License-Identifier: MIT
// A height field as triangles: the ground, walls around it, and a floor. Large fields are
// decimated: a picture does not resolve more.
#include "geometry/sdf/primitives.h"
#include "geometry/sdf/solid_mesh.h"

#define SIDE_MAX 512  // [cells] maximum per side of a mesh

typedef struct ground {
    const firn_height_field* field;
    const firn_shape_node* node;
    firn_local columns, rows;   // vertices along x and z
    firn_local step_x, step_z;  // [samples] between vertices
    int32_t top, rim;           // first vertices of the ground, and of the floor's border
} ground;

static firn_vec3 vertex_of(const ground* g, firn_local column, firn_local row, bool floor)
{
    const firn_height_field* f = g->field;
    const firn_real* p = g->node->p;
    firn_local i = column * g->step_x, j = row * g->step_z;
    if (i > f->nx - 1) i = f->nx - 1;
    if (j > f->nz - 1) j = f->nz - 1;
    const firn_real value = f->value[(size_t)j * (size_t)f->nx + (size_t)i];
    return firn_v3(p[0] + p[3] * (firn_real)i / (firn_real)(f->nx - 1),
                   floor ? p[1] - p[6] : p[1] + p[4] * value,
                   p[2] + p[5] * (firn_real)j / (firn_real)(f->nz - 1));
}

// Column and row of border vertex k, counter-clockwise seen from above: along x at the far end of
// z, back along z, ...
static void rim_at(const ground* g, int32_t k, firn_local* column, firn_local* row)
{
    const firn_local a = g->columns - 1, b = g->rows - 1;
    *column = k < a ? k : k < a + b ? a : k < 2 * a + b ? 2 * a + b - k : 0;
    *row = k < a ? b : k < a + b ? a + b - k : k < 2 * a + b ? 0 : k - 2 * a - b;
}

static bool add_top(const ground* g, firn_mesh* mesh)
{
    for (firn_local row = 0; row < g->rows; row++)
        for (firn_local column = 0; column < g->columns; column++)
            if (!firn_mesh_add_vertex(mesh, vertex_of(g, column, row, false))) return false;
    for (firn_local row = 0; row + 1 < g->rows; row++)
        for (firn_local column = 0; column + 1 < g->columns; column++) {
            const int32_t a = g->top + row * g->columns + column, b = a + g->columns;
            if (!firn_mesh_add_triangle(mesh, a, b, b + 1) ||
                !firn_mesh_add_triangle(mesh, a, b + 1, a + 1))
                return false;
        }
    return true;
}

static bool add_walls(const ground* g, firn_mesh* mesh)
{
    const int32_t around = 2 * (g->columns - 1) + 2 * (g->rows - 1);
    const firn_real* p = g->node->p;
    firn_local column, row;
    for (int32_t k = 0; k < around; k++) {
        rim_at(g, k, &column, &row);
        if (!firn_mesh_add_vertex(mesh, vertex_of(g, column, row, true))) return false;
    }
    const int32_t middle = mesh->vertex_count;
    if (!firn_mesh_add_vertex(mesh, firn_v3(p[0] + p[3] / 2, p[1] - p[6], p[2] + p[5] / 2)))
        return false;
    for (int32_t k = 0; k < around; k++) {
        const int32_t l = (k + 1) % around;
        rim_at(g, k, &column, &row);
        const int32_t up = g->top + row * g->columns + column;
        rim_at(g, l, &column, &row);
        const int32_t next = g->top + row * g->columns + column;
        if (!firn_mesh_add_triangle(mesh, g->rim + k, g->rim + l, next) ||
            !firn_mesh_add_triangle(mesh, g->rim + k, next, up) ||
            !firn_mesh_add_triangle(mesh, middle, g->rim + l, g->rim + k))
            return false;
    }
    return true;
}

bool firn_ground_add_mesh(const firn_height_field* field, const firn_shape_node* node,
                          firn_mesh* mesh)
{
    ground g = {.field = field, .node = node};
    g.step_x = (field->nx - 2) / SIDE_MAX + 1;
    g.step_z = (field->nz - 2) / SIDE_MAX + 1;
    g.columns = (field->nx - 2) / g.step_x + 2;
    g.rows = (field->nz - 2) / g.step_z + 2;
    g.top = mesh->vertex_count;
    g.rim = g.top + g.columns * g.rows;
    return add_top(&g, mesh) && add_walls(&g, mesh);
}
