// SPDX-License-Identifier: MIT
// Intersects rays with the AABBs of colliders, then with their triangles.
#include "viewer/input/pick.h"

#include <math.h>

#include "viewer/input/tools.h"

bool view_ray_plane(const view_ray* ray, view_vec point, view_vec normal, view_vec* out_point)
{
    const double slope = view_vec_dot(ray->along, normal);
    if (fabs(slope) < 1e-6) return false;
    const double t = view_vec_dot(view_vec_sub(point, ray->from), normal) / slope;
    if (!(t > 0) || t > 1e6) return false;
    *out_point = view_vec_add(ray->from, view_vec_scale(ray->along, t));
    return true;
}

// Distance to the AABB; infinite: missed.
static double intersect_box(const view_ray* ray, const firn_body_info* b)
{
    const double from[3] = {ray->from.x, ray->from.y, ray->from.z};
    const double along[3] = {ray->along.x, ray->along.y, ray->along.z};
    const double low[3] = {b->low.x, b->low.y, b->low.z};
    const double high[3] = {b->high.x, b->high.y, b->high.z};
    double near = 0, far = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (fabs(along[k]) < 1e-12) {
            if (from[k] < low[k] || from[k] > high[k]) return INFINITY;
            continue;
        }
        const double t0 = (low[k] - from[k]) / along[k], t1 = (high[k] - from[k]) / along[k];
        near = fmax(near, fmin(t0, t1));
        far = fmin(far, fmax(t0, t1));
    }
    return near <= far ? near : INFINITY;
}

// Inverse rotation q* v q.
static view_vec rotate_inverse(firn_quat q, view_vec v)
{
    const view_vec u = {-q.x, -q.y, -q.z};
    const view_vec t = view_vec_scale(view_vec_cross(u, v), 2);
    return view_vec_add(view_vec_add(v, view_vec_scale(t, q.w)), view_vec_cross(u, t));
}

static view_vec vertex(const firn_body_mesh* mesh, int32_t k)
{
    return (view_vec){mesh->vertices[k].x, mesh->vertices[k].y, mesh->vertices[k].z};
}

// Moeller-Trumbore: distance along the ray; infinite: missed.
static double intersect_triangle(const view_ray* ray, view_vec a, view_vec b, view_vec c)
{
    const view_vec e1 = view_vec_sub(b, a), e2 = view_vec_sub(c, a);
    const view_vec p = view_vec_cross(ray->along, e2);
    const double det = view_vec_dot(e1, p);
    if (fabs(det) < 1e-18) return INFINITY;
    const view_vec s = view_vec_sub(ray->from, a);
    const double u = view_vec_dot(s, p) / det;
    const view_vec q = view_vec_cross(s, e1);
    const double v = view_vec_dot(ray->along, q) / det;
    if (u < 0 || v < 0 || u + v > 1) return INFINITY;
    const double t = view_vec_dot(e2, q) / det;
    return t > 0 ? t : INFINITY;
}

// Intersects in local coordinates, where lengths are divided by the scale.
static double intersect_mesh(const view_ray* ray, const firn_body_mesh* mesh,
                             const firn_body_pose* pose)
{
    const view_vec origin = {pose->position.x, pose->position.y, pose->position.z};
    const view_ray own = {
        view_vec_scale(rotate_inverse(pose->rotation, view_vec_sub(ray->from, origin)),
                       1 / pose->scale),
        rotate_inverse(pose->rotation, ray->along)};
    double nearest = INFINITY;
    for (int64_t k = 0; k < mesh->triangle_count; k++) {
        const int32_t* t = &mesh->triangles[3 * k];
        nearest = fmin(nearest, intersect_triangle(&own, vertex(mesh, t[0]), vertex(mesh, t[1]),
                                                   vertex(mesh, t[2])));
    }
    return nearest * pose->scale;
}

int view_pick(const view_session* s, const view_ray* ray, view_pick_fn may_hold,
              view_vec* out_point)
{
    int best = -1;
    double nearest = INFINITY;
    for (int b = 0; b < s->now->collider_count; b++) {
        const firn_body_info* info = &s->now->colliders[b].info;
        if (info->hidden || !info->bounded || info->deforms || !may_hold(s, b, info)) continue;
        double t = intersect_box(ray, info);
        const firn_body_mesh* mesh = s->source->ops->mesh(s->source, b);
        if (isfinite(t) && mesh) t = intersect_mesh(ray, mesh, &info->pose);
        if (!(t < nearest)) continue;
        nearest = t;
        best = b;
    }
    if (best >= 0) *out_point = view_vec_add(ray->from, view_vec_scale(ray->along, nearest));
    return best;
}

// ---- particles ----------------------------------------------------------------------------------

static bool may_hide(const view_session* s, int collider, const firn_body_info* info)
{
    (void)info;
    return !view_tools_is_parked(s, collider);
}

// Distance to the nearest collider, planes included.
static double collider_distance(const view_session* s, const view_ray* ray)
{
    view_vec point;
    double nearest = INFINITY;
    if (view_pick(s, ray, may_hide, &point) >= 0)
        nearest = view_vec_length(view_vec_sub(point, ray->from));
    for (int b = 0; b < s->now->collider_count; b++) {
        const firn_body_info* i = &s->now->colliders[b].info;
        if (i->bounded || i->hidden) continue;
        const view_vec at = {i->point.x, i->point.y, i->point.z};
        const view_vec normal = {i->normal.x, i->normal.y, i->normal.z};
        if (view_vec_dot(ray->along, normal) < 0 && view_ray_plane(ray, at, normal, &point))
            nearest = fmin(nearest, view_vec_length(view_vec_sub(point, ray->from)));
    }
    return nearest;
}

int64_t view_pick_particle(const view_session* s, const view_ray* ray)
{
    const view_snapshot* now = s->now;
    const double common = VIEW_COVER * s->source->view.spacing;
    int64_t best = -1;
    double nearest = INFINITY;
    for (int64_t p = 0; p < now->count; p++) {
        const float* x = now->position[p];
        const view_vec d = view_vec_sub((view_vec){x[0], x[1], x[2]}, ray->from);
        const double r = now->has_radius ? (double)now->radius[p] : common;
        const double along = view_vec_dot(d, ray->along);
        const double inside = r * r - (view_vec_dot(d, d) - along * along);
        const double t = inside >= 0 ? along - sqrt(inside) : INFINITY;
        if (!(t > 0 && t < nearest)) continue;
        nearest = t;
        best = p;
    }
    // snow may lie half in a collider: only one that hides the whole sphere counts
    const double slack = 2 * common;
    return best >= 0 && nearest < collider_distance(s, ray) + slack ? best : -1;
}
