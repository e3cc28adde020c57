// SPDX-License-Identifier: MIT
// Shapes as SDFs (solid.h): their bounds, and as user geometries of Embree.
#include <math.h>

#include "geometry/collider/collider.h"
#include "geometry/sdf/shape.h"
#include "render/path/geometry/geometry_part.h"

#define STEP_SHARE 2e-4f  // minimum step relative to the part's radius,
#define STEP_MAX 1e-3f    // [m] but at most this

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
    const firn_box3 own = part->solid.shape < 0
                              ? firn_collider_bounds(part->solid.collider, part->shapes)
                              : firn_shape_bounds(part->shapes, part->solid.shape);
    if (!(own.low.x <= own.high.x && own.low.y <= own.high.y && own.low.z <= own.high.z))
        return false;
    const firn_box3 posed = posed_box(&part->solid.pose, own);
    const bool has_bounds = firn_v3_length(firn_v3_sub(own.high, own.low)) < (firn_real)1e15;
    firn_box3* box = &part->solid.box;
    *box = has_bounds ? posed : within;
    box->low = firn_v3(finite_side(box->low.x, within.low.x), finite_side(box->low.y, within.low.y),
                       finite_side(box->low.z, within.low.z));
    box->high =
        firn_v3(finite_side(box->high.x, within.high.x), finite_side(box->high.y, within.high.y),
                finite_side(box->high.z, within.high.z));
    const firn_real radius = 0.5f * firn_v3_length(firn_v3_sub(box->high, box->low));
    part->solid.step = fminf(STEP_SHARE * (float)radius, STEP_MAX);
    // enlarge slightly against rounding
    const firn_vec3 hair =
        firn_v3((firn_real)(2 * part->solid.step), (firn_real)(2 * part->solid.step),
                (firn_real)(2 * part->solid.step));
    box->low = firn_v3_sub(box->low, hair);
    box->high = firn_v3_add(box->high, hair);
    return true;
}

// ---- rays ---------------------------------------------------------------------------------------

static bool find_entry(const firn_part* part, const struct RTCRay* r, float* out_t)
{
    const firn_ray ray = {firn_v3((firn_real)r->org_x, (firn_real)r->org_y, (firn_real)r->org_z),
                          firn_v3((firn_real)r->dir_x, (firn_real)r->dir_y, (firn_real)r->dir_z)};
    return firn_solid_trace(&part->solid, ray, r->tfar, out_t);
}

static void bounds(const struct RTCBoundsFunctionArguments* a)
{
    const firn_part* part = a->geometryUserPtr;
    // conservative float bounds
    a->bounds_o->lower_x = nextafterf((float)part->solid.box.low.x, -INFINITY);
    a->bounds_o->lower_y = nextafterf((float)part->solid.box.low.y, -INFINITY);
    a->bounds_o->lower_z = nextafterf((float)part->solid.box.low.z, -INFINITY);
    a->bounds_o->upper_x = nextafterf((float)part->solid.box.high.x, INFINITY);
    a->bounds_o->upper_y = nextafterf((float)part->solid.box.high.y, INFINITY);
    a->bounds_o->upper_z = nextafterf((float)part->solid.box.high.z, INFINITY);
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
