// SPDX-License-Identifier: MIT
// Columns along x over a grid in y and z, each with a list of the triangles that lie in it:
//
//      z |   +---+---+---+
//        |   |   |  /|\  |     A triangle is listed row by row, between the smallest and the
//        |   +---+-/-+-\-+     largest y that it has in the row.
//        |   |   |/__|__\|
//        |   +---+---+---+
//        +-------------------- y
#include "mesh/spatial/line_winding.h"

#include <math.h>

#include "core/memory.h"
#include "mesh/spatial/line_crossing.h"

#define PER_TRIANGLE 2  // columns, about: then most lists hold the few triangles one above another
#define ENTRIES 16      // per triangle in all lists, about: columns are wider for long slivers
#define SLACK 1e-6      // [columns] against rounding

struct firn_line_winding {
    const firn_mesh* mesh;   // borrowed
    double low[2], high[2];  // [m] of the mesh, in y and z
    double width;            // [m] of a column
    int32_t size[2];         // columns in y and z
    firn_local* first;       // owned [columns + 2]: where a list begins
    int32_t* list;           // owned: triangles, in order of their numbers
};

static void corners_of(const firn_mesh* mesh, int32_t t, double x[3][3])
{
    for (int k = 0; k < 3; k++) {
        const firn_vec3 v = mesh->vertices[mesh->triangles[t][k]];
        x[k][0] = (double)v.x, x[k][1] = (double)v.y, x[k][2] = (double)v.z;
    }
}

static int32_t column_of(const firn_line_winding* c, int axis, double at)
{
    const double k = floor((at - c->low[axis]) / c->width);
    return k > 0 ? (int32_t)fmin(k, c->size[axis] - 1) : 0;
}

// The range of y of a triangle where z is between the two limits.
static void range_in_row(double x[3][3], double from, double to, double* out_low, double* out_high)
{
    *out_low = INFINITY, *out_high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const double *p = x[k], *q = x[(k + 1) % 3];
        const double *below = p[2] < q[2] ? p : q, *above = p[2] < q[2] ? q : p;
        const double first = fmax(below[2], from), last = fmin(above[2], to);
        if (!(first <= last)) continue;
        const double rise = above[2] - below[2];
        const double s = rise > 0 ? (first - below[2]) / rise : 0,
                     t = rise > 0 ? (last - below[2]) / rise : 1;
        const double a = below[1] + s * (above[1] - below[1]),
                     b = below[1] + t * (above[1] - below[1]);
        *out_low = fmin(*out_low, fmin(a, b));
        *out_high = fmax(*out_high, fmax(a, b));
    }
}

// Counts the triangle into next[column], or lists it; returns the number of its columns.
static int64_t enlist(const firn_line_winding* c, int32_t t, firn_local* next)
{
    int64_t entries = 0;
    double x[3][3];
    corners_of(c->mesh, t, x);
    const double slack = SLACK * c->width;
    const double low = fmin(x[0][2], fmin(x[1][2], x[2][2])) - slack;
    const double high = fmax(x[0][2], fmax(x[1][2], x[2][2])) + slack;
    const int32_t last = column_of(c, 1, high);
    for (int32_t row = column_of(c, 1, low); row <= last; row++) {
        const double from = c->low[1] + row * c->width - slack;
        double left, right;
        range_in_row(x, from, from + c->width + 2 * slack, &left, &right);
        if (!(left <= right)) continue;
        const int32_t end = column_of(c, 0, right + slack);
        for (int32_t i = column_of(c, 0, left - slack); i <= end; i++, entries++) {
            if (next == NULL) continue;
            firn_local* at = &next[row * c->size[0] + i];
            if (c->list != NULL) c->list[*at] = t;
            ++*at;
        }
    }
    return entries;
}

static firn_result list_triangles(firn_line_winding* c)
{
    const firn_local count = c->size[0] * c->size[1];
    c->first = firn_alloc((size_t)count + 2, sizeof *c->first);
    if (c->first == NULL) return FIRN_BROKEN_MEMORY;
    firn_local* next = c->first + 1;  // the end of a list, while it fills: its beginning before
    for (int32_t t = 0; t < c->mesh->triangle_count; t++) enlist(c, t, next + 1);
    for (firn_local k = 0; k < count; k++) next[k + 1] += next[k];
    c->list = firn_alloc((size_t)next[count] + 1, sizeof *c->list);
    if (c->list == NULL) return FIRN_BROKEN_MEMORY;
    for (int32_t t = 0; t < c->mesh->triangle_count; t++) enlist(c, t, next);
    return FIRN_OK;
}

static void lay_columns(firn_line_winding* c)
{
    const firn_box3 box = firn_mesh_bounds(c->mesh);
    c->low[0] = (double)box.low.y, c->low[1] = (double)box.low.z;
    c->high[0] = (double)box.high.y, c->high[1] = (double)box.high.z;
    const double y = c->high[0] - c->low[0], z = c->high[1] - c->low[1];
    const double most = fmax(fmax(y, z), 1e-30);
    const double columns = (double)PER_TRIANGLE * (double)c->mesh->triangle_count;
    c->width = fmax(sqrt(y * z / columns), most / columns);
    const int64_t enough = (int64_t)ENTRIES * (c->mesh->triangle_count + 1000);
    for (int64_t entries = enough + 1; entries > enough; c->width *= 2) {
        entries = 0;
        c->size[0] = (int32_t)(y / c->width) + 1;
        c->size[1] = (int32_t)(z / c->width) + 1;
        for (int32_t t = 0; t < c->mesh->triangle_count && entries <= enough; t++)
            entries += enlist(c, t, NULL);
    }
    c->width /= 2;
}

firn_result firn_line_winding_create(const firn_mesh* mesh, firn_line_winding** out_winding,
                                     firn_error* error)
{
    FIRN_ASSERT(mesh->triangle_count > 0);
    firn_line_winding* c = firn_alloc(1, sizeof *c);
    firn_result result = FIRN_BROKEN_MEMORY;
    if (c != NULL) {
        c->mesh = mesh;
        lay_columns(c);
        result = list_triangles(c);
    }
    if (result != FIRN_OK) {
        firn_line_winding_destroy(c);
        return firn_fail(error, result, "no memory for the columns of %d triangles",
                         (int)mesh->triangle_count);
    }
    *out_winding = c;
    return FIRN_OK;
}

void firn_line_winding_destroy(firn_line_winding* winding)
{
    if (winding == NULL) return;
    firn_free(winding->first);
    firn_free(winding->list);
    firn_free(winding);
}

void firn_line_winding_number(const firn_line_winding* c, const double* x, int count, double y,
                              double z, int* out_number)
{
    for (int i = 0; i < count; i++) out_number[i] = 0;
    if (!(y >= c->low[0] && y <= c->high[0] && z >= c->low[1] && z <= c->high[1])) return;
    const firn_local column = column_of(c, 1, z) * c->size[0] + column_of(c, 0, y);
    for (firn_local l = c->first[column]; l < c->first[column + 1]; l++) {
        double corner[3][3], at;
        corners_of(c->mesh, c->list[l], corner);
        const int way = firn_line_crosses(corner[0], corner[1], corner[2], y, z, &at);
        for (int i = count - 1; way != 0 && i >= 0 && x[i] > at; i--) out_number[i] += way;
    }
}
