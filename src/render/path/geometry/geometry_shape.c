// SPDX-License-Identifier: MIT
// Shapes as SDFs: sphere tracing (Hart 1996) with a minimum step until the ray is inside, then
// bisection. The minimum step ends grazing rays, and a ray that starts on a face does not hit it
// again.
#include <math.h>

#include "geometry/collider/collider.h"
#include "geometry/sdf/shape.h"
#include "render/path/geometry/geometry_part.h"

#define STEPS_MAX 600
#define PATIENCE 64       // steps until the minimum step is doubled every PATIENCE / 2 steps
#define BISECTIONS 30     // of the last step: below float rounding
#define CAUTION 0.75f     // between keys the SDF gradient of a deforming collider may exceed 1
#define STEP_SHARE 2e-4f  // minimum step relative to the part's radius,
#define STEP_MAX 1e-3f    // [m] but at most this

firn_real firn_part_distance(const firn_part* part, firn_vec3 x)
{
    if (part->shape < 0) return CAUTION * firn_collider_distance(part->collider, part->shapes, x);
    return part->pose.scale *
           firn_shape_distance(part->shapes, part->shape, firn_pose_to_body(&part->pose, x));
}

firn_vec3 firn_part_normal(const firn_part* part, firn_vec3 x)
{
    firn_vec3 n = firn_v3(0, 1, 0);
    if (part->shape < 0) {
        firn_collider_sample(part->collider, part->shapes, x, &n);
    } else {
        firn_shape_sample(part->shapes, part->shape, firn_pose_to_body(&part->pose, x), &n);
        n = firn_m3_mul_v3(part->pose.rotation, n);
    }
    return firn_v3_normalize(n, firn_v3(0, 1, 0));
}

// ---- bounds -------------------------------------------------------------------------------------

static firn_real finite_side(firn_real x, firn_real instead)
{
    return firn_abs(x) < (firn_real)1e15 ? x : instead;  // also replaces NaN
}

static firn_box3 posed_box(const firn_pose* pose, firn_box3 own)
{
    firn_box3 box = {firn_v3(FIRN_REAL_MAX, FIRN_REAL_MAX, FIRN_REAL_MAX),
                     firn_v3(-FIRN_REAL_MAX, -FIRN_REAL_MAX, -FIRN_REAL_MAX)};
    for (int k = 0; k < 8; k++) {
        const firn_vec3 corner =
            firn_v3((k & 1) != 0 ? own.high.x : own.low.x, (k & 2) != 0 ? own.high.y : own.low.y,
                    (k & 4) != 0 ? own.high.z : own.low.z);
        const firn_vec3 x = firn_pose_to_world(pose, corner);
        box.low = firn_v3_min(box.low, x);
        box.high = firn_v3_max(box.high, x);
    }
    return box;
}

bool firn_part_set_bounds(firn_part* part, firn_box3 within)
{
    const firn_box3 own = part->shape < 0 ? firn_collider_bounds(part->collider, part->shapes)
                                          : firn_shape_bounds(part->shapes, part->shape);
    if (!(own.low.x <= own.high.x && own.low.y <= own.high.y && own.low.z <= own.high.z))
        return false;
    const firn_box3 posed = posed_box(&part->pose, own);
    const bool has_bounds = firn_v3_length(firn_v3_sub(own.high, own.low)) < (firn_real)1e15;
    firn_box3* box = &part->box;
    *box = has_bounds ? posed : within;
    box->low = firn_v3(finite_side(box->low.x, within.low.x), finite_side(box->low.y, within.low.y),
                       finite_side(box->low.z, within.low.z));
    box->high =
        firn_v3(finite_side(box->high.x, within.high.x), finite_side(box->high.y, within.high.y),
                finite_side(box->high.z, within.high.z));
    const firn_real radius = 0.5f * firn_v3_length(firn_v3_sub(box->high, box->low));
    part->step = fminf(STEP_SHARE * (float)radius, STEP_MAX);
    // enlarge slightly against rounding
    const firn_vec3 hair = firn_v3((firn_real)(2 * part->step), (firn_real)(2 * part->step),
                                   (firn_real)(2 * part->step));
    box->low = firn_v3_sub(box->low, hair);
    box->high = firn_v3_add(box->high, hair);
    return true;
}

// ---- rays ---------------------------------------------------------------------------------------

