// SPDX-License-Identifier: MIT
// Rays through the BVH (bvh.h), for C and CUDA. Children are visited nearest first, with a stack of
// the others; sums have one order, so that the same ray has the same hit on every machine.
#pragma once
#include <float.h>
#include <math.h>

#include "render/path/bvh/bvh.h"
#include "render/path/geometry/surface_hit.h"

// A ray, sheared and scaled such that it runs along the last axis from the origin.
typedef struct firn_bvh_ray {
    firn_f3 o, inverse;
    firn_f3 shear;       // x and y per z, and 1/z
    int32_t kx, ky, kz;  // axes
} firn_bvh_ray;

FIRN_FN float firn_f3_axis(firn_f3 v, int32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// 1/d, finite for d = 0.
FIRN_FN float firn_bvh_inverse(float d)
{
    return fabsf(d) > 1e-18f ? 1 / d : d < 0 ? -1e18f : 1e18f;
}

FIRN_FN firn_bvh_ray firn_bvh_ray_of(firn_ray ray)
{
    const firn_f3 d = {(float)ray.direction.x, (float)ray.direction.y, (float)ray.direction.z};
    firn_bvh_ray r;
    r.o = FIRN_LIT(firn_f3){(float)ray.origin.x, (float)ray.origin.y, (float)ray.origin.z};
    r.inverse =
        FIRN_LIT(firn_f3){firn_bvh_inverse(d.x), firn_bvh_inverse(d.y), firn_bvh_inverse(d.z)};
    const float x = fabsf(d.x), y = fabsf(d.y), z = fabsf(d.z);
    r.kz = x > y ? (x > z ? 0 : 2) : y > z ? 1 : 2;
    r.kx = r.kz == 2 ? 0 : r.kz + 1;
    r.ky = r.kx == 2 ? 0 : r.kx + 1;
    const float along = firn_f3_axis(d, r.kz);
    if (along < 0) {  // keeps the winding
        const int32_t k = r.kx;
        r.kx = r.ky;
        r.ky = k;
    }
    r.shear =
        FIRN_LIT(firn_f3){firn_f3_axis(d, r.kx) / along, firn_f3_axis(d, r.ky) / along, 1 / along};
    return r;
}

// Distance where the ray enters a box, or FLT_MAX. Rounded outwards (Ize 2013).
FIRN_FN float firn_bvh_enter(const firn_bvh_ray* r, const float low[3], const float high[3],
                             float far)
{
    const float ax = (low[0] - r->o.x) * r->inverse.x, bx = (high[0] - r->o.x) * r->inverse.x;
    const float ay = (low[1] - r->o.y) * r->inverse.y, by = (high[1] - r->o.y) * r->inverse.y;
    const float az = (low[2] - r->o.z) * r->inverse.z, bz = (high[2] - r->o.z) * r->inverse.z;
    const float in = firn_f_max(firn_f_max(firn_f_min(ax, bx), firn_f_min(ay, by)),
                                firn_f_max(firn_f_min(az, bz), 0));
    const float out = firn_f_min(firn_f_min(firn_f_max(ax, bx), firn_f_max(ay, by)),
                                 firn_f_min(firn_f_max(az, bz), far));
    return in <= out * 1.0000004f ? in : FLT_MAX;
}

typedef struct firn_bvh_found {
    float t, u, v;  // u, v: weights of the triangle's second and third corner
    int32_t item;   // -1: none
} firn_bvh_found;

// A corner relative to the ray, in its sheared coordinates; z still unscaled.
FIRN_FN firn_f3 firn_bvh_shear(const firn_bvh_ray* r, const float corner[3])
{
    const firn_f3 p = {corner[0] - r->o.x, corner[1] - r->o.y, corner[2] - r->o.z};
    const float z = firn_f3_axis(p, r->kz);
    return FIRN_LIT(firn_f3){firn_f3_axis(p, r->kx) - r->shear.x * z,
                             firn_f3_axis(p, r->ky) - r->shear.y * z, z};
}

// Twice the signed area of the origin and two corners. Where floats give 0 doubles decide, so that
// two triangles agree about their edge.
FIRN_FN float firn_bvh_edge(firn_f3 p, firn_f3 q)
{
    const float e = p.x * q.y - p.y * q.x;
    if (e != 0) return e;
    return (float)((double)p.x * (double)q.y - (double)p.y * (double)q.x);
}

FIRN_FN bool firn_bvh_hit_triangle(const firn_bvh_ray* r, const firn_bvh_item* item, float far,
                                   firn_bvh_found* found)
{
    const firn_f3 a = firn_bvh_shear(r, item->corner[0]), b = firn_bvh_shear(r, item->corner[1]),
                  c = firn_bvh_shear(r, item->corner[2]);
    const float wa = firn_bvh_edge(c, b), wb = firn_bvh_edge(a, c), wc = firn_bvh_edge(b, a);
    if ((wa < 0 || wb < 0 || wc < 0) && (wa > 0 || wb > 0 || wc > 0)) return false;
    const float sum = wa + wb + wc;
    if (sum == 0) return false;
    const float t = (wa * a.z + wb * b.z + wc * c.z) * r->shear.z / sum;
    if (!(t > 0 && t < far)) return false;
    found->t = t;
    found->u = wb / sum;
    found->v = wc / sum;
    return true;
}

FIRN_FN bool firn_bvh_hit_item(const firn_bvh* bvh, const firn_bvh_ray* r, firn_ray ray,
                               int32_t item, firn_bvh_found* found)
{
    const firn_bvh_item* i = &bvh->items[item];
    if (i->triangle >= 0) return firn_bvh_hit_triangle(r, i, found->t, found);
    return firn_solid_trace(&bvh->solids[bvh->parts[i->part].solid], ray, found->t, &found->t);
}

// Nearest item in (0, far), or any.
FIRN_FN_APART firn_bvh_found firn_bvh_find(const firn_bvh* bvh, firn_ray ray, float far, bool any)
{
    firn_bvh_found found = {far, 0, 0, -1};
    const firn_bvh_ray r = firn_bvh_ray_of(ray);
    // rays of solids are floats, too, as Embree's
    ray.origin = firn_v3((firn_real)r.o.x, (firn_real)r.o.y, (firn_real)r.o.z);
    int32_t stack[FIRN_BVH_DEPTH_MAX];
    int32_t top = 0, node = 0;
    for (;;) {
        const firn_bvh_node* n = &bvh->nodes[node];
        float in[2];
        for (int k = 0; k < 2; k++) in[k] = firn_bvh_enter(&r, n->low[k], n->high[k], found.t);
        const int first = in[1] < in[0] ? 1 : 0;
        int32_t next = -1;
        for (int step = 0; step < 2; step++) {
            const int k = step == 0 ? first : 1 - first;
            if (!(in[k] < FLT_MAX) || in[k] > found.t) continue;
            for (int32_t i = 0; i < n->count[k]; i++)
                if (firn_bvh_hit_item(bvh, &r, ray, n->child[k] + i, &found)) {
                    found.item = n->child[k] + i;
                    if (any) return found;
                }
            if (n->count[k] > 0) continue;
            if (next < 0)
                next = n->child[k];
            else
                stack[top++] = n->child[k];
        }
        if (next >= 0) {
            node = next;
        } else {
            if (top == 0) return found;
            node = stack[--top];
        }
    }
}

FIRN_FN firn_surface_hit firn_bvh_hit_of(const firn_bvh* bvh, firn_ray ray, firn_bvh_found found)
{
    const firn_bvh_item* item = &bvh->items[found.item];
    const firn_bvh_part* part = &bvh->parts[item->part];
    firn_surface_hit hit;
    if (item->triangle < 0) {
        hit = firn_hit_solid(&bvh->solids[part->solid], ray, found.t);
    } else {
        const firn_triangle triangle = {
            item->corner[0], item->corner[1], item->corner[2],
            part->first_normal < 0
                ? NULL
                : bvh->normals[(size_t)part->first_normal + 3 * (size_t)item->triangle]};
        hit = firn_hit_triangle(triangle, found.u, found.v, ray, found.t);
    }
    if (part->is_light)
        hit.light = part->owner;
    else if (item->painted < 0)
        hit.surface = &bvh->surfaces[part->owner];
    else
        firn_hit_set_painted(
            &hit, &bvh->painted[item->painted],
            part->first_uv < 0 ? NULL : bvh->uv[(size_t)part->first_uv + (size_t)item->triangle],
            bvh->texels, found.u, found.v);
    return hit;
}

FIRN_FN_ONCE firn_surface_hit firn_bvh_trace(const firn_bvh* bvh, firn_ray ray, float far)
{
    int32_t plane = -1;
    for (int32_t k = 0; k < bvh->plane_count; k++) {
        const float t = firn_plane_intersect(&bvh->planes[k], ray, far);
        if (!(t < far)) continue;
        far = t;
        plane = k;
    }
    if (bvh->node_count > 0) {
        const firn_bvh_found found = firn_bvh_find(bvh, ray, far, false);
        if (found.item >= 0) return firn_bvh_hit_of(bvh, ray, found);
    }
    firn_surface_hit hit = firn_geometry_miss(far);
    if (plane < 0) return hit;
    hit = firn_hit_plane(&bvh->planes[plane], ray, far);
    hit.surface = &bvh->surfaces[bvh->planes[plane].collider];
    return hit;
}

FIRN_FN_ONCE bool firn_bvh_blocked(const firn_bvh* bvh, firn_ray ray, float far)
{
    for (int32_t k = 0; k < bvh->plane_count; k++)
        if (firn_plane_intersect(&bvh->planes[k], ray, far) < far) return true;
    return bvh->node_count > 0 && firn_bvh_find(bvh, ray, far, true).item >= 0;
}
