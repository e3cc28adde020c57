// SPDX-License-Identifier: MIT
// Shapes as SDFs: sphere tracing (Hart 1996) with a minimum step until the ray is inside, then
// bisection. The minimum step ends grazing rays, and a ray that starts on a face does not hit it
// again. For C and CUDA.
#pragma once
#include <math.h>

#include "geometry/collider/collider_sample.h"
#include "render/camera.h"

#define FIRN_SOLID_STEPS_MAX 600
#define FIRN_SOLID_PATIENCE 64    // steps until the minimum step is doubled every half as many
#define FIRN_SOLID_BISECTIONS 30  // of the last step: below float rounding
#define FIRN_SOLID_CAUTION 0.75f  // between keys a deforming collider's gradient may exceed 1

// A shape at its pose.
typedef struct firn_solid {
    firn_shape_tables tables;       // borrowed from the scene
    const firn_collider* collider;  // borrowed; of a deforming collider
    firn_local shape;               // node; -1: the collider is deforming
    firn_pose pose;                 // of the node
    firn_box3 box;                  // in the world
    float step;                     // [m] minimum step; finer detail may be missed
} firn_solid;

// SDF at x: a lower bound of the distance [m], negative inside.
FIRN_FN_APART firn_real firn_solid_distance(const firn_solid* s, firn_vec3 x)
{
    if (s->shape < 0)
        return FIRN_SOLID_CAUTION * firn_collider_distance_shared(s->collider, &s->tables, x);
    return s->pose.scale *
           firn_phi_shape_distance(&s->tables, s->shape, firn_pose_to_body(&s->pose, x));
}

FIRN_FN firn_vec3 firn_solid_normal(const firn_solid* s, firn_vec3 x)
{
    firn_vec3 n = firn_v3(0, 1, 0);
    if (s->shape < 0) {
        firn_collider_sample_shared(s->collider, &s->tables, x, &n);
    } else {
        n = firn_phi_shape(&s->tables, s->shape, firn_pose_to_body(&s->pose, x)).normal;
        n = firn_m3_mul_v3(s->pose.rotation, n);
    }
    return firn_v3_normalize(n, firn_v3(0, 1, 0));
}

// ---- rays ---------------------------------------------------------------------------------------

// Clips *t0 .. *t1 along one axis; false: nothing is left.
FIRN_FN bool firn_solid_clip(double o, double d, double low, double high, double* t0, double* t1)
{
    if (d == 0) return o >= low && o <= high;
    const double a = (low - o) / d, b = (high - o) / d;
    *t0 = fmax(*t0, fmin(a, b));
    *t1 = fmin(*t1, fmax(a, b));
    return true;
}

// Clips the ray to the box; false: it misses the box.
FIRN_FN bool firn_solid_clip_box(const firn_solid* s, firn_ray ray, double* t0, double* t1)
{
    const firn_vec3 o = ray.origin, d = ray.direction, low = s->box.low, high = s->box.high;
    return firn_solid_clip((double)o.x, (double)d.x, (double)low.x, (double)high.x, t0, t1) &&
           firn_solid_clip((double)o.y, (double)d.y, (double)low.y, (double)high.y, t0, t1) &&
           firn_solid_clip((double)o.z, (double)d.z, (double)low.z, (double)high.z, t0, t1) &&
           *t0 <= *t1;
}

FIRN_FN double firn_solid_distance_along(const firn_solid* s, firn_ray ray, double t)
{
    return (double)firn_solid_distance(
        s, firn_v3((firn_real)((double)ray.origin.x + t * (double)ray.direction.x),
                   (firn_real)((double)ray.origin.y + t * (double)ray.direction.y),
                   (firn_real)((double)ray.origin.z + t * (double)ray.direction.z)));
}

FIRN_FN double firn_solid_bisect(const firn_solid* s, firn_ray ray, double outside, double inside)
{
    for (int k = 0; k < FIRN_SOLID_BISECTIONS; k++) {
        const double middle = 0.5 * (outside + inside);
        if (firn_solid_distance_along(s, ray, middle) > 0)
            outside = middle;
        else
            inside = middle;
    }
    return outside;
}

// First entry into the shape in (0, far). A ray that starts inside, due to rounding, leaves it
// first. The ray's coordinates are floats, even in a build with doubles.
FIRN_FN_APART bool firn_solid_trace(const firn_solid* s, firn_ray ray, float far, float* out_t)
{
    double t = 0, end = (double)far;
    if (!firn_solid_clip_box(s, ray, &t, &end)) return false;
    double least = (double)s->step, last_outside = 0;
    bool was_outside = false;
    for (int step = 1; step <= FIRN_SOLID_STEPS_MAX; step++) {
        const double d = firn_solid_distance_along(s, ray, t);
        if (!(d > 0) && was_outside) {
            *out_t = (float)firn_solid_bisect(s, ray, last_outside, t);
            return *out_t > 0 && *out_t < far;
        }
        if (t >= end) return false;
        if (d > 0) {
            was_outside = true;
            last_outside = t;
        }
        t = fmin(end, t + fmax(fabs(d), least));
        if (step >= FIRN_SOLID_PATIENCE && step % (FIRN_SOLID_PATIENCE / 2) == 0) least *= 2;
    }
    return false;
}