// Clips the ray to the box; false: it misses the box.
static bool clip(const firn_part* part, const struct RTCRay* ray, double* t0, double* t1)
{
    const double o[3] = {(double)ray->org_x, (double)ray->org_y, (double)ray->org_z};
    const double d[3] = {(double)ray->dir_x, (double)ray->dir_y, (double)ray->dir_z};
    const double low[3] = {(double)part->box.low.x, (double)part->box.low.y,
                           (double)part->box.low.z};
    const double high[3] = {(double)part->box.high.x, (double)part->box.high.y,
                            (double)part->box.high.z};
    for (int i = 0; i < 3; i++) {
        if (d[i] == 0) {
            if (o[i] < low[i] || o[i] > high[i]) return false;
            continue;
        }
        const double a = (low[i] - o[i]) / d[i], b = (high[i] - o[i]) / d[i];
        *t0 = fmax(*t0, fmin(a, b));
        *t1 = fmin(*t1, fmax(a, b));
    }
    return *t0 <= *t1;
}

static double distance_at(const firn_part* part, const struct RTCRay* ray, double t)
{
    return (double)firn_part_distance(
        part, firn_v3((firn_real)((double)ray->org_x + t * (double)ray->dir_x),
                      (firn_real)((double)ray->org_y + t * (double)ray->dir_y),
                      (firn_real)((double)ray->org_z + t * (double)ray->dir_z)));
}

static double bisect(const firn_part* part, const struct RTCRay* ray, double outside, double inside)
{
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (outside + inside);
        if (distance_at(part, ray, middle) > 0)
            outside = middle;
        else
            inside = middle;
    }
    return outside;
}

// First entry into the shape. A ray that starts inside, due to rounding, leaves it first.
static bool find_entry(const firn_part* part, const struct RTCRay* ray, float* out_t)
{
    double t = (double)ray->tnear, end = (double)ray->tfar;
    if (!clip(part, ray, &t, &end)) return false;
    double least = (double)part->step, last_outside = 0;
    bool was_outside = false;
    for (int step = 1; step <= STEPS_MAX; step++) {
        const double d = distance_at(part, ray, t);
        if (!(d > 0) && was_outside) {
            *out_t = (float)bisect(part, ray, last_outside, t);
            return *out_t > ray->tnear && *out_t < ray->tfar;
        }
        if (t >= end) return false;
        if (d > 0) {
            was_outside = true;
            last_outside = t;
        }
        t = fmin(end, t + fmax(fabs(d), least));
        if (step >= PATIENCE && step % (PATIENCE / 2) == 0) least *= 2;
    }
    return false;
}

static void bounds(const struct RTCBoundsFunctionArguments* a)
{
    const firn_part* part = a->geometryUserPtr;
    // conservative float bounds
    a->bounds_o->lower_x = nextafterf((float)part->box.low.x, -INFINITY);
    a->bounds_o->lower_y = nextafterf((float)part->box.low.y, -INFINITY);
    a->bounds_o->lower_z = nextafterf((float)part->box.low.z, -INFINITY);
    a->bounds_o->upper_x = nextafterf((float)part->box.high.x, INFINITY);
    a->bounds_o->upper_y = nextafterf((float)part->box.high.y, INFINITY);
    a->bounds_o->upper_z = nextafterf((float)part->box.high.z, INFINITY);
}

// All queries are single rays (rtcIntersect1, rtcOccluded1), so N is 1.
static void intersect(const struct RTCIntersectFunctionNArguments* a)
{
    struct RTCRayHit* r = (struct RTCRayHit*)a->rayhit;
    float t;
    if (a->valid[0] == 0 || a->N != 1 || !find_entry(a->geometryUserPtr, &r->ray, &t)) return;
    r->ray.tfar = t;
    r->hit.geomID = a->geomID;
    r->hit.primID = a->primID;
    r->hit.instID[0] = a->context->instID[0];
}

static void occluded(const struct RTCOccludedFunctionNArguments* a)
{
    struct RTCRay* ray = (struct RTCRay*)a->ray;
    float t;
    if (a->valid[0] == 0 || a->N != 1 || !find_entry(a->geometryUserPtr, ray, &t)) return;
    ray->tfar = -INFINITY;
}

RTCGeometry firn_part_geometry_of_shape(RTCDevice device, const firn_part* part)
{
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    if (g == NULL) return NULL;
    rtcSetGeometryUserPrimitiveCount(g, 1);
    rtcSetGeometryUserData(g, (void*)part);
    rtcSetGeometryBoundsFunction(g, bounds, NULL);
    rtcSetGeometryIntersectFunction(g, intersect);
    rtcSetGeometryOccludedFunction(g, occluded);
    rtcCommitGeometry(g);
    return g;
}
