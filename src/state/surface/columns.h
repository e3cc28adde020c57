// SPDX-License-Identifier: MIT
// Particles sorted into vertical columns, and by height within each: finds the snow at a point of
// the ground, in a box, and along a ray.
//
//          z                     a column: its particles from the lowest to the highest,
//        +---+---+---+           found by bisection
//        |   |   | o |
//        +---+---+---+
//        | o | o |   |           columns are at least as wide as a particle as heights.h draws it
//        +---+---+---+  x
#pragma once
#include "core/sort_keys.h"
#include "state/surface/heights.h"

typedef struct firn_column_item {
    firn_vec3 x;          // [m]
    firn_real radius;     // [m]
    firn_local particle;  // index
} firn_column_item;

typedef struct firn_columns {
    double x, z;             // [m] corner of the first column
    double width;            // [m] of a column
    firn_local nx, nz;       // columns
    firn_local* begin;       // owned; [nx * nz + 1]: column c is item[begin[c] .. begin[c + 1])
    firn_column_item* item;  // owned; [count]
    firn_local count;        // particles that are finite and have a radius
    double largest;          // [m] radius, of all particles as heights.h takes it
    double low, high;        // [m] heights of the centres
    firn_key_sort sort;      // owned
    firn_local column_capacity, item_capacity;
} firn_columns;

// Initialise with zeros. Allocates only to grow. Bitwise independent of the number of threads.
// FIRN_BROKEN_MEMORY: destroy it or build it again.
firn_result firn_columns_build(firn_columns* columns, const firn_height_snow* snow);
void firn_columns_destroy(firn_columns* columns);

// Columns with centres in a range of x (axis 0) or z (axis 2); false: there are none.
bool firn_columns_range(const firn_columns* columns, int axis, double from, double to,
                        firn_local* out_first, firn_local* out_last);
// First item of a column whose centre is at or above `height`.
firn_local firn_columns_above(const firn_columns* columns, firn_local column, double height);

// The height field at a point, as firn_heights_make computes a sample there. False: no snow.
bool firn_columns_height(const firn_columns* columns, double x, double z, float* out_height);

// Where a ray meets the snow first, each particle being a spheroid as in height fields.
typedef struct firn_column_hit {
    double t;             // [lengths of the direction]; 0: the origin is inside of a particle
    firn_local particle;  // -1: none
    firn_vec3 normal;     // outward, of length 1; against the ray if the origin is inside
} firn_column_hit;
firn_column_hit firn_columns_ray(const firn_columns* columns, const double origin[3],
                                 const double direction[3], double t_max);
