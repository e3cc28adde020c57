// SPDX-License-Identifier: MIT
// Hits of rays with planes, solids and triangles, for C and CUDA: where, the normals on the ray's
// side, and the offset against self-intersection. Which surface it is, the caller knows.
#pragma once
#include "render/path/geometry/geometry.h"
#include "render/path/geometry/solid.h"

#define FIRN_HIT_OFFSET 1e-5f   // per coordinate: much larger than rounding, but invisible
#define FIRN_HIT_EDGE_ON 0.02f  // least cosine between a shading normal and the viewing direction

typedef struct firn_plane {
    firn_vec3 point, normal;  // in the world; solid below
    int32_t collider;
} firn_plane;

// Distance where a ray enters the half space; `far` if it does not before that.
FIRN_FN float firn_plane_intersect(const firn_plane* p, firn_ray ray, float far)
{
    const double along = (double)firn_v3_dot(p->normal, ray.direction);
    if (!(along < 0)) return far;
    const double t = (double)firn_v3_dot(p->normal, firn_v3_sub(p->point, ray.origin)) / along;
    return t > 0 && t < (double)far ? (float)t : far;
}

FIRN_FN float firn_hit_least_offset(firn_vec3 x)
{
    const firn_vec3 a = firn_v3_abs(x);
    return FIRN_HIT_OFFSET * ((float)firn_max(a.x, firn_max(a.y, a.z)) + 0.01f);
}

// An interpolated normal may face away from the viewer: bends it back to grazing incidence.
FIRN_FN firn_vec3 firn_hit_bend_normal(firn_vec3 n, firn_vec3 direction)
{
    const firn_real away = firn_v3_dot(n, direction) + (firn_real)FIRN_HIT_EDGE_ON;
    if (!(away > 0)) return n;
    return firn_v3_normalize(firn_v3_madd(n, -away, direction), firn_v3_scale(direction, -1));
}

FIRN_FN firn_surface_hit firn_hit_plane(const firn_plane* p, firn_ray ray, float t)
{
    firn_surface_hit hit = firn_geometry_miss(t);
    const firn_vec3 x = firn_v3_madd(ray.origin, (firn_real)t, ray.direction);
    hit.x = firn_v3_madd(x, firn_v3_dot(p->normal, firn_v3_sub(p->point, x)), p->normal);
    hit.normal = hit.face = p->normal;
    hit.offset = firn_hit_least_offset(hit.x);
    return hit;
}

FIRN_FN firn_surface_hit firn_hit_solid(const firn_solid* s, firn_ray ray, float t)
{
    firn_surface_hit hit = firn_geometry_miss(t);
    hit.x = firn_v3_madd(ray.origin, (firn_real)t, ray.direction);
    hit.face = firn_solid_normal(s, hit.x);
    hit.normal = firn_hit_bend_normal(hit.face, ray.direction);
    hit.offset = fmaxf(firn_hit_least_offset(hit.x), s->step);
    return hit;
}

// A triangle: its corners, and the normals there; null: it is flat.
typedef struct firn_triangle {
    const float *a, *b, *c;
    const float* normals;  // [3][3]
} firn_triangle;

FIRN_FN firn_vec3 firn_vec3_of_floats(const float* from)
{
    return firn_v3((firn_real)from[0], (firn_real)from[1], (firn_real)from[2]);
}

// A surface whose picture may colour the hit at weights u and v. `uv`: of the corners; null: none.
FIRN_FN void firn_hit_set_painted(firn_surface_hit* hit, const firn_surface* surface,
                                  const float (*uv)[2], const firn_rgb16* texels, float u, float v)
{
    hit->surface = surface;
    if (surface->picture.width > 0 && uv != NULL)
        hit->tint = firn_paint_on_triangle(&surface->picture, texels, uv, u, v);
}

// u and v: barycentric weights of b and c.
FIRN_FN firn_surface_hit firn_hit_triangle(firn_triangle tri, float u, float v, firn_ray ray,
                                           float t)
{
    firn_surface_hit hit = firn_geometry_miss(t);
    const firn_vec3 a = firn_vec3_of_floats(tri.a);
    const firn_vec3 ab = firn_v3_sub(firn_vec3_of_floats(tri.b), a);
    const firn_vec3 ac = firn_v3_sub(firn_vec3_of_floats(tri.c), a);
    hit.x = firn_v3_madd(firn_v3_madd(a, (firn_real)u, ab), (firn_real)v, ac);
    hit.face = firn_v3_normalize(firn_v3_cross(ab, ac), firn_v3(0, 1, 0));
    hit.normal = hit.face;
    if (tri.normals != NULL) {
        const float* n = tri.normals;
        firn_vec3 sum = firn_v3_scale(firn_vec3_of_floats(n), (firn_real)(1 - u - v));
        sum = firn_v3_madd(sum, (firn_real)u, firn_vec3_of_floats(n + 3));
        sum = firn_v3_madd(sum, (firn_real)v, firn_vec3_of_floats(n + 6));
        hit.normal = firn_v3_normalize(sum, hit.face);
    }
    hit.from_inside = firn_v3_dot(hit.face, ray.direction) > 0;
    if (hit.from_inside) {
        hit.face = firn_v3_scale(hit.face, -1);
        hit.normal = firn_v3_scale(hit.normal, -1);
    }
    hit.offset = firn_hit_least_offset(hit.x);
    hit.normal = firn_hit_bend_normal(hit.normal, ray.direction);
    return hit;
}
