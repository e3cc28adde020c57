// SPDX-License-Identifier: MIT
// Vectors and rays in double precision, for camera, picking and dragging.
#pragma once
#include <math.h>

typedef struct view_vec {
    double x, y, z;
} view_vec;

typedef struct view_ray {
    view_vec from, along;  // `along` is a unit vector
} view_ray;

static inline view_vec view_vec_add(view_vec a, view_vec b)
{
    return (view_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline view_vec view_vec_sub(view_vec a, view_vec b)
{
    return (view_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline view_vec view_vec_scale(view_vec a, double s)
{
    return (view_vec){a.x * s, a.y * s, a.z * s};
}

static inline double view_vec_dot(view_vec a, view_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline view_vec view_vec_cross(view_vec a, view_vec b)
{
    return (view_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double view_vec_length(view_vec a)
{
    return sqrt(view_vec_dot(a, a));
}

// The zero vector stays zero.
static inline view_vec view_vec_unit(view_vec a)
{
    const double length = view_vec_length(a);
    return length > 0 ? view_vec_scale(a, 1 / length) : a;
}

// Limits the length to `most`.
static inline view_vec view_vec_limit(view_vec a, double most)
{
    const double length = view_vec_length(a);
    return length > most ? view_vec_scale(a, most / length) : a;
}
